// Command porcupine judges whether short histories of the event store are linearizable: whether one order of all calls
// explains every answer, with each call taking effect at one moment between its invocation and its answer.
//
//	go run . [-timeout 60s] FILE…
//
// A file holds the calls of one round, and the log that was read after they had ended. A history with a planted fault
// must be Illegal, every other one Ok. The exit status is 1 if a history was judged otherwise, 2 if a file is invalid.
//
// The state of the model is the head of the store, a single number: the log says which event is at each position, so
// the head says which events are stored. This makes states cheap to compare. What the log alone decides is computed
// before the search: the first event that fails a condition, and whether a read has returned exactly the matching
// events up to its head. A step of the search only compares positions.
//
// Events that no call has appended come from background work. Each is an append without a condition, at any time.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// checker judges operations by a model, like porcupine.CheckOperationsTimeout.
type checker func(porcupine.Model, []porcupine.Operation, time.Duration) porcupine.CheckResult

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, porcupine.CheckOperationsTimeout))
}

func run(arguments []string, out, problems io.Writer, check checker) int {
	flags := flag.NewFlagSet("porcupine", flag.ContinueOnError)
	flags.SetOutput(problems)
	timeout := flags.Duration("timeout", time.Minute, "the time limit of one check")
	if err := flags.Parse(arguments); err != nil {
		return 2
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(problems, "No file with a history is given")
		return 2
	}
	status, passed, unexpected := 0, 0, ""
	for _, file := range flags.Args() {
		h, err := load(file)
		if err != nil {
			fmt.Fprintf(problems, "%s: %v\n", file, err)
			status = 2
			continue
		}
		expected := porcupine.Ok
		if h.Planted != nil {
			expected = porcupine.Illegal
		}
		if result := judge(h, out, check, *timeout); result == expected {
			passed++
		} else {
			unexpected += fmt.Sprintf("%s is %s, expected %s\n", file, result, expected)
		}
	}
	if status == 0 && unexpected != "" {
		status = 1
	}
	fmt.Fprintf(out, "%s%d passed, %d failed\n", unexpected, passed, flags.NArg()-passed)
	return status
}

// judge prints the result. If the whole history takes too long, it prints a second line for the first half, whose
// result counts.
func judge(h *history, out io.Writer, check checker, timeout time.Duration) porcupine.CheckResult {
	result := judgePart(h, h.whole(), "", out, check, timeout)
	if result == porcupine.Unknown {
		result = judgePart(h, h.firstHalf(), ", first half", out, check, timeout)
	}
	return result
}

func judgePart(
	h *history, judged span, part string, out io.Writer, check checker, timeout time.Duration,
) porcupine.CheckResult {
	clients := make(map[int]bool)
	for _, c := range judged.calls {
		clients[c.Client] = true
	}
	planted := ""
	if h.Planted != nil {
		planted = ", planted: " + *h.Planted
	}
	started := time.Now()
	result := check(model(h.Start), operations(h, judged), timeout)
	fmt.Fprintf(out, "%s%s: %d operations of %d clients: %s in %.1f s%s\n",
		h.Name, part, len(judged.calls), len(clients), result, time.Since(started).Seconds(), planted)
	return result
}

// step is what an operation does to the head of the store, and whether its answer is correct at that head.
type step func(head int64) (next int64, legal bool)

// closed is the state after the log was read.
const closed = math.MaxInt64

func model(start int64) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return start },
		Step: func(state, input, _ interface{}) (bool, interface{}) {
			next, legal := input.(step)(state.(int64))
			return legal, next
		},
	}
}

// operations returns the calls, the appends of unowned events, and the read of the log after all answers. Porcupine uses
// the clients only to draw a history; operations without a client have negative ones.
func operations(h *history, judged span) []porcupine.Operation {
	log := func(head int64) (int64, bool) { return closed, head == judged.end }
	all := []porcupine.Operation{{ClientId: -1, Input: step(log), Call: math.MaxInt64, Return: math.MaxInt64}}
	for _, position := range h.unowned {
		if position <= judged.end {
			all = append(all, porcupine.Operation{
				ClientId: -1 - int(position), Input: appendAt(position), Call: math.MinInt64, Return: math.MaxInt64,
			})
		}
	}
	for _, c := range judged.calls {
		operation := porcupine.Operation{ClientId: c.Client, Call: c.Invoked, Return: math.MaxInt64}
		if c.Returned != nil {
			operation.Return = *c.Returned
		}
		if a := c.answer(); a != nil {
			operation.Input = readAt(a.Head, a.correct)
		} else {
			operation.Input = step(c.Append.step)
		}
		all = append(all, operation)
	}
	return all
}

func appendAt(position int64) step {
	return func(head int64) (int64, bool) { return position, head == position-1 }
}

func readAt(reported int64, correct bool) step {
	return func(head int64) (int64, bool) { return head, correct && head == reported }
}

// step takes all parts at once. The events of the call do not fail its own conditions, so the conditions only see the
// events up to the head before it.
func (a *appendCall) step(before int64) (next int64, legal bool) {
	head := before
	over := false // no later part has an effect, because a part was refused, or repeated an earlier append
	for _, p := range a.Parts {
		if !over && p.placed && head == *p.First-1 && p.conflict > before {
			head = *p.Last
			continue
		}
		switch p.Outcome {
		case appended:
			legal = !over && a.Keyed && p.placed && head >= *p.Last
		case refused:
			legal = !over && p.conflict <= before
		case untried:
			legal = over
		case unknown:
			// If the part is in the log nevertheless, another call with its key has appended it.
			legal = p.First == nil || a.Keyed
		}
		if !legal {
			return before, false
		}
		over = true
	}
	// An unanswered call without effect can take place at any time. Trying a single time, after the log was read, spares
	// the search the combinations of all others.
	withoutEffect := a.Parts[0].Outcome == unknown && head == before
	return head, !withoutEffect || before == closed
}
