package actors

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

func TestWhatAPolicyAllows(t *testing.T) {
	for _, row := range []struct {
		policy Policy
		told   messages.Approval // spelt out, and as events carry it
		events messages.Approval
		rounds int
	}{
		{Policy{}, messages.ApproveAuto, "", 10},
		{Policy{Person: true}, messages.ApproveEdits, messages.ApproveEdits, 10},
		{Policy{Coding: true, Approval: messages.ApproveAsk}, messages.ApproveAsk, messages.ApproveAsk, 50},
		{Policy{Person: true, Approval: messages.ApproveAuto, Limits: Limits{Rounds: 1}}, messages.ApproveAuto, messages.ApproveAuto, 1},
		{Policy{Coding: true, Limits: Limits{Rounds: 60}}, messages.ApproveAuto, "", 60},
	} {
		whole := row.policy.withDefaults()
		if whole.Approval != row.told || whole.told() != row.events || whole.maxRounds() != row.rounds {
			t.Errorf("%+v: %q, told %q, %d rounds", row.policy, whole.Approval, whole.told(), whole.maxRounds())
		}
	}
	mode := Policy{Coding: true, Person: true, ReadOnly: true, Agent: true, Only: []string{"a"}, Approval: messages.ApprovePlan}.mode()
	if !mode.Coding || !mode.Person || !mode.ReadOnly || !mode.Agent || !mode.Planning || len(mode.Only) != 1 || (Policy{}).mode().Planning {
		t.Errorf("%+v", mode)
	}
}

func TestTheLowerLimitHolds(t *testing.T) {
	for _, row := range []struct{ one, two, want Limits }{
		{Limits{}, Limits{}, Limits{}},
		{Limits{Cost: 1, Rounds: 2, Time: 3}, Limits{}, Limits{Cost: 1, Rounds: 2, Time: 3}},
		{Limits{Cost: 1, Rounds: 5, Time: 3}, Limits{Cost: 2, Rounds: 4, Time: 3}, Limits{Cost: 1, Rounds: 4, Time: 3}},
		{Limits{Rounds: 5}, Limits{Cost: 2, Time: 9}, Limits{Cost: 2, Rounds: 5, Time: 9}},
	} {
		if one, two := row.one.Within(row.two), row.two.Within(row.one); one != row.want || two != row.want {
			t.Errorf("%+v and %+v: %+v, %+v", row.one, row.two, one, two)
		}
	}
}

func TestWhatIsNotTunedIsAsItWas(t *testing.T) {
	want := Tuning{
		Silence: 3 * time.Minute, SilenceCoding: 15 * time.Minute, Quiet: 20 * time.Second, Prepare: 5 * time.Second, Disk: 5 * time.Second, News: 2 * time.Second, Problems: 3 * time.Second,
		ProblemsLate: time.Minute, LanguageIdle: 10 * time.Minute, CancelGrace: 3 * time.Second, StopGrace: 5 * time.Second, Shutdown: 5 * time.Second,
	}
	if got := (Tuning{}).withDefaults(); got != want {
		t.Errorf("%+v", got)
	}
	want.News, want.Silence = 1, 2
	got := Tuning{News: 1, Silence: 2, Quiet: -1}.withDefaults()
	if got != want || got.silence(Policy{}) != 2 || got.silence(Policy{Coding: true}) != 15*time.Minute {
		t.Errorf("%+v", got)
	}
}

// A person who looks at a sub-agent sees its task and what came last, within a bound, and nothing
// that steers a terminal.
func TestWhatASubAgentDidIsTold(t *testing.T) {
	var told account
	told.hear(messages.Text{}, "\n First")
	told.hear(messages.ToolStarted{Name: "tree", Title: "tree cmd"}, " words.")
	told.hear(messages.ToolStarted{Name: "look", Title: "around"}, "")
	told.hear(messages.ToolStarted{Name: "look"}, "")
	told.hear(messages.ToolEnded{Name: "tree", Status: messages.OK, Summary: "3 files"}, "")
	told.hear(messages.ToolEnded{Name: "tree", Status: messages.OK}, "")
	told.hear(messages.ToolEnded{Name: "run", Status: messages.OK, Exit: 2, Summary: "red \x1b[31m"}, "")
	told.hear(messages.ToolEnded{Name: "run", Status: messages.Denied}, "")
	told.hear(messages.ToolEnded{Name: "run", Status: messages.OK, Job: "cmd-1", Summary: "left out"}, "")
	told.hear(messages.Notice{Text: "careful"}, "")
	told.hear(nil, " \n")
	told.hear(messages.UsageChanged{}, "Last")
	const want = "> find\n> it\n\nFirst words.\n\n→ tree cmd\n\n→ look around\n\n→ look\n\n✓ tree · 3 files\n\n✓ tree\n\n✗ run · exit 2 · red ‹U+001B›[31m\n\n✗ run · denied\n\n» run · went to the background as job cmd-1\n\n• careful\n\nLast"
	if got := told.text(" find\nit\n"); got != want {
		t.Errorf("%q", got)
	}
	number := told.number
	told.add("one " + strings.Repeat("é", mostTold))
	if last := told.lines[len(told.lines)-1]; len(last) > mostTold/4+len("…") || !strings.HasSuffix(last, "é…") || told.number != number+1 || told.cut {
		t.Errorf("a long line: %d bytes, number %d, cut %v", len(last), told.number, told.cut)
	}
	for i := range 5 {
		told.add(fmt.Sprint(i, strings.Repeat("x", mostTold/4)))
	}
	if text := told.text("task"); !told.cut || told.size > mostTold || !strings.HasPrefix(text, "> task\n\n[… the beginning is left out]\n\n2x") {
		t.Errorf("%d bytes, %.60q", told.size, text)
	}
	told.say(strings.Repeat("é", mostTold))
	if len(told.lines) != 1 || told.size != len(told.lines[0]) || told.size > mostTold || told.size < mostTold-2 {
		t.Errorf("%d lines, %d bytes", len(told.lines), told.size)
	}
}

// A turn of before is read as text: who said what, what was called and what came back.
func TestATurnAsText(t *testing.T) {
	said := []messages.Message{
		{Role: messages.User, Text: " go \n"},
		{Role: messages.Assistant, Text: " ", Calls: []messages.ToolCall{{Name: "a", Args: []byte(`{"x":1}`)}, {Name: "b"}}},
		{Role: messages.Tool, Result: messages.ToolResult{Name: "a", Status: messages.OK, Text: "seen\n"}},
		{Role: messages.Assistant, Text: "done\n"},
		{Role: messages.User, Text: "more"},
	}
	turns := turnsOf(said)
	if len(turns) != 2 || len(turns[0]) != 4 || len(turns[1]) != 1 || len(turnsOf(nil)) != 0 || len(turnsOf(said[1:])) != 2 {
		t.Fatalf("%d turns", len(turns))
	}
	const want = "## user\ngo\n\n## Call of a\n{\"x\":1}\n\n## Call of b\n\n\n## Result of a (ok)\nseen\n\n## Assistant\ndone\n\n"
	if got := transcribed(turns[0]); got != want {
		t.Errorf("%q", got)
	}
	past := earlier{known: said}
	for number, want := range map[int]string{0: "", 1: "## user\ngo", 2: "## user\nmore\n\n", 3: ""} {
		text, count, err := past.turn(t.Context(), number)
		if err != nil || count != 2 || !strings.HasPrefix(text, want) || want == "" && text != "" {
			t.Errorf("turn %d: %q of %d, %v", number, text, count, err)
		}
	}
}
