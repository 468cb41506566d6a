package batch

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/idtable"
	"marvin/messages"
)

func TestAnswersThatAreOwed(t *testing.T) {
	known := ids{&idtable.Table{}}
	if first, there := known.addLine("a", 1); there || first != 0 {
		t.Errorf("a new id is that of line %d", first)
	}
	if first, there := known.addLine("a", 7); !there || first != 1 {
		t.Errorf("the id of line 1 is that of line %d", first)
	}
	known.addLine("local", 2)
	known.recordSent(Prompt{ID: "a", Line: 1, Asked: "f1"})
	for _, test := range []struct {
		id, asked string
		line      int
	}{
		{"nobody", "f1", 0},
		{"local", "", 0},
		{"local", "f1", 0},
		{"a", "f2", 0},
		{"a", "", 0},
		{"a", "f1", 1},
		{"a", "f1", 0}, // it came
	} {
		if line := known.settle(test.id, test.asked); line != test.line {
			t.Errorf("the answer to %q, %q is for line %d, not %d", test.id, test.asked, line, test.line)
		}
	}
	known.recordSent(Prompt{ID: "a", Line: 1, Asked: "f1"}) // asked again
	if line := known.settle("a", "f1"); line != 1 {
		t.Errorf("what was asked again is for line %d", line)
	}
}

// The summary contains each outcome, the sums of all models, the first failures, and the number of
// further failures.
func TestTheTableOfABatch(t *testing.T) {
	now := time.Unix(0, 0)
	counts := newTally(func() time.Time { return now })
	for i := range 3 {
		counts.begin()
		counts.spend(0.5)
		counts.end(Result{ID: fmt.Sprint(i), Outcome: messages.Completed, Begun: true, Usage: messages.Usage{Cost: 0.5, Turns: 1, ModelTurns: map[string]int{"m": 1}, ModelCost: map[string]float64{"m": 0.5}}})
	}
	if !counts.well() {
		t.Error("all have their answer, and that is not well")
	}
	for i := range failuresShown + 2 {
		counts.end(Result{Line: i + 1, Outcome: messages.Failed, Error: "why"})
	}
	counts.skip()
	counts.send()
	if counts.well() {
		t.Error("prompts without an answer are well")
	}
	now = now.Add(2 * time.Second)
	var out bytes.Buffer
	counts.table(&out)
	for _, want := range []string{
		"3        completed\n", "12       failed\n", "1        answered in an earlier run\n", "1        wait in the fleet\n",
		"m      3      $1.5000\n", "all    3      $1.5000\n", "line 1: failed: why\n", "line 10: failed: why\nand 2 more\n17 prompts in 2s\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if got := counts.line(34, -1, ""); got != "[============            ] 17/34, 0 running, 12 failed, $1.5000, 2s, about 2s left" {
		t.Errorf("the bar says %q", got)
	}
	if got := counts.line(0, 5, ", 2 workers"); got != "17 done, 5 running, 2 workers, 8.0/s, 12 failed, $1.5000, 2s" {
		t.Errorf("the bar of a fleet says %q", got)
	}
}
