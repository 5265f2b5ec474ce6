"""Three nodes of PostgreSQL under Patroni with one etcd, on this machine's loopback address.

Each node reaches etcd, and is reached by the other nodes, through TCP proxies: closed, they cut it off. Clients connect to
PostgreSQL directly, so they still reach a leader that is cut off, which is the hardest case.
"""

import contextlib
import json
import os
import queue
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import psycopg

# As for other starts of services: a machine that is busy with other work needs minutes.
LIMIT = 600
LEADER_LEASE = 20
# PostgreSQL refuses root. In a user namespace of its own, root is nobody and still owns its files.
NOT_ROOT = ["unshare", "--user"] if os.geteuid() == 0 else []


def await_(what, condition, pause=0.1):
    """Waits until the condition returns something true, and returns it."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        with contextlib.suppress(OSError, psycopg.Error):
            if found := condition():
                return found
        time.sleep(pause)
    raise SystemExit(f"After {LIMIT} s still waiting until {what}")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class Link:
    """A TCP proxy to a port of this machine. While it is cut it holds all bytes back, as a network that drops them does."""

    def __init__(self, target):
        self.target = target
        # In seconds, of each byte in each direction.
        self.delay = 0
        self.server = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.server.getsockname()[1]
        self.up = threading.Event()
        self.up.set()
        self.sockets = set()
        threading.Thread(target=self.accept, daemon=True).start()

    def cut(self):
        self.up.clear()

    def heal(self):
        """Ends the connections of before, with the bytes that were held back, and opens the way for new ones."""
        if not self.up.is_set():
            for each in list(self.sockets):
                shut(each)
            self.up.set()

    def accept(self):
        while True:
            client = self.server.accept()[0]
            self.up.wait()
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            self.sockets |= {client, server}
            for each in (client, server):
                # Else a small answer waits for the acknowledgement of the one before: 40 ms.
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=pair, daemon=True).start()

    def pump(self, source, sink):
        held = queue.SimpleQueue()
        threading.Thread(target=self.deliver, args=(held, source, sink), daemon=True).start()
        data = True
        while data:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            self.up.wait()
            held.put((time.monotonic() + self.delay, data))

    def deliver(self, held, source, sink):
        with contextlib.suppress(OSError):
            while True:
                due, data = held.get()
                time.sleep(max(0, due - time.monotonic()))
                if not data:
                    break
                sink.sendall(data)
        shut(source)
        shut(sink)
        self.sockets -= {source, sink}


def shut(connection):
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class Node:
    """Patroni and its PostgreSQL: what a machine of the database is."""

    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        self.folder = cluster.folder / name
        self.folder.mkdir()
        self.postgres, self.rest = free_port(), free_port()
        self.links = [Link(cluster.etcd_port), Link(self.rest), Link(self.postgres)]
        self.etcd_link, self.rest_link, self.replication_link = self.links
        (self.folder / "patroni.json").write_text(json.dumps(self.settings()))
        self.start()

    def settings(self):
        return {
            "scope": "registrar",
            "name": self.name,
            "restapi": {
                "listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest_link.port}"},
            # Without topology discovery, which would find the way around the proxy.
            "etcd3": {"hosts": [f"127.0.0.1:{self.etcd_link.port}"], "use_proxies": True},
            "bootstrap": {
                "dcs": {
                    "ttl": LEADER_LEASE, "loop_wait": 2, "retry_timeout": 5,
                    # The control loses what a standby lacks: this bound must not keep the standby from being promoted.
                    "maximum_lag_on_failover": 1 << 30,
                    "synchronous_mode": "quorum", "synchronous_mode_strict": True,
                    "postgresql": {"use_pg_rewind": True}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, {"wal-segsize": "1"}, "data-checksums"]},
            "postgresql": {
                "listen": f"127.0.0.1:{self.postgres}",
                "connect_address": f"127.0.0.1:{self.replication_link.port}",
                "data_dir": str(self.folder / "data"),
                "bin_dir": str(self.cluster.binaries),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": {
                    "superuser": {"username": "postgres", "password": self.cluster.password},
                    "replication": {"username": "standby", "password": self.cluster.password}},
                "pg_hba": [
                    "host all all 127.0.0.1/32 scram-sha-256", "host replication standby 127.0.0.1/32 scram-sha-256"],
                "parameters": {
                    "unix_socket_directories": "",
                    "archive_mode": "on", "archive_command": f"cp %p {self.cluster.archive}/%f"}}}

    def start(self):
        with open(self.folder / "patroni.log", "ab") as log:
            self.patroni = subprocess.Popen(
                [*NOT_ROOT, sys.executable, "-m", "patroni", str(self.folder / "patroni.json")],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, umask=0o077)

    def processes(self):
        """Patroni, the server with its backends, and what copies or rewinds its data."""
        found = set()
        for each in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if any(str(self.folder) + "/" in word for word in each.cmdline()):
                    found |= {each, *each.children(recursive=True)}
        return found

    def signal_all(self, number):
        """Until no process of the node has missed the signal."""
        reached = set()
        while missed := self.processes() - reached:
            for each in missed:
                with contextlib.suppress(psutil.Error):
                    each.send_signal(number)
            reached |= missed

    def freeze(self):
        self.signal_all(signal.SIGSTOP)

    def thaw(self):
        self.signal_all(signal.SIGCONT)

    def kill(self):
        """As a machine that loses its power: no process can do anything after another one has ended."""
        self.freeze()
        self.signal_all(signal.SIGKILL)
        self.patroni.wait()

    def switch_over(self):
        candidate = self.cluster.others(self)[0]
        self.ask("/switchover", "POST", {"leader": self.name, "candidate": candidate.name})

    def cut_off(self):
        for link in self.links:
            link.cut()

    def heal(self):
        for link in self.links:
            link.heal()

    def ask(self, path, method="GET", body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.rest}{path}", json.dumps(body).encode() if body else None, method=method)
        with urllib.request.urlopen(request, timeout=30 if body else 1) as answer:
            return answer.read().decode()

    def leads(self):
        """Whether the node holds the leader's lock and accepts writes."""
        try:
            return bool(self.ask("/primary"))
        except OSError:
            return False

    def connect(self, database):
        return psycopg.connect(
            host="127.0.0.1", port=self.postgres, dbname=database, user="postgres", password=self.cluster.password,
            autocommit=True, connect_timeout=5)

    def sql(self, statement, database="postgres", arguments=()):
        with self.connect(database) as connection:
            cursor = connection.execute(statement, arguments)
            return cursor.fetchall() if cursor.description else []


class Cluster:
    def __init__(self, folder, binaries, etcd):
        self.folder, self.binaries = Path(folder), Path(binaries)
        self.archive = self.folder / "archive"
        self.archive.mkdir()
        self.password = secrets.token_hex(16)
        self.etcd_port = free_port()
        self.nodes = []
        urls = [f"http://127.0.0.1:{port}" for port in (self.etcd_port, free_port())]
        with open(self.folder / "etcd.log", "wb") as log:
            self.etcd = subprocess.Popen(
                [etcd, "--data-dir", str(self.folder / "etcd"), "--listen-client-urls", urls[0],
                 "--advertise-client-urls", urls[0], "--listen-peer-urls", urls[1],
                 "--initial-advertise-peer-urls", urls[1], "--initial-cluster", f"default={urls[1]}"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start(self, names=("north", "east", "south")):
        for name in names:
            self.nodes.append(Node(self, name))
        self.settle("quorum")

    def close(self):
        for node in self.nodes:
            node.kill()
        self.etcd.kill()

    def back_up(self):
        leader = self.leader()
        self.run(self.binaries / "pg_basebackup", "--host=127.0.0.1", f"--port={leader.postgres}", "--username=standby",
                 "--checkpoint=fast", f"--pgdata={self.folder / 'backup'}")

    def restore(self, moment):
        """Brings the data before a moment back, by the backup and the archived WAL, as docs/operations.md says.

        Returns the former leader, which leads again.
        """
        leader = self.leader()
        last = leader.sql("select pg_walfile_name(pg_switch_wal())")[0][0]
        await_("the WAL is archived", (self.archive / last).exists)
        for node in self.nodes:
            node.kill()
            (node.folder / "data").rename(node.folder / "data-before-restore")
        data = leader.folder / "data"
        shutil.copytree(self.folder / "backup", data)
        settings = data / "postgresql.conf"
        settings.write_text(re.sub("^recovery_target.*\n", "", settings.read_text(), flags=re.MULTILINE))
        (data / "recovery.signal").touch()
        self.run(self.binaries / "pg_ctl", "start", f"--pgdata={data}",
                 f"--options=-c restore_command='cp {self.archive}/%f %p' -c recovery_target_time='{moment}' "
                 "-c recovery_target_action=promote")
        await_("the restored server accepts writes", lambda: leader.sql("select not pg_is_in_recovery()")[0][0])
        self.run(self.binaries / "pg_ctl", "stop", f"--pgdata={data}")
        self.run(Path(sys.executable).with_name("patronictl"), "--config-file", leader.folder / "patroni.json",
                 "remove", "registrar", answers=f"registrar\nYes I am aware\n{leader.name}\n")
        for node in (leader, *self.others(leader)):
            node.start()
            self.leader([leader])
        self.settle("off")
        return leader

    def run(self, *command, answers=""):
        with open(self.folder / "tools.log", "a") as log:
            subprocess.run([*NOT_ROOT, *command], check=True, text=True, input=answers, stdout=log, stderr=log,
                           env={**os.environ, "PGPASSWORD": self.password})

    def leader(self, among=None):
        return await_("a node leads", lambda: next((node for node in among or self.nodes if node.leads()), None))

    def others(self, node):
        return [each for each in self.nodes if each is not node]

    def settle(self, mode):
        """Waits until one node leads and the others stream from it: as candidates of the quorum, or asynchronously."""
        role = {"quorum": "quorum_standby", "off": "replica"}[mode]

        def settled():
            leader = next((node for node in self.nodes if node.leads()), None)
            members = json.loads(leader.ask("/cluster"))["members"] if leader else []
            followers = [each for each in members if each["role"] == role and each["state"] == "streaming"]
            names = leader.sql("show synchronous_standby_names")[0][0] if leader else ""
            return (len(members) == len(self.nodes) == len(followers) + 1
                    and len({each["timeline"] for each in members}) == 1 and bool(names) == (mode == "quorum"))

        await_(f"all nodes are {role} or lead", settled)

    def jdbc_url(self, database):
        hosts = ",".join(f"127.0.0.1:{node.postgres}" for node in self.nodes)
        return f"jdbc:postgresql://{hosts}/{database}?connectTimeout=2&socketTimeout=15&hostRecheckSeconds=1"
