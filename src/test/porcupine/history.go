package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"sort"
)

// history is the content of a file. The names in JSON are those of the fields, in lower case; other names are ignored.
type history struct {
	Name    string
	Planted *string // the fault that must be found; nil: none
	Start   int64   // the head before the round
	Log     []event // all events after the start
	Calls   []call

	unowned []int64 // the positions that no call has appended
}

type event struct {
	Position int64
	Type     string
	Tags     []string
}

// call is one call of a client: an append, or one of three kinds of reads.
type call struct {
	Client            int
	Invoked           int64
	Returned          *int64 // nil: an append that was never answered; it may take effect at any later time
	Append            *appendCall
	Read, Count, Head *answer
}

// appendCall is an append of one part, or a chain of parts, each of which builds on the parts before it.
type appendCall struct {
	Keyed bool    // whether it had an idempotency key, and may repeat another append
	Key   *string // the key, if it is known
	Parts []part
}

const (
	appended = "appended"
	refused  = "refused"
	untried  = "untried" // not evaluated, because of the result of an earlier part
	unknown  = "unknown" // not answered; it has positions if its events are in the log
)

type part struct {
	Conditions  []query
	Outcome     string
	First, Last *int64

	conflict int64 // the lowest position at which an event fails a condition, or never
	placed   bool  // whether its positions are in the log, and overlap no others
}

const never = math.MaxInt64

// query matches the events after a position that match one of its items, or all of them if it has no items.
type query struct {
	Items []item
	After int64
}

type item struct{ Types, Tags []string }

// answer is a question of a read and the answer to it: positions or their number, and the head of the store.
type answer struct {
	query
	Positions []int64
	Number    int
	Head      int64

	correct bool // whether the positions, or their number, are those of the log up to the head
}

// span is a part of a history from its start: calls, and the head at the end.
type span struct {
	calls []*call
	end   int64
}

func load(file string) (*history, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	h := &history{}
	if err := decoder.Decode(h); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("text after the end of the history")
	}
	if err := h.validate(); err != nil {
		return nil, err
	}
	h.prepare()
	return h, nil
}

// validate finds contradictions that no fault of a store could cause.
func (h *history) validate() error {
	if h.Name == "" || h.Start < 0 || len(h.Calls) == 0 {
		return errors.New("a history has a name, a start of at least 0, and calls")
	}
	for i, e := range h.Log {
		if expected := h.Start + 1 + int64(i); e.Position != expected {
			return fmt.Errorf("the log has position %d where %d is expected", e.Position, expected)
		}
	}
	for i := range h.Calls {
		if problem := h.Calls[i].contradiction(); problem != "" {
			return fmt.Errorf("call %d: %s", i, problem)
		}
	}
	return nil
}

func (c *call) contradiction() string {
	kinds := 0
	for _, present := range []bool{c.Append != nil, c.Read != nil, c.Count != nil, c.Head != nil} {
		if present {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return fmt.Sprintf("it has %d of append, read, count and head, but must have one", kinds)
	case c.Returned != nil && *c.Returned < c.Invoked:
		return fmt.Sprintf("it returned at %d, before it was invoked at %d", *c.Returned, c.Invoked)
	case c.Append == nil && c.Returned == nil:
		return "a read must have returned"
	case c.Append == nil:
		return ""
	case len(c.Append.Parts) == 0:
		return "the append has no part"
	}
	for _, p := range c.Append.Parts {
		if !p.consistent(c.Returned != nil) {
			return fmt.Sprintf("the outcome %q does not fit to returned, first and last", p.Outcome)
		}
	}
	return ""
}

func (p *part) consistent(answered bool) bool {
	without := p.First == nil && p.Last == nil
	with := p.First != nil && p.Last != nil && *p.First <= *p.Last
	switch p.Outcome {
	case appended:
		return answered && with
	case refused, untried:
		return answered && without
	default:
		return p.Outcome == unknown && !answered && (with || without)
	}
}

// prepare computes what the log alone decides.
func (h *history) prepare() {
	var stored []*part
	for i := range h.Calls {
		c := &h.Calls[i]
		if a := c.answer(); a != nil {
			positions := h.matching(a.query, a.Head)
			a.correct = c.Head != nil ||
				c.Count != nil && a.Number == len(positions) ||
				c.Read != nil && reflect.DeepEqual(append([]int64{}, a.Positions...), positions)
			continue
		}
		for j := range c.Append.Parts {
			p := &c.Append.Parts[j]
			p.conflict = never
			for _, condition := range p.Conditions {
				for _, e := range h.between(condition.After, p.conflict-1) {
					if condition.matches(e) {
						p.conflict = e.Position
						break
					}
				}
			}
			if p.First != nil {
				stored = append(stored, p)
			}
		}
	}
	sort.Slice(stored, func(i, j int) bool {
		a, b := stored[i], stored[j]
		return *a.First < *b.First || *a.First == *b.First && *a.Last < *b.Last
	})
	first, last := h.Start+1, h.Start
	for _, p := range stored {
		if *p.First > last && *p.Last <= h.end() {
			h.addUnowned(last+1, *p.First-1)
			first, last = *p.First, *p.Last
		}
		// A repetition has exactly the positions of the first append.
		p.placed = *p.First == first && *p.Last == last
	}
	h.addUnowned(last+1, h.end())
	h.checkKeys()
}

// checkKeys misplaces what is stored under a key at other positions than before.
func (h *history) checkKeys() {
	spans := make(map[string]int64)
	for i := range h.Calls {
		a := h.Calls[i].Append
		if a == nil || a.Key == nil || a.Parts[0].First == nil {
			continue
		}
		if first, known := spans[*a.Key]; known && first != *a.Parts[0].First {
			a.Parts[0].placed = false
		}
		spans[*a.Key] = *a.Parts[0].First
	}
}

func (h *history) addUnowned(first, last int64) {
	for position := first; position <= last; position++ {
		h.unowned = append(h.unowned, position)
	}
}

func (h *history) end() int64 {
	return h.Start + int64(len(h.Log))
}

// answer returns the answer of a read, and nil for an append.
func (c *call) answer() *answer {
	for _, a := range []*answer{c.Read, c.Count, c.Head} {
		if a != nil {
			return a
		}
	}
	return nil
}

// matching returns the positions of the matching events up to a head.
func (h *history) matching(q query, head int64) []int64 {
	positions := []int64{}
	for _, e := range h.between(q.After, head) {
		if q.matches(e) {
			positions = append(positions, e.Position)
		}
	}
	return positions
}

// between returns the events after a position, up to a head.
func (h *history) between(after, head int64) []event {
	first := min(max(after, h.Start), h.end())
	last := min(max(head, first), h.end())
	return h.Log[first-h.Start : last-h.Start]
}

func (q query) matches(e event) bool {
	for _, i := range q.Items {
		if (len(i.Types) == 0 || containsAll(i.Types, e.Type)) && containsAll(e.Tags, i.Tags...) {
			return true
		}
	}
	return len(q.Items) == 0
}

func containsAll(texts []string, wanted ...string) bool {
	missing := len(wanted)
	for _, w := range wanted {
		for _, text := range texts {
			if text == w {
				missing--
				break
			}
		}
	}
	return missing == 0
}

func (h *history) whole() span {
	all := span{end: h.end()}
	for i := range h.Calls {
		all.calls = append(all.calls, &h.Calls[i])
	}
	return all
}

/*
firstHalf returns a shorter history that is linearizable if the whole history is.

It has the calls that had returned when the middle call was invoked. It ends at the highest position that these calls
report, or that a refusal among them needs. It also has every append, of whatever time, with a position up to the end;
if such an append goes beyond the end, the end is raised.

Take an order that explains the whole history, and leave out all other calls, and the unowned events after the end. At
each call that stays, the head is the same as before; if it was above the end, it is the end. Appends and reads have a
head up to the end, so it is the same. Refusals and repetitions need a position up to the end to be reached, which still
holds. All positions up to the end keep all their appends, so a repetition still has its first append. So the
order explains the shorter history, too.
*/
func (h *history) firstHalf() span {
	invoked := []int64{}
	for _, c := range h.Calls {
		invoked = append(invoked, c.Invoked)
	}
	sort.Slice(invoked, func(i, j int) bool { return invoked[i] < invoked[j] })
	cut := invoked[len(invoked)/2]
	end := h.Start
	for {
		half := span{end: end}
		for i := range h.Calls {
			c := &h.Calls[i]
			lowest, highest := c.reach(h.end())
			if lowest <= end || c.Returned != nil && *c.Returned <= cut {
				half.calls = append(half.calls, c)
				half.end = max(half.end, highest)
			}
		}
		if half.end == end {
			return half
		}
		end = half.end
	}
}

// reach returns the lowest position that a call has appended, or never, and the highest one that it needs, at most the
// given end of the log.
func (c *call) reach(end int64) (lowest, highest int64) {
	if a := c.answer(); a != nil {
		return never, min(a.Head, end)
	}
	lowest = never
	for _, p := range c.Append.Parts {
		switch {
		case p.First != nil:
			lowest = min(lowest, *p.First)
			highest = max(highest, min(*p.Last, end))
		case p.Outcome == refused && p.conflict != never:
			highest = max(highest, p.conflict)
		}
	}
	return lowest, highest
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func max(a, b int64) int64 {
	return -min(-a, -b)
}
