package main

import (
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// The histories start at head 10. Each call is told with its client and its interval.
func TestHistories(t *testing.T) {
	a := item{Types: []string{"A"}}
	x := item{Tags: []string{"x"}}
	tests := []struct {
		name  string
		log   []event
		calls []call
		want  porcupine.CheckResult
	}{
		{"every call sees those before it", events("A x", "B y", "A x y"), []call{
			appends(0, 1, 4, stored(11, 11, query{[]item{a}, 10})),
			appends(1, 2, 6, refusal(query{[]item{x}, 10})),
			appends(1, 7, 9, stored(12, 13, query{[]item{x}, 11})),
			reads(2, 3, 8, 11, query{[]item{a, x}, 0}, 11),
			reads(2, 10, 11, 13, query{[]item{x}, 11}, 13),
			counts(3, 10, 12, 13, query{After: 10}, 3),
			heads(3, 13, 14, 13),
		}, porcupine.Ok},
		{"concurrent appends in any order", events("A", "A"), []call{
			appends(0, 1, 9, stored(12, 12)),
			appends(1, 1, 9, stored(11, 11)),
		}, porcupine.Ok},
		{"an append of unknown outcome that was stored, late", events("A", "B"), []call{
			appends(0, 1, -1, lost(12, 12)),
			appends(1, 5, 6, stored(11, 11)),
			heads(1, 7, 8, 11),
		}, porcupine.Ok},
		{"an append of unknown outcome that was not stored", events("A"), []call{
			appends(0, 1, -1, lost(0, 0, query{After: 10})),
			appends(1, 2, 3, stored(11, 11)),
		}, porcupine.Ok},
		{"an append of unknown outcome that its condition forbids", events("A", "B"), []call{
			appends(0, 4, -1, lost(12, 12, query{[]item{a}, 10})),
			appends(1, 2, 3, stored(11, 11)),
		}, porcupine.Illegal},
		{"events of background work", events("B", "A", "B"), []call{
			appends(0, 1, 2, stored(12, 12, query{[]item{a}, 0})),
			heads(0, 3, 4, 13),
		}, porcupine.Ok},
		{"a background event that a condition forbids", events("B", "A"), []call{
			appends(0, 1, 2, stored(12, 12, query{After: 10})),
		}, porcupine.Illegal},

		{"a chain's parts do not fail its later parts", events("A", "A"), []call{
			appends(0, 1, 2, stored(11, 11, query{[]item{a}, 10}), stored(12, 12, query{[]item{a}, 10})),
		}, porcupine.Ok},
		{"a chain with another's append inside", events("A", "B", "A"), []call{
			appends(0, 1, 5, stored(11, 11), stored(13, 13)),
			appends(1, 1, 5, stored(12, 12)),
		}, porcupine.Illegal},
		{"a chain refused in the middle", events("B", "A"), []call{
			appends(0, 1, 2, stored(11, 11)),
			appends(1, 3, 4, stored(12, 12), refusal(query{After: 10}), skipped()),
		}, porcupine.Ok},
		{"a chain refused because of its own event", events("A"), []call{
			appends(0, 1, 2, stored(11, 11), refusal(query{[]item{a}, 10})),
		}, porcupine.Illegal},
		{"a chain that goes on after a refusal", events("A", "B"), []call{
			appends(0, 1, 2, stored(11, 11)),
			appends(1, 3, 4, refusal(query{After: 10}), stored(12, 12)),
		}, porcupine.Illegal},
		{"a chain refused twice", events("A"), []call{
			appends(0, 1, 2, stored(11, 11)),
			appends(1, 3, 4, refusal(query{After: 10}), refusal(query{After: 10})),
		}, porcupine.Illegal},
		{"a chain that stops without a reason", events("A"), []call{
			appends(0, 1, 2, stored(11, 11), skipped()),
		}, porcupine.Illegal},
		{"a chain of unknown outcome, refused in the middle", events("B", "A"), []call{
			appends(0, 1, 2, stored(11, 11)),
			appends(1, 3, -1, lost(12, 12), lost(0, 0, query{After: 10})),
		}, porcupine.Ok},
		{"a chain of unknown outcome, not refused in the middle", events("B", "A", "A"), []call{
			appends(0, 1, 2, stored(11, 11)),
			keyed(appends(1, 3, -1, lost(12, 12), lost(13, 13, query{After: 10}))),
		}, porcupine.Illegal},

		{"concurrent appends under one key", events("A", "A"), []call{
			keyed(appends(0, 1, 5, stored(11, 12, query{[]item{a}, 10}))),
			keyed(appends(1, 2, 6, stored(11, 12, query{[]item{a}, 10}))),
		}, porcupine.Ok},
		{"a repetition after an unknown outcome", events("A", "B"), []call{
			keyed(appends(0, 1, -1, lost(11, 11, query{[]item{a}, 10}))),
			heads(1, 2, 3, 12),
			keyed(appends(0, 4, 5, stored(11, 11, query{[]item{a}, 10}))),
			appends(1, 1, 5, stored(12, 12)),
		}, porcupine.Ok},
		{"a repetition that did what an unknown outcome did not", events("B", "A"), []call{
			keyed(appends(0, 1, -1, lost(12, 12, query{[]item{a}, 10}))),
			appends(1, 2, 3, stored(11, 11)),
			heads(1, 4, 5, 11),
			keyed(appends(0, 6, 7, stored(12, 12, query{[]item{a}, 10}))),
		}, porcupine.Ok},
		{"a repetition ends a chain", events("A", "B"), []call{
			keyed(appends(0, 1, 2, stored(11, 11))),
			keyed(appends(1, 3, 4, stored(11, 11), skipped())),
			keyed(appends(1, 5, 6, stored(12, 12))),
		}, porcupine.Ok},
		{"a chain that goes on after a repetition", events("A", "B"), []call{
			keyed(appends(0, 1, 2, stored(11, 11))),
			keyed(appends(0, 3, 4, stored(12, 12))),
			keyed(appends(1, 5, 6, stored(11, 11), stored(12, 12))),
		}, porcupine.Illegal},
		{"a repetition before the first append", events("B", "A"), []call{
			keyed(appends(0, 1, 2, stored(12, 12))),
			appends(1, 3, 4, stored(11, 11)),
			keyed(appends(0, 5, 6, stored(12, 12))),
		}, porcupine.Illegal},
		{"a key whose append is stored twice", events("A", "A"), []call{
			under("key", appends(0, 1, 2, stored(11, 11))),
			under("key", appends(0, 3, 4, stored(12, 12))),
		}, porcupine.Illegal},
		{"a repetition with other positions", events("A", "A"), []call{
			keyed(appends(0, 1, 2, stored(11, 12))),
			keyed(appends(0, 3, 4, stored(12, 12))),
		}, porcupine.Illegal},

		{"lost update: two appends after the same head", events("A", "A"), []call{
			appends(0, 1, 5, stored(11, 11, query{[]item{a}, 10})),
			appends(1, 1, 5, stored(12, 12, query{[]item{a}, 10})),
		}, porcupine.Illegal},
		{"phantom: an append although an event has the tag", events("B x y", "A x"), []call{
			appends(0, 1, 2, stored(11, 11)),
			appends(1, 3, 4, stored(12, 12, query{[]item{{Types: []string{"A", "B"}, Tags: []string{"y", "x"}}}, 10})),
		}, porcupine.Illegal},
		{"duplicate: a second append under one key", events("A", "A"), []call{
			keyed(appends(0, 1, -1, lost(11, 11, query{[]item{a}, 10}))),
			keyed(appends(0, 3, 4, stored(12, 12, query{[]item{a}, 10}))),
		}, porcupine.Illegal},
		{"lost acknowledgement: the log ends before the event", events("A"), []call{
			appends(0, 1, 2, stored(11, 11)),
			appends(1, 3, 4, stored(12, 12)),
		}, porcupine.Illegal},
		{"lost acknowledgement: the log has another event there", events("A"), []call{
			appends(0, 1, 2, stored(11, 11)),
			appends(1, 3, 4, stored(11, 11)),
		}, porcupine.Illegal},
		{"lost event of unknown outcome: the log has another event there", events("A"), []call{
			appends(0, 1, -1, lost(11, 11)),
			appends(1, 3, 4, stored(11, 11)),
		}, porcupine.Illegal},
		{"late low position: a read with its head missed it", events("A", "A"), []call{
			appends(0, 1, 8, stored(11, 11)),
			appends(1, 2, 3, stored(12, 12)),
			reads(1, 4, 5, 12, query{[]item{a}, 10}, 12),
		}, porcupine.Illegal},
		{"late low position: a count with its head missed it", events("A", "A"), []call{
			appends(0, 1, 8, stored(11, 11)),
			appends(1, 2, 3, stored(12, 12)),
			counts(1, 4, 5, 12, query{[]item{a}, 10}, 1),
		}, porcupine.Illegal},
		{"a read that does not see an earlier append", events("A"), []call{
			appends(0, 1, 2, stored(11, 11)),
			reads(1, 3, 4, 10, query{[]item{a}, 0}),
		}, porcupine.Illegal},
		{"a read that returns an event that does not match", events("B"), []call{
			appends(0, 1, 2, stored(11, 11)),
			reads(1, 3, 4, 11, query{[]item{a}, 0}, 11),
		}, porcupine.Illegal},
		{"heads that go back", events("A"), []call{
			appends(0, 1, 9, stored(11, 11)),
			heads(1, 2, 3, 11),
			heads(1, 4, 5, 10),
		}, porcupine.Illegal},
		{"a refusal without a matching event", events("A"), []call{
			appends(0, 1, 2, stored(11, 11)),
			appends(1, 3, 4, refusal(query{[]item{x}, 10})),
		}, porcupine.Illegal},
		{"a refusal because of a later event", events("A"), []call{
			appends(0, 1, 2, refusal(query{[]item{a}, 10})),
			appends(1, 3, 4, stored(11, 11)),
		}, porcupine.Illegal},
	}
	for _, test := range tests {
		h := &history{Name: test.name, Start: 10, Log: test.log, Calls: test.calls}
		if got := verdict(t, h); got != test.want {
			t.Errorf("%s: %s, but expected %s", test.name, got, test.want)
		}
	}
}

func TestFirstHalf(t *testing.T) {
	first := func(from, to int64) call { return keyed(appends(0, from, to, stored(13, 13))) }
	tests := []struct {
		name  string
		log   []event
		calls []call
		kept  int
		end   int64
		want  porcupine.CheckResult
	}{
		{"later calls are left out", events("A", "A"), []call{
			appends(0, 1, 2, stored(11, 11)), heads(0, 5, 6, 11), appends(0, 7, 8, stored(12, 12)),
		}, 1, 11, porcupine.Ok},
		{"background events that a read has seen stay", events("A", "B", "B"), []call{
			appends(0, 1, 2, stored(11, 11)), heads(0, 3, 4, 12), heads(0, 5, 6, 13), heads(0, 7, 8, 13),
		}, 2, 12, porcupine.Ok},
		{"a background event that a refusal needs stays", events("A", "B"), []call{
			appends(0, 1, 2, refusal(query{[]item{{Types: []string{"B"}}}, 0})), heads(0, 5, 6, 12), heads(0, 7, 8, 12),
		}, 1, 12, porcupine.Ok},
		{"all appends up to the end stay", events("A", "A", "A", "A"), []call{
			first(1, 2), appends(1, 1, 9, stored(11, 12)), first(8, 9),
			heads(0, 5, 6, 13), heads(0, 7, 8, 14), appends(2, 5, 6, stored(14, 14)),
		}, 3, 13, porcupine.Ok},
		{"an append beyond the end raises it", events("A", "B", "A"), []call{
			appends(0, 1, 2, refusal(query{[]item{{Types: []string{"B"}}}, 0})), appends(1, 1, 9, stored(11, 13)),
			heads(0, 5, 6, 13), heads(0, 7, 8, 13),
		}, 2, 13, porcupine.Ok},
		{"a lost acknowledgement stays", events("A"), []call{
			appends(0, 1, 2, stored(12, 12)), heads(0, 5, 6, 11), heads(0, 7, 8, 11),
		}, 1, 11, porcupine.Illegal},
	}
	for _, test := range tests {
		h := &history{Name: test.name, Start: 10, Log: test.log, Calls: test.calls}
		h.prepare()
		half := h.firstHalf()
		if len(half.calls) != test.kept || half.end != test.end {
			t.Errorf("%s: %d calls up to %d", test.name, len(half.calls), half.end)
		}
		if got := judgePart(h, half, "", io.Discard, porcupine.CheckOperationsTimeout, time.Minute); got != test.want {
			t.Errorf("%s: %s, but expected %s", test.name, got, test.want)
		}
	}
}

func TestSimulatedStore(t *testing.T) {
	for seed := int64(1); seed <= 20; seed++ {
		for _, size := range []int{20, 200, 2000} {
			h := simulate(seed, size, false)
			if got := verdict(t, h); got != porcupine.Ok {
				t.Errorf("seed %d, %d calls: %s", seed, size, got)
			}
			half := h.firstHalf()
			if got := judgePart(h, half, "", io.Discard, porcupine.CheckOperationsTimeout, time.Minute); got != porcupine.Ok {
				t.Errorf("seed %d, first %d of %d calls: %s", seed, len(half.calls), size, got)
			}
		}
		if got := verdict(t, simulate(seed, 2000, true)); got != porcupine.Illegal {
			t.Errorf("seed %d, with a lost update: %s", seed, got)
		}
	}
}

const legalFile = `{"name": "round-1", "planted": null, "start": 10,
	"log": [{"position": 11, "type": "A", "tags": ["x"]}],
	"calls": [
		{"client": 0, "invoked": 1, "returned": 2, "append": {"keyed": false, "parts": [
			{"conditions": [{"items": [{"types": ["A"], "tags": ["x"]}], "after": 10}],
				"outcome": "appended", "first": 11, "last": 11}]}},
		{"client": 1, "invoked": 1, "returned": null, "append": {"keyed": true, "parts": [
			{"conditions": [], "outcome": "unknown"}]}},
		{"client": 0, "invoked": 3, "returned": 4,
			"read": {"items": [{"types": [], "tags": ["x"]}], "after": 0, "positions": [11], "head": 11}},
		{"client": 0, "invoked": 5, "returned": 6, "count": {"items": [], "after": 11, "number": 0, "head": 11}},
		{"client": 0, "invoked": 7, "returned": 8, "head": {"head": 11}}]}`

var illegalFile = strings.Replace(legalFile, `"positions": [11]`, `"positions": []`, 1)

func TestExpectedResultsPass(t *testing.T) {
	planted := strings.Replace(illegalFile, "null", `"a read that misses an event"`, 1)
	status, out, problems := runOn(t, porcupine.CheckOperationsTimeout, legalFile, planted)
	if status != 0 || problems != "" {
		t.Errorf("status %d, %s", status, problems)
	}
	expectLines(t, out, "round-1: 5 operations of 2 clients: Ok in T s",
		"round-1: 5 operations of 2 clients: Illegal in T s, planted: a read that misses an event", "2 passed, 0 failed")
}

func TestOtherResultsFail(t *testing.T) {
	planted := strings.Replace(legalFile, "null", `"nothing"`, 1)
	status, out, _ := runOn(t, porcupine.CheckOperationsTimeout, illegalFile, planted, legalFile)
	if status != 1 {
		t.Errorf("status %d", status)
	}
	expectLines(t, out, "", "", "", "0.json is Illegal, expected Ok", "1.json is Ok, expected Illegal", "1 passed, 2 failed")
}

func TestFirstHalfIsJudgedAfterUnknown(t *testing.T) {
	for _, second := range []porcupine.CheckResult{porcupine.Ok, porcupine.Unknown} {
		results := []porcupine.CheckResult{porcupine.Unknown, second}
		check := func(_ porcupine.Model, _ []porcupine.Operation, limit time.Duration) porcupine.CheckResult {
			if limit != 5*time.Second {
				t.Errorf("limit %s", limit)
			}
			result := results[0]
			results = results[1:]
			return result
		}
		status, out, _ := runOn(t, check, "-timeout=5s", legalFile)
		lines := []string{"round-1: 5 operations of 2 clients: Unknown in T s",
			fmt.Sprintf("round-1, first half: 1 operations of 1 clients: %s in T s", second)}
		if second == porcupine.Ok {
			expectLines(t, out, append(lines, "1 passed, 0 failed")...)
		} else {
			expectLines(t, out, append(lines, "0.json is Unknown, expected Ok", "0 passed, 1 failed")...)
		}
		if (status == 0) != (second == porcupine.Ok) {
			t.Errorf("%s: status %d", second, status)
		}
	}
}

func TestInvalidFiles(t *testing.T) {
	tests := []struct{ old, new, want string }{
		{`"round-1"`, `""`, "a history has a name"},
		{`"start": 10`, `"start": "10"`, "cannot unmarshal"},
		{`"start": 10`, `"start": 9`, "the log has position 11 where 10 is expected"},
		{`"position": 11`, `"position": 12`, "the log has position 12 where 11 is expected"},
		{`, "head": {"head": 11}`, ``, "call 4: it has 0 of append, read, count and head"},
		{`, "head": {"head": 11}`, `, "head": {"head": 11}, "count": {}`, "call 4: it has 2 of"},
		{`"returned": 8`, `"returned": 6`, "call 4: it returned at 6, before it was invoked at 7"},
		{`, "returned": 8`, ``, "call 4: a read must have returned"},
		{`{"conditions": [], "outcome": "unknown"}`, ``, "call 1: the append has no part"},
		{`"unknown"`, `"lost"`, `call 1: the outcome "lost"`},
		{`"unknown"`, `"refused"`, `call 1: the outcome "refused"`},
		{`"unknown"`, `"unknown", "first": 11`, `call 1: the outcome "unknown"`},
		{`"appended"`, `"unknown"`, `call 0: the outcome "unknown"`},
		{`"appended"`, `"untried"`, `call 0: the outcome "untried"`},
		{`"first": 11, `, ``, `call 0: the outcome "appended"`},
		{`"first": 11`, `"first": 12`, `call 0: the outcome "appended"`},
		{`11}}]}`, `11}}]} {}`, "text after the end"},
		{`11}}]}`, `11}}]`, "unexpected EOF"},
	}
	for _, test := range tests {
		broken := strings.Replace(legalFile, test.old, test.new, 1)
		status, out, problems := runOn(t, porcupine.CheckOperationsTimeout, broken, legalFile)
		if status != 2 || !strings.Contains(problems, "0.json: ") || !strings.Contains(problems, test.want) {
			t.Errorf("%s instead of %s: status %d, %s", test.new, test.old, status, problems)
		}
		expectLines(t, out, "", "1 passed, 1 failed")
	}
	if status, _, problems := runOn(t, porcupine.CheckOperationsTimeout, "-timeout=1s"); status != 2 {
		t.Errorf("without a file: status %d, %s", status, problems)
	}
	var out strings.Builder
	if status := run([]string{filepath.Join(t.TempDir(), "missing")}, io.Discard, &out, nil); status != 2 {
		t.Errorf("with a missing file: status %d, %s", status, out.String())
	}
}

// runOn writes the contents to 0.json, 1.json, … and judges these files. Contents that start with '-' are options. In
// the output, the files have no folder, and T stands for every time.
func runOn(t *testing.T, check checker, contents ...string) (status int, out, problems string) {
	t.Helper()
	folder := t.TempDir()
	var arguments []string
	for _, content := range contents {
		if strings.HasPrefix(content, "-") {
			arguments = append(arguments, content)
			continue
		}
		files, _ := os.ReadDir(folder)
		file := filepath.Join(folder, fmt.Sprintf("%d.json", len(files)))
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, file)
	}
	var outBuilder, problemsBuilder strings.Builder
	status = run(arguments, &outBuilder, &problemsBuilder, check)
	out = strings.ReplaceAll(outBuilder.String(), folder+string(filepath.Separator), "")
	out = regexp.MustCompile(` in [0-9.]+ s`).ReplaceAllString(out, " in T s")
	return status, out, problemsBuilder.String()
}

// expectLines compares the lines of a text; an empty one stands for any line.
func expectLines(t *testing.T, out string, want ...string) {
	t.Helper()
	got := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	equal := len(got) == len(want)
	for i := 0; equal && i < len(got); i++ {
		equal = want[i] == "" || got[i] == want[i]
	}
	if !equal {
		t.Errorf("got %q, but expected %q", got, want)
	}
}

func verdict(t *testing.T, h *history) porcupine.CheckResult {
	t.Helper()
	if err := h.validate(); err != nil {
		t.Fatal(err)
	}
	h.prepare()
	return judgePart(h, h.whole(), "", io.Discard, porcupine.CheckOperationsTimeout, time.Minute)
}

// events returns a log from position 11 on. Each text is a type and tags.
func events(texts ...string) []event {
	var log []event
	for i, text := range texts {
		words := strings.Fields(text)
		log = append(log, event{Position: 11 + int64(i), Type: words[0], Tags: words[1:]})
	}
	return log
}

func at(client int, invoked, returned int64) call {
	if returned < 0 {
		return call{Client: client, Invoked: invoked}
	}
	return call{Client: client, Invoked: invoked, Returned: &returned}
}

func appends(client int, invoked, returned int64, parts ...part) call {
	c := at(client, invoked, returned)
	c.Append = &appendCall{Parts: parts}
	return c
}

func under(key string, c call) call {
	c.Append.Key = &key
	return keyed(c)
}

func keyed(c call) call {
	c.Append.Keyed = true
	return c
}

func reads(client int, invoked, returned, head int64, q query, positions ...int64) call {
	c := at(client, invoked, returned)
	c.Read = &answer{query: q, Positions: positions, Head: head}
	return c
}

func counts(client int, invoked, returned, head int64, q query, number int) call {
	c := at(client, invoked, returned)
	c.Count = &answer{query: q, Number: number, Head: head}
	return c
}

func heads(client int, invoked, returned, head int64) call {
	c := at(client, invoked, returned)
	c.Head = &answer{Head: head}
	return c
}

func stored(first, last int64, conditions ...query) part {
	return part{Conditions: conditions, Outcome: appended, First: &first, Last: &last}
}

func refusal(conditions ...query) part {
	return part{Conditions: conditions, Outcome: refused}
}

func skipped() part {
	return part{Outcome: untried}
}

// lost is a part of unknown outcome; a first position of 0 says that it was not stored.
func lost(first, last int64, conditions ...query) part {
	if first == 0 {
		return part{Conditions: conditions, Outcome: unknown}
	}
	return part{Conditions: conditions, Outcome: unknown, First: &first, Last: &last}
}

// simulation is a correct store with eight clients, whose calls overlap. A step of the clock invokes the next call of
// one client, lets it take effect, or returns it.
type simulation struct {
	random  *rand.Rand
	history *history
	planted bool // whether one append is still to ignore its conditions
	size    int
	clients [8]simulatedClient
}

type simulatedClient struct {
	phase  int
	call   call
	known  int64 // the head at its last call
	repeat *call // an append to repeat under its key
}

func simulate(seed int64, size int, planted bool) *history {
	s := &simulation{random: rand.New(rand.NewSource(seed)), history: &history{Name: "simulated", Start: 1000}}
	s.planted, s.size = planted, size
	for now := int64(1); len(s.history.Calls) < size; now++ {
		id := s.random.Intn(len(s.clients))
		c := &s.clients[id]
		switch c.phase {
		case 0:
			c.call = call{Client: id, Invoked: now}
		case 1:
			s.takeEffect(c)
		default:
			s.answer(c, now)
		}
		c.phase = (c.phase + 1) % 3
	}
	// Events of calls without an answer so far are those of background work.
	return s.history
}

func (s *simulation) takeEffect(c *simulatedClient) {
	switch q := s.query(c.known); s.random.Intn(8) {
	case 0:
		c.call.Read = &answer{query: q, Head: s.history.end(), Positions: s.history.matching(q, s.history.end())}
	case 1:
		c.call.Count = &answer{query: q, Head: s.history.end(), Number: len(s.history.matching(q, s.history.end()))}
	case 2:
		c.call.Head = &answer{Head: s.history.end()}
	default:
		if c.repeat != nil {
			c.call.Append, c.repeat = c.repeat.Append, nil
			return
		}
		c.call.Append = s.append(c.known)
	}
	c.known = s.history.end()
}

func (s *simulation) append(known int64) *appendCall {
	a := &appendCall{Keyed: s.random.Intn(3) == 0}
	before, over := s.history.end(), false
	for parts := 1 + s.random.Intn(4)/3*2; parts > 0; parts-- {
		p := part{Outcome: untried}
		if s.random.Intn(4) > 0 {
			p.Conditions = []query{s.query(known)}
		}
		if !over {
			p = s.judged(p, before)
			over = p.Outcome == refused
		}
		a.Parts = append(a.Parts, p)
	}
	return a
}

func (s *simulation) judged(p part, before int64) part {
	for _, condition := range p.Conditions {
		if len(s.history.matching(condition, before)) > 0 {
			if !s.planted || len(s.history.Calls) < s.size*3/4 {
				return refusal(p.Conditions...)
			}
			s.planted = false
		}
	}
	first := s.history.end() + 1
	for count := 1 + s.random.Intn(3); count > 0; count-- {
		s.history.Log = append(s.history.Log, event{s.history.end() + 1, s.word("T"), []string{s.word("t"), s.word("u")}})
	}
	return stored(first, s.history.end(), p.Conditions...)
}

// answer ends a call. Some appends are never answered, and may have had no effect; their clients repeat those with a key.
func (s *simulation) answer(c *simulatedClient, now int64) {
	a := c.call.Append
	if a == nil || s.random.Intn(50) > 0 {
		c.call.Returned = &now
		if a != nil && a.Keyed && a.Parts[0].First != nil && len(a.Parts) == 1 && s.random.Intn(3) == 0 {
			again := c.call
			c.repeat = &again
		}
	} else {
		unanswered := &appendCall{Keyed: a.Keyed}
		for _, p := range a.Parts {
			p.Outcome = unknown
			unanswered.Parts = append(unanswered.Parts, p)
		}
		if a.Keyed && a.Parts[0].First != nil && len(a.Parts) == 1 {
			again := c.call
			c.repeat = &again
		}
		c.call.Append = unanswered
	}
	s.history.Calls = append(s.history.Calls, c.call)
}

func (s *simulation) query(after int64) query {
	i := item{Tags: []string{s.word("t")}}
	if s.random.Intn(2) == 0 {
		i.Types = []string{s.word("T"), s.word("T")}
	}
	return query{Items: []item{i}, After: after}
}

func (s *simulation) word(prefix string) string {
	return fmt.Sprintf("%s%d", prefix, s.random.Intn(5))
}
