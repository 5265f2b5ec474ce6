"""Checks that every view of a service is running and equals the log of events, before and after a rebuild.

Usage: python3 views.py http://127.0.0.1:8080

The log is read through /dcb/read and folded here, independently of the service. No events may be appended
during the check.
"""

import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter

MAX_WAIT_SECONDS = 120
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,63}")
COURSES = {"CourseDefined", "CourseTitleChanged", "CourseCapacityChanged", "EnrollmentWindowChanged",
           "CoursePrerequisitesChanged", "CourseTimesChanged", "CourseClosed"}
STUDENTS = {"StudentRegistered", "StudentNameChanged", "StudentEmailChanged", "StudentTierChanged"}
TEXTS = {
    "CourseDefined": ("title",), "CourseTitleChanged": ("title",),
    "StudentRegistered": ("name", "email"), "StudentNameChanged": ("name",),
    "StudentEmailChanged": ("email", "formerEmail"), "StudentEnrolledByOverride": ("reason",)}
ENROLLMENTS = {"StudentEnrolledInCourse", "StudentEnrolledByOverride", "StudentDroppedCourse"}
WAITING = {"StudentJoinedWaitingList", "StudentLeftWaitingList"}
COMMAND_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CORRELATION_ID = re.compile(r"[!-~]{1,128}")
MAX_PREREQUISITES = 16
MAX_MEETINGS = 20
DAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]
TIME = re.compile(r"(([01][0-9]|2[0-3]):[0-5][0-9])(:[0-5][0-9](\.[0-9]{1,9})?)?")
END = re.compile(TIME.pattern + r"|(?P<midnight>24:00)")
TIERS = {"basic", "standard", "professional", "master"}
# The events that each view handles. Clients choose the metadata of all other events, so no command is read from them.
HANDLED = {
    "commands": COURSES | STUDENTS | ENROLLMENTS | WAITING,
    "courses": COURSES | ENROLLMENTS | WAITING,
    "students": STUDENTS,
    "enrollments": ENROLLMENTS,
    "waiting-lists": WAITING,
}


class Service:
    """The service's API, over HTTP."""

    def __init__(self, url):
        self.url = url

    def call(self, path, method="GET", accept="application/json"):
        request = urllib.request.Request(self.url + path, method=method, headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=MAX_WAIT_SECONDS) as answer:
            return answer.read().decode(), answer.headers

    def get(self, path):
        return json.loads(self.call(path)[0])

    def pages(self, path, field):
        """All entries of a list, page by page."""
        entries = []
        while path:
            body, headers = self.call(path)
            entries += json.loads(body)[field]
            link = re.fullmatch(r'<(.*)>; rel="next"', headers.get("Link") or "")
            path = link.group(1) if link else None
        return entries

    def events(self):
        """The log, without the events that no view handles."""
        query = json.dumps({"items": [{"types": sorted(set().union(*HANDLED.values()))}]})
        path = "/dcb/read?query=" + urllib.parse.quote(query)
        lines = self.call(path, accept="application/x-ndjson")[0].split("\n")
        return [json.loads(line) for line in lines if line]

    def projections(self):
        return self.get("/api/admin/projections")["projections"]

    def settle(self):
        """Waits until all projections are running, at the head and not being rebuilt."""
        until = time.monotonic() + MAX_WAIT_SECONDS
        while True:
            projections = self.projections()
            waiting = [p for p in projections if not at_rest(p)]
            if not waiting:
                return projections
            stopped = [p for p in waiting if p["state"] == "stopped" or p.get("failure")]
            if stopped or time.monotonic() > until:
                raise SystemExit("Not running at the head:\n" + json.dumps(stopped or waiting, indent=2))
            time.sleep(0.2)


def at_rest(projection):
    return (
        projection["state"] == "running"
        and projection["position"] == projection["head"]
        and "rebuild" not in projection
        and "failure" not in projection
    )


def moment(text):
    """An instant in microseconds, as the views keep it, in a form that can be compared."""
    if text is None:
        return None
    whole, fraction = re.fullmatch(r"(.*?)(?:\.(\d+))?Z", text).groups()
    return whole, (fraction or "")[:6].ljust(6, "0")


def weekly(times):
    """The meetings of a course in the order of the week; None if they cannot be read."""
    if not isinstance(times, list) or len(times) > MAX_MEETINGS:
        return None
    meetings = []
    for each in times:
        if not isinstance(each, dict) or each.get("day") not in DAYS:
            return None
        begin, end = (
            form.fullmatch(time) if isinstance(time, str) else None
            for form, time in ((TIME, each.get("from")), (END, each.get("to"))))
        if begin is None or end is None:
            return None
        to = end["midnight"] or end[1]
        if begin[1] >= to:
            return None
        meetings.append({"day": each["day"], "from": begin[1], "to": to})
    meetings.sort(key=lambda meeting: (DAYS.index(meeting["day"]), meeting["from"]))
    overlap = any(
        one["day"] == next["day"] and next["from"] < one["to"] for one, next in zip(meetings, meetings[1:]))
    return None if overlap else meetings


def is_id(value):
    return isinstance(value, str) and ID.fullmatch(value) is not None


def decoded(event):
    """The content of an event of the course office; None if its data cannot be read, which views skip."""
    try:
        data = json.loads(event["data"])
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    kind = event["type"]
    if not all(isinstance(data.get(each), str) for each in TEXTS.get(kind, ())):
        return None
    if kind in ("CourseDefined", "CourseCapacityChanged") and not isinstance(data.get("capacity"), int):
        return None
    if kind == "StudentTierChanged" and data.get("tier") not in TIERS:
        return None
    if kind in ("CourseDefined", "CoursePrerequisitesChanged"):
        required = data.get("prerequisites")
        none = required is None and kind == "CourseDefined"
        if not none and not (
            isinstance(required, list) and all(map(is_id, required)) and len(set(required)) <= MAX_PREREQUISITES
        ):
            return None
    if kind in ("CourseDefined", "CourseTimesChanged"):
        none = data.get("times") is None and kind == "CourseDefined"
        if not none and weekly(data.get("times")) is None:
            return None
    # Its tags name the course and student of its data, and no others.
    for prefix, field, about in (
        ("course:", "courseId", kind not in STUDENTS),
        ("student:", "studentId", kind not in COURSES),
    ):
        tagged = [tag[len(prefix):] for tag in event["tags"] if tag.startswith(prefix)]
        if tagged != ([data.get(field)] if about else []) or about and not is_id(data.get(field)):
            return None
    return data


def recorded(event):
    """The correlation id, the id and the type of the command that appended an event; None if its metadata lacks them."""
    try:
        metadata = json.loads(event["metadata"])
    except (ValueError, RecursionError):
        return None
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        return None
    correlation, command, kind = (metadata.get(each) for each in ("correlationId", "commandId", "commandType"))
    # The view can contain others, but they cannot be looked up over HTTP.
    if not CORRELATION_ID.fullmatch(correlation or "") or not COMMAND_ID.fullmatch(command or "") or kind is None:
        return None
    return None if len(kind) > 255 or re.search("[\0\ud800-\udfff]", kind) else (correlation, command, kind)


class Folded:
    """The expected content of the views, derived from the log."""

    def __init__(self, events):
        self.courses, self.students, self.enrollments, self.waiting = {}, {}, {}, {}
        self.commands, self.overrides = {}, {}
        self.skipped = Counter()
        self.handled = Counter()
        for event in events:
            views = [view for view, types in HANDLED.items() if event["type"] in types]
            if views and recorded(event):
                correlation, command, kind = recorded(event)
                known = self.commands.setdefault(correlation, {}).setdefault(
                    command, {"type": kind, "events": 0, "firstPosition": event["position"]})
                known |= {"events": known["events"] + 1, "lastPosition": event["position"]}
            data = decoded(event) if views else None
            for view in views:
                # The view of commands reads metadata only.
                (self.handled if data or view == "commands" else self.skipped)[view] += 1
            if data:
                self.apply(event["type"], data, event["recordedAt"])
        self.enrolled = Counter(course for course, _ in self.enrollments)
        self.waits = Counter(course for course, _ in self.waiting)

    def apply(self, kind, data, at):
        if kind == "StudentRegistered":
            student = self.students.setdefault(data["studentId"], {"id": data["studentId"]})
            student |= {"name": data["name"], "email": data["email"]}
        elif kind in STUDENTS:
            if data["studentId"] in self.students:
                field = {"StudentNameChanged": "name", "StudentEmailChanged": "email"}.get(kind, "tier")
                self.students[data["studentId"]][field] = data[field]
        elif kind == "CourseDefined":
            course = self.courses.setdefault(
                data["courseId"], {"id": data["courseId"], "closed": False})
            course |= {
                "title": data["title"], "capacity": data["capacity"],
                "opensAt": moment(data.get("opensAt")), "closesAt": moment(data.get("closesAt")),
                "prerequisites": sorted(set(data.get("prerequisites") or [])),
                "times": weekly(data.get("times") or [])}
        else:
            self.happened(kind, data, at)

    def happened(self, kind, data, at):
        # Other clients of the store may append events of a course that was never defined.
        course = self.courses.get(data["courseId"], {})
        if kind == "CourseTitleChanged":
            course["title"] = data["title"]
        elif kind == "EnrollmentWindowChanged":
            course |= {"opensAt": moment(data.get("opensAt")), "closesAt": moment(data.get("closesAt"))}
        elif kind == "CourseCapacityChanged":
            course["capacity"] = data["capacity"]
        elif kind == "CoursePrerequisitesChanged":
            course["prerequisites"] = sorted(set(data["prerequisites"]))
        elif kind == "CourseTimesChanged":
            course["times"] = weekly(data["times"])
        elif kind == "CourseClosed":
            course["closed"] = True
        else:
            # They may also append events that change nothing: an enrolled student is enrolled, or another one drops.
            pairs = self.enrollments if kind in ENROLLMENTS else self.waiting
            pair = data["courseId"], data["studentId"]
            if kind == "StudentEnrolledByOverride" and pair not in pairs:
                self.overrides[pair] = data["reason"].replace("\0", "\ufffd")
            if kind == "StudentDroppedCourse":
                self.overrides.pop(pair, None)
            if kind in ("StudentEnrolledInCourse", "StudentEnrolledByOverride", "StudentJoinedWaitingList"):
                pairs.setdefault(pair, moment(at))
            else:
                pairs.pop(pair, None)

    def course(self, course_id):
        course = self.courses[course_id]
        enrolled = self.enrolled[course_id]
        available = max(0, course["capacity"] - enrolled)
        return course | {
            "enrolled": enrolled, "waiting": self.waits[course_id], "available": available, "full": available == 0}

    def seats(self):
        courses = [self.course(each) for each in self.courses]
        return {
            "courses": len(courses),
            "full": sum(course["available"] == 0 for course in courses),
            "closed": sum(course["closed"] for course in courses),
            "capacity": sum(course["capacity"] for course in courses),
            "enrolled": sum(course["enrolled"] for course in courses),
            "available": sum(course["available"] for course in courses if not course["closed"]),
            "waiting": sum(course["waiting"] for course in courses),
        }


def compare(what, expected, found):
    if expected != found:
        raise SystemExit(f"{what} differ from the log\n  log:  {expected}\n  view: {found}")


def compare_pairs(what, service, pairs, owner, path, field, since):
    """Compares the list of each course or student with the log, in its order."""
    expected = {}
    for pair, at in pairs.items():
        expected.setdefault(pair[owner], []).append((*pair, at))
    for each in service.owners[owner]:
        found = [
            (entry["courseId"], entry["studentId"], moment(entry[since]))
            for entry in service.pages(path.format(each), field)
        ]
        compare(f"{what} of {each}", expected.get(each, []), found)


def check(service, events):
    """Compares each view with the log, through all lists that are served from it."""
    folded = Folded(events)
    courses = [
        course | {
            "opensAt": moment(course.get("opensAt")), "closesAt": moment(course.get("closesAt")),
            "prerequisites": course.get("prerequisites", []), "times": course.get("times", [])}
        for course in service.pages("/api/courses?limit=100", "courses")
    ]
    for sort in ("title", "seats", "popularity"):
        ids = [course["id"] for course in service.pages(f"/api/courses?limit=37&sort={sort}", "courses")]
        compare(f"Courses by {sort}", sorted(folded.courses), sorted(ids))
    compare("Courses", [folded.course(each) for each in sorted(folded.courses)], sorted(courses, key=by_id))
    students = service.pages("/api/students?limit=100", "students")
    compare("Students", [folded.students[each] for each in sorted(folded.students)], sorted(students, key=by_id))
    compare("Seats", folded.seats(), service.get("/api/seats"))
    service.owners = sorted(folded.courses), sorted(folded.students)
    for owner, enrolled, waiting in (
        (0, "/api/courses/{}/students?limit=100", "/api/courses/{}/waiting-list?limit=100"),
        (1, "/api/students/{}/courses?limit=100", "/api/students/{}/waiting-lists?limit=100"),
    ):
        compare_pairs("Enrollments", service, folded.enrollments, owner, enrolled, "enrollments", "enrolledAt")
        compare_pairs("Places", service, folded.waiting, owner, waiting, "waiting", "joinedAt")
    overrides = {
        (entry["courseId"], entry["studentId"]): entry["override"]["reason"]
        for each in service.owners[0]
        for entry in service.pages(f"/api/courses/{each}/students?limit=100", "enrollments")
        if "override" in entry
    }
    known = {pair: reason for pair, reason in folded.overrides.items() if pair[0] in folded.courses}
    compare("Overrides", known, overrides)
    for correlation, commands in folded.commands.items():
        path = "/api/commands?limit=37&correlationId=" + urllib.parse.quote(correlation, safe="")
        found = {
            each["id"]: {name: each[name] for name in ("type", "events", "firstPosition", "lastPosition")}
            for each in service.pages(path, "commands")
        }
        compare(f"Commands of {correlation}", commands, found)
    for projection in service.projections():
        name = projection["name"]
        # FaultsTest has a view of its own, and judges it.
        if projection["kind"] == "view" and name != "tally":
            if name not in HANDLED:
                raise SystemExit(f"The view {name} is not checked here")
            compare(f"Events that {name} skipped", folded.skipped[name], projection["skipped"])
            compare(f"Events that {name} handled", folded.handled[name], projection["events"])
    return folded


def by_id(entry):
    return entry["id"]


def main(url):
    service = Service(url)
    # The fuzzer has also used the endpoints of operators: this resumes the projections that it has paused.
    for projection in service.projections():
        if projection["state"] == "paused" or projection.get("rebuild", {}).get("state") == "paused":
            service.call(f"/api/admin/projections/{projection['name']}/resume", method="POST")
    service.settle()
    events = service.events()
    folded = check(service, events)
    service.call("/api/admin/projections/rebuild", method="POST")
    service.settle()
    check(service, events)
    print(
        f"Views equal the log, also rebuilt: {len(events)} events, {len(folded.courses)} courses, "
        f"{len(folded.students)} students, {len(folded.enrollments)} enrollments, {len(folded.waiting)} places in "
        f"waiting lists; unreadable and skipped: {dict(folded.skipped)}")


if __name__ == "__main__":
    main(sys.argv[1])
