"""A DCB client over HTTP with Python's standard library alone, and a program that tries a store with it.

    python3 dcb_client.py http://localhost:8080/dcb

The program appends events with tags of its own, checks every answer, and exits with 0 if the store keeps the contract.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid


class DcbClient:
    def __init__(self, base_uri):
        self.base_uri = base_uri.rstrip("/")

    def append(self, events, condition=None, headers=None):
        body = {"events": events}
        if condition is not None:
            body["condition"] = condition
        return self._post("/append", body, headers)

    def read(self, query, options=None):
        parameters = {"query": json.dumps(query)}
        if options is not None:
            parameters["options"] = json.dumps(options)
        return json.loads(self._send("GET", "/read?" + urllib.parse.urlencode(parameters)))

    def read_lines(self, query):
        parameters = urllib.parse.urlencode({"query": json.dumps(query)})
        lines = self._send("GET", "/read?" + parameters, headers={"Accept": "application/x-ndjson"})
        return [json.loads(line) for line in lines.splitlines()]

    def count(self, query):
        return self._post("/read", {"query": query, "count": True})

    def project(self, projectors, after=None, basis=None):
        return self._post("/project", {"projectors": projectors, "after": after, "basis": basis})

    def basis(self):
        """The basis of the current history, for the next request that rests on it."""
        with urllib.request.urlopen(self.base_uri + "/head", timeout=30) as response:
            return response.headers["Registrar-Basis"]

    def head(self):
        return json.loads(self._send("GET", "/head"))["head"]

    def event(self, position):
        return json.loads(self._send("GET", f"/events/{position}"))

    def _post(self, path, body, headers=None):
        return json.loads(self._send("POST", path, json.dumps(body).encode(), headers))

    def _send(self, method, path, body=None, headers=None):
        request = urllib.request.Request(self.base_uri + path, data=body, method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.read().decode()


def expect(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r} but was {actual!r}")


def try_store(store):
    seat = f"seat:{uuid.uuid4()}"
    query = {"items": [{"types": ["SeatTaken"], "tags": [seat]}]}

    first = store.append(
        {"type": "SeatTaken", "tags": [seat], "data": json.dumps({"by": "ann"})}, {"failIfEventsMatch": query}
    )
    expect(first["appendConditionFailed"], False)
    expect(first["positions"], [first["position"]] * 2)
    expect(first["durationInMicroseconds"] >= 0, True)

    second = store.append(
        [{"type": "SeatTaken", "tags": [seat], "data": json.dumps({"by": "ben"})}], {"failIfEventsMatch": query}
    )
    expect(second["appendConditionFailed"], True)
    expect(second["conflict"]["position"], first["position"])
    expect(second["conflict"]["type"], "SeatTaken")

    known = store.append(
        [
            {"type": "SeatTaken", "tags": [seat], "data": {"by": "cleo", "price": 1.50}},
            {"type": "SeatFreed", "tags": [seat], "data": "{}", "metadata": {"desk": 2}},
        ],
        {"failIfEventsMatch": query, "after": first["position"]},
    )
    expect(known["appendConditionFailed"], False)

    everything = {"items": [{"tags": [seat]}]}
    events = store.read(everything, {"from": 0})
    expect([event["type"] for event in events], ["SeatTaken", "SeatTaken", "SeatFreed"])
    expect([json.loads(event["data"]) for event in events], [{"by": "ann"}, {"by": "cleo", "price": 1.5}, {}])
    expect(events[0]["tags"], [seat])
    expect(json.loads(events[2]["metadata"]), {"desk": 2})
    expect(store.read_lines(everything), events)
    expect(store.read(everything, {"after": first["position"], "limit": 1}), events[1:2])
    expect(store.read(everything, {"backwards": True, "limit": 2}), events[:0:-1])
    expect(store.event(first["position"]), events[0])
    expect(store.head() >= known["position"], True)
    expect(store.count(everything)["numberOfMatchingEvents"], 3)

    projected = store.project(
        [
            {"id": "taken", "kind": "count", "query": query},
            {"id": "buyer", "kind": "last", "field": "/by", "query": query},
            {"id": "income", "kind": "sum", "field": "/price", "query": query},
        ]
    )
    expect(projected["states"], {"taken": 2, "buyer": "cleo", "income": 1.5})
    decided = {"type": "SeatTaken", "tags": [seat], "data": "{}"}
    expect(store.append(decided, projected["appendCondition"])["appendConditionFailed"], False)
    expect(store.append(decided, projected["appendCondition"])["appendConditionFailed"], True)

    basis = store.basis()
    position, incarnation, event_id = basis.split(".")
    expect(store.read(everything, {"after": int(position), "basis": basis}), [])
    lost = f"{position}.{incarnation}.{uuid.uuid4()}"
    for replaced in (
        lambda: store.read(everything, {"basis": lost}),
        lambda: store.append(decided, {"failIfEventsMatch": query, "after": int(position), "basis": lost}),
    ):
        try:
            replaced()
            raise AssertionError("a basis that the store does not have was accepted")
        except urllib.error.HTTPError as refused:
            expect(refused.code, 409)
            expect(json.loads(refused.read())["code"], "store-replaced")

    key = {"Idempotency-Key": str(uuid.uuid4())}
    paid = {"type": "SeatPaid", "tags": [seat], "data": "1"}
    expect(store.append(paid, headers=key)["positions"], store.append(paid, headers=key)["positions"])
    expect(store.count({"items": [{"types": ["SeatPaid"], "tags": [seat]}]})["numberOfMatchingEvents"], 1)

    try:
        store.append({"type": "SeatTaken", "tags": [seat]})
        raise AssertionError("an event without data was accepted")
    except urllib.error.HTTPError as refused:
        expect(refused.code, 422)
        expect(json.loads(refused.read())["errors"][0]["pointer"], "/events/0/data")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try_store(DcbClient(sys.argv[1]))
    print("The store keeps the contract")
