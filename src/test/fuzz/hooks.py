"""Rules for the fuzzer that a description of the API cannot express.

Each function of EXCLUSIONS recognizes a failure that is not a fault of the service; its docstring gives the reason.
"""

import json
import os
import re

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, MalformedJson, ServerError
from schemathesis.openapi.checks import AllowHeaderMismatch, MissingContentType, RejectedPositiveData


# The student of the demo login.
DEMO_STUDENT = "ann"


@schemathesis.deserializer("application/x-ndjson")
def lines(_context, response):
    """The events of a response, one per line."""
    return [json.loads(line) for line in response.content.decode().split("\n") if line]


@schemathesis.serializer("application/x-ndjson")
def sent_as_it_is(_context, value):
    """A file to import: text is sent unchanged, any other value as a line of JSON."""
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode(errors="replace")


def problem(response):
    """The problem in the response, if it is a problem."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def pointers(response):
    return [error.get("pointer") or error.get("parameter") for error in problem(response).get("errors", [])]


def all_errors(response, expected):
    """Whether the response has errors and all of them, by JSON pointer and text, are as expected."""
    errors = problem(response).get("errors") or []
    return bool(errors) and all(expected(each.get("pointer") or "", each.get("detail") or "") for each in errors)


def key_used_before(failure, _case, response):
    """The request is valid, but the fuzzer has used the same key with another request."""
    return isinstance(failure, RejectedPositiveData) and problem(response).get("code") == "idempotency-key-reused"


def window_without_length(failure, _case, response):
    """JSON Schema cannot compare two fields: a course must close after it opens."""
    return isinstance(failure, RejectedPositiveData) and all_errors(
        response,
        lambda pointer, detail: pointer in ("/closesAt", "/data/closesAt") and "must close after it opens" in detail,
    )


def times_that_overlap(failure, _case, response):
    """JSON Schema cannot compare two times: a meeting ends after it begins, and no two meetings overlap."""
    return isinstance(failure, RejectedPositiveData) and all_errors(
        response,
        lambda pointer, detail: pointer in ("/times", "/data/times")
        and detail.startswith(("A meeting ends after it begins", "Meetings of a course do not overlap")),
    )


DATE_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)


def outside_years(text):
    """Whether a date-time of RFC 3339, which has the years 0 to 9999, is outside the years 1 to 9999 in UTC."""
    given = DATE_TIME.fullmatch(text) if isinstance(text, str) else None
    if given is None:
        return False
    year, day, hour, minute, second, sign, hours, minutes = given.groups()
    offset = int(hours or 0) * 60 + int(minutes or 0)
    days, _ = divmod(int(hour) * 60 + int(minute) + (offset if sign == "-" else -offset), 24 * 60)
    # A leap second is the last of a day in UTC, and the service takes it as the first of the next day.
    days += second == "60"
    if year == "0000":
        return day != "12-31" or days < 1
    return (year, day, days) == ("0001", "01-01", -1) or (year, day) == ("9999", "12-31") and days >= 1


def outside_years_1_to_9999(failure, case, response):
    """JSON Schema cannot bound a time, and an offset moves some into the year 0 or 10000, which RFC 3339 in UTC lacks."""

    def sent(pointer):
        body = case.body
        for name in pointer.split("/")[1:]:
            body = body.get(name) if isinstance(body, dict) else None
        return body

    return isinstance(failure, RejectedPositiveData) and all_errors(
        response,
        lambda pointer, detail: pointer in ("/opensAt", "/closesAt", "/data/opensAt", "/data/closesAt")
        and "in the years 1 to 9999 (UTC)" in detail
        and outside_years(sent(pointer)),
    )


def invented_cursor(failure, case, response):
    """The cursor of a page is opaque: only the link to a page has a valid one."""
    return (
        isinstance(failure, RejectedPositiveData)
        and case.operation.definition.raw.get("operationId") in ("listCourses", "listStudents")
        and pointers(response) in (["/after"], ["after"])
    )


def same_id_twice(failure, case, response):
    """JSON Schema cannot require the ids of projectors to differ."""
    return (
        isinstance(failure, RejectedPositiveData)
        and case.operation.definition.raw.get("operationId") == "project"
        and all(re.fullmatch(r"/projectors/\d+/id", pointer) for pointer in pointers(response) or ["none"])
    )


def invalid_lock_timeout(failure, _case, response):
    """The longest wait for locks is a setting, and only appends with locks may have one."""
    return isinstance(failure, RejectedPositiveData) and pointers(response) == ["/lockTimeout"]


def position_beyond_head(failure, _case, response):
    """A position must not lie beyond the head, which changes."""
    return isinstance(failure, RejectedPositiveData) and (
        pointers(response) in (["/Registrar-After"], ["/Last-Event-ID"])
        or (pointers(response) == ["/after"] and "/events" in problem(response)["instance"])
    )


def position_beyond_basis(failure, _case, response):
    """JSON Schema cannot compare a position with the one in a basis."""
    return isinstance(failure, RejectedPositiveData) and "but the basis covers" in problem(response).get("detail", "")


def overridden_parameter(failure, case, _response):
    """Last-Event-ID takes precedence over the parameter, which is then ignored."""
    return (
        isinstance(failure, AcceptedNegativeData)
        and "parameter `after` in query" in str(failure)
        and "Last-Event-ID" in (case.headers or {})
    )


def no_view_to_wait_for(failure, case, _response):
    """A look-up with strong consistency waits for the store's head: it reads no position to wait for."""
    return (
        isinstance(failure, AcceptedNegativeData)
        and "Registrar-After" in str(failure)
        and (case.query or {}).get("consistency") == "strong"
    )


def view_behind(failure, case, response):
    """A view that the fuzzer has paused does not reach the position that a look-up waits for: the response is 503."""
    return (
        isinstance(failure, ServerError)
        and problem(response).get("code") == "view-behind"
        and ("Registrar-After" in (case.headers or {}) or (case.query or {}).get("consistency") == "strong")
    )


def repetition_while_view_is_behind(failure, case, response):
    """OpenAPI cannot make a body optional: a repetition is answered without one if the fuzzer has paused the view."""
    return (
        isinstance(failure, (MalformedJson, MissingContentType))
        and case.operation.definition.raw.get("operationId") in ("defineCourse", "registerStudent")
        and "Idempotency-Key" in (case.headers or {})
        and response.status_code == 201
        and not response.content
    )


def too_many_imports(failure, case, response):
    """On a busy machine the fuzzer sends files faster than they are imported: the response is 503, to send again."""
    return (
        isinstance(failure, ServerError)
        and case.operation.path == "/api/courses/import"
        and problem(response).get("code") == "overloaded"
        and problem(response).get("detail", "").startswith(("Too many imports wait", "Too many import files"))
    )


def unknown_header(failure, _case, _response):
    """RFC 9110, 5.1: a recipient ignores header fields that it does not know."""
    return isinstance(failure, AcceptedNegativeData) and "in header - object with unexpected properties" in str(failure)


def lists(value):
    """All lists of types and tags in a request; a query parameter may be a string that contains JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return
    if isinstance(value, dict):
        for name, each in value.items():
            if name in ("types", "tags") and isinstance(each, list):
                yield each
            elif isinstance(each, (dict, list, str)):
                yield from lists(each)
    elif isinstance(value, list):
        for each in value:
            if isinstance(each, (dict, list)):
                yield from lists(each)


def same_entry_twice(failure, case, _response):
    """Types and tags are sets: a repeated entry counts once, but JSON Schema bounds lists, not sets."""
    return (
        isinstance(failure, AcceptedNegativeData)
        and re.search(r"violates `maxItems` at \S*/(types|tags)\b", str(failure)) is not None
        and any(
            len({json.dumps(entry) for entry in each}) < len(each)
            for sent in (case.body, case.query)
            for each in lists(sent)
        )
    )


def same_path(failure, case, _response):
    """`import` may be the id of a course and `rebuild` the name of a view, so GET is allowed as well."""
    return isinstance(failure, AllowHeaderMismatch) and case.operation.path in (
        "/api/courses/import",
        "/api/admin/projections/rebuild",
    )


def not_allowed(failure, _case, response):
    """The description does not say which roles may send a request: one that the caller may not send is refused."""
    return isinstance(failure, RejectedPositiveData) and response.status_code == 403


@schemathesis.check
def own_data_only(_context, response, case):
    """A student is answered about no other student, and changes nothing of another one."""
    if os.environ["FUZZ_CALLER"] != "student":
        return
    student = (case.path_parameters or {}).get("studentId")
    if student not in (None, DEMO_STUDENT) and response.status_code < 300:
        raise AssertionError(f"A student was answered as the student {student!r}: {response.status_code}")


EXCLUSIONS = (
    invalid_lock_timeout,
    invented_cursor,
    key_used_before,
    no_view_to_wait_for,
    not_allowed,
    outside_years_1_to_9999,
    overridden_parameter,
    position_beyond_basis,
    position_beyond_head,
    repetition_while_view_is_behind,
    same_entry_twice,
    same_id_twice,
    same_path,
    times_that_overlap,
    too_many_imports,
    unknown_header,
    view_behind,
    window_without_length,
)


@schemathesis.hook
def filter_failure(_context, failure, case, response):
    return not any(excluded(failure, case, response) for excluded in EXCLUSIONS)
