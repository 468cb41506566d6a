package batch

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"marvin/messages"
)

type tally struct {
	now   func() time.Time
	begun time.Time

	mu       sync.Mutex
	running  int
	skipped  int
	sent     int // number of prompts sent to a fleet; 0 unless Batch.Detach is set
	outcomes map[messages.Outcome]int
	usage    messages.Usage // token usage of ended prompts
	spent    float64        // US dollars, including prompts that are still running
	failed   []Result       // the first failures
}

const failuresShown = 10

func newTally(now func() time.Time) *tally {
	return &tally{now: now, begun: now(), outcomes: map[messages.Outcome]int{}}
}

func (t *tally) change(do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do()
}

func (t *tally) begin() { t.change(func() { t.running++ }) }
func (t *tally) skip()  { t.change(func() { t.skipped++ }) }
func (t *tally) send()  { t.change(func() { t.sent++ }) }

func (t *tally) spend(cost float64) (spent float64) {
	t.change(func() { t.spent += cost; spent = t.spent })
	return spent
}

func (t *tally) end(r Result) {
	t.change(func() {
		if r.Begun {
			t.running--
		}
		t.outcomes[r.Outcome]++
		t.usage = t.usage.Plus(r.Usage)
		if r.Outcome != messages.Completed && len(t.failed) < failuresShown {
			r.Text = ""
			t.failed = append(t.failed, r)
		}
	})
}

func (t *tally) well() bool {
	for outcome, count := range t.outcomes {
		if outcome != messages.Completed && count > 0 {
			return false
		}
	}
	return true
}

func (t *tally) ended() int {
	count := t.skipped + t.sent
	for _, n := range t.outcomes {
		count += n
	}
	return count
}

func (t *tally) table(out io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "PROMPTS\tOUTCOME")
	for _, outcome := range []messages.Outcome{messages.Completed, messages.Incomplete, messages.Failed, messages.Cancelled} {
		if n := t.outcomes[outcome]; n > 0 || outcome == messages.Completed {
			fmt.Fprintf(table, "%d\t%s\n", n, outcome)
		}
	}
	if t.skipped > 0 {
		fmt.Fprintf(table, "%d\tanswered in an earlier run\n", t.skipped)
	}
	if t.sent > 0 {
		fmt.Fprintf(table, "%d\twait in the fleet\n", t.sent)
	}
	fmt.Fprintln(table, "\nMODEL\tTURNS\tCOST")
	for _, model := range slices.Sorted(maps.Keys(t.usage.ModelTurns)) {
		fmt.Fprintf(table, "%s\t%d\t$%.4f\n", model, t.usage.ModelTurns[model], t.usage.ModelCost[model])
	}
	fmt.Fprintf(table, "all\t%d\t$%.4f\n", t.usage.Turns, t.usage.Cost)
	_ = table.Flush() // an error while writing to standard error cannot be reported anywhere
	for _, r := range t.failed {
		id := ""
		if r.ID != "" {
			id = fmt.Sprintf(" (id %s)", r.ID)
		}
		fmt.Fprintf(out, "line %d%s: %s: %s\n", r.Line, id, r.Outcome, r.Error)
	}
	if n := t.outcomes[messages.Failed] + t.outcomes[messages.Incomplete] + t.outcomes[messages.Cancelled] - len(t.failed); n > 0 {
		fmt.Fprintf(out, "and %d more\n", n)
	}
	fmt.Fprintf(out, "%s in %s\n", messages.Counted(t.ended(), "prompt"), t.now().Sub(t.begun).Round(10*time.Millisecond))
}
