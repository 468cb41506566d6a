package loop_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/actors/internal/loop"
	"marvin/messages"
)

// step is one round of one call.
type step struct {
	name, args, result string
	failed             bool
	took               time.Duration
}

// play runs steps and returns when the guard warned and when it stopped, counted from 1.
func play(steps func(i int) step, n int) (warned []int, stopped int, verdict loop.Verdict) {
	var guard loop.Guard
	for i := range n {
		s := steps(i)
		status := messages.OK
		if s.failed {
			status = messages.ToolError
		}
		verdict = guard.Round(
			[]messages.ToolCall{{Name: s.name, Args: []byte(s.args)}},
			[]messages.ToolResult{{Name: s.name, Text: s.result, Status: status}}, s.took)
		if verdict.Warn != "" {
			warned = append(warned, i+1)
		}
		if verdict.Stop != "" {
			return warned, i + 1, verdict
		}
	}
	return warned, 0, verdict
}

// The guard stops endless equal calls, even if each is refused, and even in cycles.
func TestLoops(t *testing.T) {
	cycle := func(length int) func(int) step {
		return func(i int) step { return step{name: "grep", args: fmt.Sprintf(`{"q":%d}`, i%length), result: "none"} }
	}
	cases := []struct {
		name    string
		steps   func(int) step
		warned  string
		stopped int
	}{
		{"exactly the same", cycle(1), "[3 4 5]", 6},
		{"two in turn", cycle(2), "[6 8 10]", 12},
		{"four in turn", cycle(4), "[12 16 20]", 24},
		{"other spelling of the same arguments", func(i int) step {
			return step{name: "grep", args: []string{`{"a":1,"b":2}`, `{ "b":2, "a":1 }`}[i%2], result: "none"}
		}, "[3 4 5]", 6},
		{"blocked calls", func(int) step { return step{name: "rm", args: `{}`, result: "denied", failed: true} }, "[3 4 5]", 6},
		{"ever other errors", func(i int) step { return step{name: "x", args: fmt.Sprint(i), result: "bad", failed: true} }, "[5]", 10},
	}
	for _, c := range cases {
		warned, stopped, _ := play(c.steps, 100)
		if got := fmt.Sprint(warned); !strings.HasPrefix(got, strings.TrimSuffix(c.warned, "]")) || stopped != c.stopped {
			t.Errorf("%s: warned %v, stopped %d; want %s, %d", c.name, warned, stopped, c.warned, c.stopped)
		}
	}
}

// The guard does not stop real work.
func TestHonestRepetition(t *testing.T) {
	cases := map[string]func(int) step{
		"polling a build that moves on": func(i int) step { return step{name: "run", args: `{"c":"tail log"}`, result: fmt.Sprintf("%d%%", i)} },
		"many similar edits":            func(i int) step { return step{name: "patch", args: fmt.Sprintf(`{"n":%d}`, i), result: "ok"} },
		"test, edit, test, edit": func(i int) step {
			if i%2 == 0 {
				return step{name: "run", args: `{"c":"go test"}`, result: fmt.Sprintf("FAIL at %d", i)}
			}
			return step{name: "patch", args: fmt.Sprintf(`{"n":%d}`, i), result: "ok"}
		},
		"one failure in two": func(i int) step { return step{name: "x", args: fmt.Sprint(i), result: "r", failed: i%2 == 0} },
		"waiting ten times for the same": func(i int) step {
			if i >= 10 {
				return step{name: "run", args: fmt.Sprint(i), result: "up"}
			}
			return step{name: "run", args: `{"c":"sleep 5; status"}`, result: "not yet", took: 5 * time.Second}
		},
	}
	for name, steps := range cases {
		if warned, stopped, verdict := play(steps, 200); len(warned) > 0 || stopped > 0 {
			t.Errorf("%s: warned %v, stopped %d: %+v", name, warned, stopped, verdict)
		}
	}
}

// The same command with the same output counts as equal, whatever its duration.
func TestTheTimeOfACommandIsNoChange(t *testing.T) {
	var guard loop.Guard
	for n := range 6 {
		text := fmt.Sprintf("FAIL, took 1, x\n[exit code: 1, took %d.%ds]\n", n, n)
		verdict := guard.Round([]messages.ToolCall{{Name: "run_command", Args: []byte(`{}`)}}, []messages.ToolResult{{Text: text, Status: messages.OK}}, 0)
		if stops := verdict.Stop != ""; stops != (n == 5) {
			t.Errorf("round %d: %+v", n+1, verdict)
		}
	}
}
