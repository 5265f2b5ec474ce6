"""Tests that each exclusion recognizes exactly the failures that its reason names. .ci/fuzz runs them first."""

import unittest
import unittest.mock
from types import SimpleNamespace

import hooks
from schemathesis.core.failures import AcceptedNegativeData, MalformedJson, ServerError
from schemathesis.openapi.checks import AllowHeaderMismatch, MissingContentType, RejectedPositiveData

EARLY = "Enrollment must open and close in the years 1 to 9999 (UTC), but the instant is 0000-12-31T10:29:00Z"
EMPTY = "Enrollment must close after it opens, but opens at 2030-01-02T00:00:00Z and closes at 2030-01-01T00:00:00Z"


def rejected():
    return RejectedPositiveData(operation="", message="", status_code=422, allowed_statuses=[])


def accepted(message):
    return AcceptedNegativeData(operation="", message=message, status_code=200, expected_statuses=[])


def case(body=None, query=None, headers=None, operation_id=None, path="/api/courses"):
    definition = SimpleNamespace(raw={"operationId": operation_id})
    return SimpleNamespace(
        body=body, query=query, headers=headers, operation=SimpleNamespace(definition=definition, path=path))


def answer(status=422, errors=(), **fields):
    """A problem with errors, each a JSON pointer, or the name of a parameter, and a text."""
    listed = [{"pointer" if at.startswith("/") else "parameter": at, "detail": text} for at, text in errors]
    return SimpleNamespace(status_code=status, json=lambda: {"errors": listed, **fields})


class Exclusions(unittest.TestCase):
    def assert_excluded(self, name, failure, sent, response):
        found = [each.__name__ for each in hooks.EXCLUSIONS if each(failure, sent, response)]
        self.assertEqual([name] if name else [], found)

    def test_a_time_that_its_offset_moves_out_of_the_years_1_to_9999(self):
        for time in (
            "0001-01-01T02:00:00+15:31",
            "0001-01-01T00:00:00.5+00:01",
            "0000-12-31T23:59:59Z",
            "0000-12-31T23:58:59-00:01",
            "0000-06-01T00:00:00-23:59",
            "9999-12-31T23:59:59-00:01",
            "9999-12-31T23:59:60Z",
            "9999-12-31t00:01:00-23:59",
        ):
            with self.subTest(time):
                self.assert_excluded(
                    "outside_years_1_to_9999",
                    rejected(),
                    case({"opensAt": time}),
                    answer(errors=[("/opensAt", EARLY)]))
                self.assert_excluded(
                    "outside_years_1_to_9999",
                    rejected(),
                    case({"type": "DefineCourse", "data": {"opensAt": time, "closesAt": time}}),
                    answer(errors=[("/data/opensAt", EARLY), ("/data/closesAt", EARLY)]))

    def test_a_time_within_the_years_1_to_9999_must_not_be_refused(self):
        for time in (
            "0001-01-01T00:00:00Z",
            "0001-01-01T15:31:00+15:31",
            "0000-12-31T23:59:00-00:01",
            "0000-12-31T23:59:60z",
            "9999-12-31T23:59:59.999Z",
            "9999-12-31T23:58:59-00:01",
            "9999-12-31T23:59:00+23:59",
            "2026-09-01T00:00:00+18:01",
            "2026-09-01T00:00:00.1234567890Z",
        ):
            with self.subTest(time):
                self.assert_excluded(
                    None, rejected(), case({"opensAt": time}), answer(errors=[("/opensAt", EARLY)]))
        text = 'must be a time such as "2026-09-01T08:00:00Z"'
        early = case({"opensAt": "0000-01-01T00:00:00Z"})
        self.assert_excluded(None, rejected(), early, answer(errors=[("/opensAt", text)]))
        self.assert_excluded(None, rejected(), early, answer(errors=[("/opensAt", EARLY), ("/title", EARLY)]))
        self.assert_excluded(None, rejected(), early, answer(errors=[]))
        self.assert_excluded(None, rejected(), case(b"text"), answer(errors=[("/opensAt", EARLY)]))

    def test_a_window_that_closes_before_it_opens(self):
        sent = case({"opensAt": "2030-01-02T00:00:00Z", "closesAt": "2030-01-01T00:00:00Z"})
        for pointer in ("/closesAt", "/data/closesAt"):
            self.assert_excluded("window_without_length", rejected(), sent, answer(errors=[(pointer, EMPTY)]))
        self.assert_excluded(None, rejected(), sent, answer(errors=[("/opensAt", EMPTY)]))
        self.assert_excluded(None, rejected(), sent, answer(errors=[("/closesAt", "must be a time")]))
        self.assert_excluded(None, rejected(), sent, answer(errors=[("/closesAt", EMPTY), ("/title", "")]))

    def test_weekly_times_without_length_or_with_overlaps(self):
        for text in (
            "A meeting ends after it begins but was given from 12:00 to 10:00",
            "Meetings of a course do not overlap but were given as Mon 10:00-12:00 and Mon 11:00-13:00",
        ):
            for pointer in ("/times", "/data/times"):
                self.assert_excluded("times_that_overlap", rejected(), case(), answer(errors=[(pointer, text)]))
            self.assert_excluded(None, rejected(), case(), answer(errors=[("/title", text)]))
        self.assert_excluded(None, rejected(), case(), answer(errors=[("/times", "must have at most 20 meetings")]))

    def test_keys_cursors_and_positions_that_only_earlier_answers_have(self):
        self.assert_excluded(
            "key_used_before", rejected(), case(), answer(409, code="idempotency-key-reused"))
        self.assert_excluded(None, rejected(), case(), answer(409, code="course-exists"))
        for listed in ("listCourses", "listStudents"):
            self.assert_excluded(
                "invented_cursor", rejected(), case(operation_id=listed), answer(errors=[("after", "")]))
        self.assert_excluded(None, rejected(), case(operation_id="seats"), answer(errors=[("after", "")]))
        for header in ("/Registrar-After", "/Last-Event-ID"):
            self.assert_excluded("position_beyond_head", rejected(), case(), answer(errors=[(header, "")]))
        self.assert_excluded(
            "position_beyond_head", rejected(), case(), answer(errors=[("/after", "")], instance="/dcb/events"))
        self.assert_excluded(
            None, rejected(), case(), answer(errors=[("/after", "")], instance="/api/courses"))
        self.assert_excluded(
            "position_beyond_basis", rejected(), case(), answer(detail="is 9, but the basis covers the history"))

    def test_relations_of_fields_that_json_schema_cannot_express(self):
        self.assert_excluded("invalid_lock_timeout", rejected(), case(), answer(errors=[("/lockTimeout", "")]))
        self.assert_excluded(None, rejected(), case(), answer(errors=[("/locks", "")]))
        twice = answer(errors=[("/projectors/3/id", "is also the id of another projector")])
        self.assert_excluded("same_id_twice", rejected(), case(operation_id="project"), twice)
        self.assert_excluded(None, rejected(), case(operation_id="append"), twice)
        self.assert_excluded(None, rejected(), case(operation_id="project"), answer())

    def test_entries_that_repeat_in_a_list_that_is_too_long(self):
        long = accepted("body violates `maxItems` at /events/0/tags with 51 items")
        repeated = {"events": [{"tags": ["a"] * 51}]}
        different = {"events": [{"tags": [str(i) for i in range(51)]}]}
        self.assert_excluded("same_entry_twice", long, case(repeated), answer(200))
        self.assert_excluded(
            "same_entry_twice", long, case(query={"query": '{"items": [{"tags": ["a", "a"]}]}'}), answer(200))
        self.assert_excluded(None, long, case(different), answer(200))
        self.assert_excluded(None, accepted("violates `maxItems` at /events"), case(repeated), answer(200))

    def test_parameters_and_headers_that_have_no_effect(self):
        after = accepted("Invalid parameter `after` in query")
        self.assert_excluded("overridden_parameter", after, case(headers={"Last-Event-ID": "1"}), answer(200))
        self.assert_excluded(None, after, case(), answer(200))
        position = accepted("Invalid header Registrar-After")
        self.assert_excluded(
            "no_view_to_wait_for", position, case(query={"consistency": "strong"}), answer(200))
        self.assert_excluded(None, position, case(query={"consistency": "eventual"}), answer(200))
        self.assert_excluded(
            "unknown_header", accepted("in header - object with unexpected properties"), case(), answer(200))
        self.assert_excluded(None, accepted("in body - object with unexpected properties"), case(), answer(200))

    def test_answers_that_depend_on_the_caller_or_on_other_requests(self):
        self.assert_excluded("not_allowed", rejected(), case(), answer(403))
        self.assert_excluded(None, rejected(), case(), answer(401))
        behind = ServerError(operation="", status_code=503)
        waiting = case(headers={"Registrar-After": "3"})
        self.assert_excluded("view_behind", behind, waiting, answer(503, code="view-behind"))
        strong = case(query={"consistency": "strong"})
        self.assert_excluded("view_behind", behind, strong, answer(503, code="view-behind"))
        self.assert_excluded(None, behind, case(), answer(503, code="view-behind"))
        self.assert_excluded(None, behind, waiting, answer(503, code="overloaded"))
        other = AllowHeaderMismatch(
            operation="", allow_header="", missing_methods=[], undocumented_methods=["GET"], message="")
        for path in ("/api/courses/import", "/api/admin/projections/rebuild"):
            self.assert_excluded("same_path", other, case(path=path), answer(405))
        self.assert_excluded(None, other, case(path="/api/courses"), answer(405))

    def test_a_repetition_without_a_body(self):
        malformed = MalformedJson(
            operation="", message="", validation_message="", document="", position=0, lineno=1, colno=1)
        missing = MissingContentType(operation="", message="", media_types=[])
        empty = SimpleNamespace(status_code=201, content=b"", json=dict)
        under_key = case(headers={"Idempotency-Key": "k"}, operation_id="defineCourse")
        for failure in (malformed, missing):
            self.assert_excluded("repetition_while_view_is_behind", failure, under_key, empty)
            self.assert_excluded(None, failure, case(operation_id="defineCourse"), empty)
            self.assert_excluded(
                None, failure, under_key, SimpleNamespace(status_code=201, content=b"{", json=dict))
            self.assert_excluded(
                None, failure, case(headers={"Idempotency-Key": "k"}, operation_id="findCourse"), empty)
        self.assert_excluded(None, rejected(), under_key, empty)

    def test_more_imports_than_may_wait(self):
        busy = ServerError(operation="", status_code=503)
        full = answer(503, code="overloaded", detail="Too many imports wait (limit 4); nothing was changed")
        self.assert_excluded("too_many_imports", busy, case(path="/api/courses/import"), full)
        self.assert_excluded(None, busy, case(path="/api/courses"), full)
        self.assert_excluded(
            None, busy, case(path="/api/courses/import"), answer(503, code="overloaded", detail="Too slow"))


class Answers(unittest.TestCase):
    def test_a_student_answered_as_another_one_is_a_failure(self):
        sent = SimpleNamespace(path_parameters={"studentId": "bob"})
        own = SimpleNamespace(path_parameters={"studentId": hooks.DEMO_STUDENT})
        with unittest.mock.patch.dict("os.environ", FUZZ_CALLER="student"):
            hooks.own_data_only(None, answer(404), sent)
            hooks.own_data_only(None, answer(200), own)
            with self.assertRaises(AssertionError):
                hooks.own_data_only(None, answer(200), sent)
        with unittest.mock.patch.dict("os.environ", FUZZ_CALLER="office"):
            hooks.own_data_only(None, answer(200), sent)


if __name__ == "__main__":
    unittest.main()
