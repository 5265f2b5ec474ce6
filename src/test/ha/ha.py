"""Loses the machine of the database, in several ways, under two services and eight callers, and judges what is left.

    python3 ha.py FOLDER BINARIES ETCD JAVA JAR KILLS

Each caller records what was acknowledged. With quorum synchronous replication each acknowledged request is in the log of
the new leader, exactly once, at its position, whatever happened to the old one. The control replicates asynchronously: a
loss is made certain, the same judge must find it, and whatever rests on a lost event must notice. So it must after a
restore to an earlier moment.
"""

import collections
import contextlib
import functools
import http.client
import itertools
import json
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid
from pathlib import Path

from cluster import Cluster, LEADER_LEASE, LIMIT, Node, await_

CALLERS = 8
COURSES = [f"course-{number}" for number in range(20)]
# A pause of each caller between two requests: the load need not be high, and the log has to stay small enough for views.py.
PAUSE = 0.02
# Requests that each service has to acknowledge after a fault; the load goes on until the next one.
ENOUGH = 100
SENT_AGAIN = ("429", "503", "504")
DATABASE = "registrar"
TICKS = {"items": [{"types": ["Tick"]}]}
FAULTS = (
    ("planned switchover", Node.switch_over, lambda node: None),
    ("leader frozen", Node.freeze, Node.thaw),
    ("leader cut off from etcd and standbys", Node.cut_off, Node.heal))
BEGUN = time.monotonic()
failures = []


def say(what):
    print(f"{time.monotonic() - BEGUN:4.0f} s  {what}", flush=True)


def expect(holds, what):
    if not holds:
        failures.append(what)
        say(f"FAILED: {what}")


class Service:
    """An instance of Registrar in a process of its own."""

    def __init__(self, name, folder, java, jar, cluster):
        self.name, self.log = name, folder / f"service-{name}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [java, "-Xmx512m", "-jar", jar, "--server.port=0", "--registrar.warm-up.enabled=false",
                 "--registrar.enrollment.courses-per-student=25", "--spring.datasource.url=" + cluster.jdbc_url(DATABASE),
                 f"--spring.datasource.username={DATABASE}", f"--registrar.enrollment.tag-secret={cluster.password}"],
                env={"SPRING_DATASOURCE_PASSWORD": cluster.password}, cwd=folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log)
        self.port = None

    def await_ready(self):
        self.port = int(await_(f"service {self.name} is ready (see {self.log})", self.printed_port, 0.5))

    def printed_port(self):
        if self.process.poll() is not None:
            raise SystemExit(f"Service {self.name} has ended, see {self.log}")
        found = re.search(r"^ *URL *http:.*:([0-9]+)$", self.log.read_text(errors="replace"), re.MULTILINE)
        return found and found[1]

    def call(self, method, path, body=None, **headers):
        """Status, headers and content of an answer; 503 on a busy machine is asked again."""
        def answered():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            with contextlib.closing(connection):
                answer = exchange(connection, method, path, body, headers)
            return answer if answer[0] != 503 else None

        return await_(f"{method} {path} is answered", answered)


def exchange(connection, method, path, body, headers):
    content = None if body is None else json.dumps(body)
    connection.request(method, path, content, {**headers, "Content-Type": "application/json"} if content else headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, json.loads(answer.read() or "{}")


class Stream(threading.Thread):
    """A client of server-sent events."""

    def __init__(self, service, last=None):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=LIMIT)
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
        self.connection.request("GET", "/dcb/events?query=" + urllib.parse.quote(json.dumps(TICKS)), headers=headers)
        self.answer = self.connection.getresponse()
        self.status, self.last, self.ended = self.answer.status, None, None
        self.start()

    def run(self):
        try:
            for line in self.answer:
                if line.startswith(b"id:"):
                    self.last = line[3:].strip().decode()
                elif line.startswith(b": ended:"):
                    self.ended = line[8:].strip().decode()
        except (OSError, http.client.HTTPException) as broken:
            self.ended = self.ended or repr(broken)

    def position(self):
        return int(self.last.split(".")[0]) if self.last else 0


class Caller(threading.Thread):
    """Sends one request after the other to one service, each under its key until it is answered."""

    def __init__(self, number, service):
        super().__init__(daemon=True)
        self.number, self.service = number, service
        self.tag = f"caller:{uuid.uuid4()}"
        self.connection = None
        self.acknowledged = []
        self.answers = collections.Counter()
        self.stopping = False

    def run(self):
        position = 0
        while not self.stopping:
            if self.number % 2:
                position = self.tick(position)
            else:
                self.enroll()

    def tick(self, position):
        """Appends an event on the condition that nothing was appended since this caller's last event."""
        return self.settle(
            "POST", "/dcb/append",
            lambda request: {
                "events": {"type": "Tick", "tags": [self.tag], "data": {}, "metadata": {"correlationId": request}},
                "condition": {"failIfEventsMatch": {"items": [{"tags": [self.tag]}]}, "after": position}}) or position

    def enroll(self):
        """Registers a student, who enrolls in each course: each request stores one event."""
        student = str(uuid.uuid4())
        person = {"id": student, "name": student, "email": student + "@example.org"}
        if self.settle("POST", "/api/students", lambda _: person):
            for course in COURSES:
                self.settle("PUT", f"/api/courses/{course}/students/{student}")

    def settle(self, method, path, body=lambda _: None):
        """The position of the request's event; None if it was refused, or if the caller stops."""
        request = str(uuid.uuid4())
        while not self.stopping:
            time.sleep(PAUSE)
            try:
                self.connection = self.connection or http.client.HTTPConnection(
                    "127.0.0.1", self.service.port, timeout=60)
                status, headers, content = exchange(
                    self.connection, method, path, body(request),
                    {"Idempotency-Key": request, "X-Correlation-Id": request})
            except (OSError, http.client.HTTPException) as broken:
                self.answers[type(broken).__name__] += 1
                self.connection.close()
                self.connection = None
                continue
            if status in (200, 201) and not content.get("appendConditionFailed"):
                position = content.get("position") or int(headers["Registrar-Position"])
                self.acknowledged.append((time.monotonic(), request, position))
                return position
            code = content.get("code") or "condition-failed"
            self.answers[f"{status} {code}"] += 1
            if str(status) not in SENT_AGAIN:
                return None
        return None


class Load:
    def __init__(self, services):
        self.callers = [Caller(number, services[number // 4]) for number in range(CALLERS)]
        for caller in self.callers:
            caller.start()

    def acknowledged(self):
        return [each for caller in self.callers for each in list(caller.acknowledged)]

    def await_enough(self, moment):
        def enough():
            counted = collections.Counter(
                caller.service.name for caller in self.callers for at, _, _ in list(caller.acknowledged) if at > moment)
            return len(counted) == 2 and min(counted.values()) >= ENOUGH

        await_("both services have acknowledged enough", enough)

    def longest_pause(self, since):
        times = sorted(at for at, _, _ in self.acknowledged())
        return max((after - before, before) for before, after in itertools.pairwise(times) if after > since)

    def answers(self):
        """What callers got beside acknowledgements since the last call."""
        answers = collections.Counter()
        for caller in self.callers:
            answers += caller.answers
            caller.answers = collections.Counter()
        return dict(sorted(answers.items()))

    def stop(self):
        for caller in self.callers:
            caller.stopping = True
        for caller in self.callers:
            caller.join()


def judge(load, node):
    """Compares what was acknowledged with the log of a node: how many requests, which are lost, how many are twice."""
    acknowledged = load.acknowledged()
    log = collections.defaultdict(list)
    for position, request in node.sql(
            "select position, metadata::jsonb ->> 'correlationId' from registrar.events", DATABASE):
        log[request].append(position)
    lost = [each for each in acknowledged if each[2] not in log.get(each[1], [])]
    twice = sum(len(log[request]) > 1 for _, request, _ in acknowledged)
    return len(acknowledged), lost, twice


def equal_views(service):
    """A program of its own folds the log, compares each view with it, rebuilds the views and compares again."""
    views = Path(__file__).parents[1] / "fuzz" / "views.py"
    url = f"http://127.0.0.1:{service.port}"
    outcome = subprocess.run([sys.executable, views, url], capture_output=True, text=True)
    expect(outcome.returncode == 0, f"views of service {service.name}: {outcome.stdout}{outcome.stderr}")


def lose_leader(cluster, load, name, fault, repair):
    """Makes a fault of the leader, waits until another node leads and all services go on, and repairs it.

    Returns for how long writes stopped, and the part of it before another node led.
    """
    old = cluster.leader()
    begun = time.monotonic()
    fault(old)
    leader = cluster.leader(cluster.others(old))
    elected = time.monotonic()
    load.await_enough(elected)
    pause, paused = load.longest_pause(begun - 1)
    repaired = time.monotonic()
    repair(old)
    cluster.settle("quorum")
    report(load, name, leader, f"writes stopped for {pause:.1f} s, of which no node led for {elected - paused:.1f} s; "
           f"all nodes were in step {time.monotonic() - repaired:.1f} s after the repair")
    return pause, elected - paused


def lose_standby(cluster, load):
    leader = cluster.leader()
    standby = cluster.others(leader)[0]
    begun = time.monotonic()
    standby.kill()
    load.await_enough(time.monotonic())
    pause, _ = load.longest_pause(begun - 1)
    standby.start()
    cluster.settle("quorum")
    report(load, "standby killed", leader, f"the longest pause of writes was {pause:.2f} s")


def report(load, name, leader, what):
    acknowledged, lost, twice = judge(load, leader)
    answers = load.answers()
    refusals = [each for each in answers if each[0].isdigit() and not each.startswith(SENT_AGAIN)]
    say(f"{name}: {acknowledged} acknowledged until now, {len(lost)} lost, {twice} twice; {what}; other answers: "
        f"{answers}")
    expect(not lost, f"{name}: lost {lost[:5]}")
    expect(not twice, f"{name}: {twice} requests are in the log twice")
    expect(not refusals, f"{name}: refused {refusals}")


class Memory:
    """What a service, its followers and its clients remember of events that will be lost."""

    def __init__(self, service, label):
        self.service, self.course = service, f"{label}-{service.name}"
        for student in ("ann", "bob"):
            service.call("POST", "/api/students", {"id": student, "name": student, "email": student + "@example.org"})
        service.call("POST", "/api/courses", {"id": self.course, "title": self.course, "capacity": 1})

    def fill(self):
        """The course becomes full: the service's cache knows it, so does the view, and a stream goes on beyond it."""
        status, headers, _ = self.enroll("ann")
        self.lost = int(headers["Registrar-Position"])
        shown = self.service.call("GET", f"/api/courses/{self.course}", **{"Registrar-After": str(self.lost)})[2]
        answers = (status, self.enroll("bob")[0], shown["enrolled"])
        expect(answers == (201, 409, 1), f"{self.course}: {answers}")
        self.stream = Stream(self.service)
        await_("the stream has an event that will be lost", lambda: self.stream.position() > self.lost)
        self.basis = self.service.call("GET", "/dcb/head")[1]["Registrar-Basis"]
        self.last = self.stream.last

    def enroll(self, student):
        return self.service.call("PUT", f"/api/courses/{self.course}/students/{student}")

    def beyond(self):
        return max(int(each.split(".")[0]) for each in (self.basis, self.last))

    def expect_noticed(self, asked):
        """That nothing rests on a lost event any more; clients ask the given service."""
        answers = {
            "a read with a lost basis": asked.call(
                "POST", "/dcb/read", {"query": TICKS, "options": {"basis": self.basis, "limit": 1}}),
            "an append with a lost basis": asked.call(
                "POST", "/dcb/append", {"events": {"type": "Tock", "data": {}},
                                        "condition": {"failIfEventsMatch": TICKS, "basis": self.basis}})}
        for what, (status, _, content) in answers.items():
            expect((status, content.get("code")) == (409, "store-replaced"), f"{self.course}: {what}: {status} {content}")
        await_("the stream has ended", lambda: self.stream.ended)
        expect(self.stream.ended == "store replaced", f"{self.course}: the stream ended: {self.stream.ended}")
        expect(Stream(asked, self.last).status == 409, f"{self.course}: a stream continued behind a lost event")
        # The enrollment of ann is lost, so bob gets the seat: an old state in the cache would refuse him again.
        enrolled = self.enroll("bob")
        expect(enrolled[0] == 201, f"{self.course}: a decision rests on lost events: {enrolled}")


def await_replaced(load, memories, node):
    """Until all services have acknowledged appends, and positions of lost events are those of others."""
    load.await_enough(time.monotonic())
    beyond = max(each.beyond() for each in memories)
    await_("positions are used again",
           lambda: node.sql("select max(position) from registrar.events", DATABASE)[0][0] > beyond)


def control(cluster, services, load):
    """Asynchronous replication: what is acknowledged while no standby gets it is lost with the leader."""
    old = cluster.leader()
    old.ask("/config", "PATCH", {"synchronous_mode": False})
    cluster.settle("off")
    memories = [Memory(each, "control") for each in services]
    kept = old.sql("select pg_current_wal_flush_lsn()")[0][0]
    await_("the standbys have it", lambda: old.sql(
        "select count(*) from pg_stat_replication where flush_lsn >= %s", arguments=(kept,))[0][0] == 2)

    old.replication_link.cut()
    cut = time.monotonic()
    for each in memories:
        each.fill()
    load.await_enough(cut)
    begun = time.monotonic()
    old.kill()
    leader = cluster.leader(cluster.others(old))
    old.replication_link.heal()
    await_replaced(load, memories, leader)
    pause, _ = load.longest_pause(begun - 1)
    for each in memories:
        each.expect_noticed(each.service)
    replaced = await_("a follower reports that its history was replaced", lambda: [
        each.name for each in services if "was replaced" in each.log.read_text(errors="replace")])

    old.start()
    cluster.settle("off")
    load.stop()
    acknowledged, lost, twice = judge(load, leader)
    say(f"control, asynchronous: {acknowledged} acknowledged, {len(lost)} lost, {twice} twice; writes stopped for "
        f"{pause:.1f} s; followers of {' and '.join(replaced)} started again; other answers: {load.answers()}")
    expect(len(lost) >= ENOUGH, "control: the judge has not found the loss")
    before = {position for at, _, position in load.acknowledged() if at < begun}
    gone = {position for _, _, position in lost}
    expect(min(gone) > max(before - gone), "control: what is lost is not the end of the log")
    expect(not twice, f"control: {twice} requests are in the log twice")


def restore(cluster, services, start_service):
    """A base backup and the archived WAL bring back all events before a moment, and none after it.

    A service is started on them. Those that ran go on, which operators should not let them, but remember more.
    """
    cluster.back_up()
    load = Load(services)
    load.await_enough(time.monotonic())
    memories = [Memory(each, "restore") for each in services]
    for each in memories:
        each.fill()
    load.await_enough(time.monotonic())
    load.stop()
    leader = cluster.leader()
    moment, = leader.sql(
        "select recorded_at::text from registrar.events where position = %s", DATABASE, (memories[0].lost,))[0]
    count = "select count(*), max(position) from registrar.events"
    kept = leader.sql(count + " where recorded_at < %s", DATABASE, (moment,))
    begun = time.monotonic()
    leader = cluster.restore(moment)
    restored = time.monotonic() - begun
    found = leader.sql(count, DATABASE)
    expect(found == kept, f"restore: {found} instead of {kept} events and position")

    services.append(start_service("three"))
    services[-1].await_ready()
    load = Load(services[:2])
    await_replaced(load, memories, leader)
    for each in memories:
        each.expect_noticed(services[-1])
    load.stop()
    acknowledged, lost, twice = judge(load, leader)
    expect(not lost and not twice, f"restore: lost {lost[:5]}, {twice} requests are in the log twice")
    say(f"restored to {moment} in {restored:.1f} s: the {kept[0][0]} events before it, none after it; {acknowledged} "
        f"acknowledged afterwards, {len(lost)} lost, {twice} twice; other answers: {load.answers()}")


def kill_leaders(cluster, load, kills):
    stops = [lose_leader(cluster, load, f"leader killed ({number} of {kills})", Node.kill, Node.start)
             for number in range(1, kills + 1)]
    for what, times in (
            ("writes stopped", [stop for stop, _ in stops]),
            ("no node led", [leaderless for _, leaderless in stops]),
            ("a node led, and no write was acknowledged", [stop - leaderless for stop, leaderless in stops])):
        say(f"{what} for {min(times):.1f} to {max(times):.1f} s, median {statistics.median(times):.1f} s")


def main(folder, binaries, etcd, java, jar, kills):
    folder = Path(folder)
    cluster = Cluster(folder, binaries, etcd)
    services = []
    try:
        cluster.start()
        leader = cluster.leader()
        leader.sql(f"create role {DATABASE} login password '{cluster.password}'")
        leader.sql(f"create database {DATABASE} owner {DATABASE}")
        start_service = functools.partial(Service, folder=folder, java=java, jar=jar, cluster=cluster)
        services += [start_service(name) for name in ("one", "two")]
        for service in services:
            service.await_ready()
        for course in COURSES:
            services[0].call("POST", "/api/courses", {"id": course, "title": course, "capacity": 100000})
        load = Load(services)
        load.await_enough(BEGUN)
        say(f"Patroni's ttl is {LEADER_LEASE} s; {CALLERS} callers, 2 services, 3 nodes")
        kill_leaders(cluster, load, int(kills))
        for name, fault, repair in FAULTS:
            lose_leader(cluster, load, name, fault, repair)
        lose_standby(cluster, load)
        control(cluster, services, load)
        restore(cluster, services, start_service)
        # The views of all services are the same tables.
        equal_views(services[0])
        say("the views equal the log, also rebuilt")
    finally:
        for service in services:
            service.process.kill()
        cluster.close()
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main(*sys.argv[1:])
