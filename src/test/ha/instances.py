"""How many conditional appends over HTTP one, two and four services make on one database, by the time that a commit takes.

    python3 instances.py FOLDER BINARIES ETCD JAVA JAR

A commit waits for this machine's disk, or also for a synchronous standby behind a proxy that delays what passes.
"""

import contextlib
import json
import multiprocessing
import selectors
import socket
import statistics
import sys
import time
import uuid
from pathlib import Path

import psutil

from cluster import Cluster, await_
from ha import DATABASE, Service

CALLERS = 100
ROUNDS = 3
SECONDS = 5
WARM_UP = 60


def appended(ports, seconds):
    """The events that callers append, each after its last answer, whose tag must have no event before."""
    def send(connection):
        tag = f"measured:{uuid.uuid4()}"
        body = json.dumps({
            "events": {"type": "Measured", "tags": [tag], "data": {}},
            "condition": {"failIfEventsMatch": {"items": [{"tags": [tag]}]}}})
        connection.sendall((f"POST /dcb/append HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n{body}").encode())

    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as selector:
        for number in range(CALLERS):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", ports[number % len(ports)])))
            selector.register(connection, selectors.EVENT_READ, bytearray())
            send(connection)
        count, until = 0, time.monotonic() + seconds
        while time.monotonic() < until:
            for key, _ in selector.select(0.1):
                key.data.extend(key.fileobj.recv(1 << 16))
                if key.data.endswith((b"}", b"}\r\n0\r\n\r\n")):
                    if not key.data.startswith(b"HTTP/1.1 200") or b'"appendConditionFailed":false' not in key.data:
                        raise SystemExit(f"Not appended: {key.data}")
                    count += 1
                    key.data.clear()
                    send(key.fileobj)
        return count


def commit_milliseconds(leader):
    times = []
    with leader.connect(DATABASE) as connection:
        for _ in range(100):
            begun = time.monotonic()
            connection.execute("insert into commits values (1)")
            times.append(time.monotonic() - begun)
    return statistics.median(times) * 1000


def main(folder, binaries, etcd, java, jar):
    cluster = Cluster(folder, binaries, etcd)
    services = []
    try:
        cluster.start(("north", "east"))
        leader = cluster.leader()
        leader.sql(f"create role {DATABASE} login password '{cluster.password}'")
        leader.sql(f"create database {DATABASE} owner {DATABASE}")
        leader.sql("create table commits (number int)", DATABASE)
        services += [Service(name, Path(folder), java, jar, cluster) for name in ("one", "two", "three", "four")]
        for service in services:
            service.await_ready()
        ports = [each.port for each in services]
        # A process of its own, since the proxy needs this one's interpreter.
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            pool.apply(appended, (ports, WARM_UP))
            for number in range(ROUNDS):
                for latency in (0, 2, 5):
                    leader.sql(f"alter system set synchronous_commit = {'on' if latency else 'local'}")
                    leader.sql("select pg_reload_conf()")
                    leader.replication_link.delay = latency / 2000
                    commit = commit_milliseconds(leader)
                    for instances in (1, 2, 4):
                        psutil.cpu_percent()
                        before = leader.sql("select max(position) from registrar.events", DATABASE)[0][0]
                        count = pool.apply(appended, (ports[:instances], SECONDS))
                        busy = psutil.cpu_percent()
                        groups = leader.sql(
                            "select count(distinct recorded_at) from registrar.events where position > %s", DATABASE,
                            (before,))[0][0]
                        print(f"round {number}: commit {commit:.2f} ms, {instances} instances: {count / SECONDS:.0f} "
                              f"appends/s in {groups / SECONDS:.0f} commits/s of {count / groups:.1f}; CPU {busy:.0f} %",
                              flush=True)
    finally:
        for service in services:
            service.process.kill()
        cluster.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
