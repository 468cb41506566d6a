package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

func TestARefusedCallKeepsItsCommand(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.ToolEnded{Call: "1", Name: "run_command", Title: "run_command make x", Status: messages.Denied, Summary: "Error: said no", Text: "Error: said no"})
	if got := drawing((&view.Window{}).Show(v.Blocks, 60, 10, start)); !strings.Contains(got, "run_command<faint> make x") || !strings.Contains(got, "denied</>") || !strings.Contains(got, " · said no") {
		t.Errorf("%s", got)
	}
	if step := v.Steps[len(v.Steps)-1]; step.Title != "run_command make x" {
		t.Errorf("the export has %+v", step)
	}
}

func TestARunningCommandShowsTheEndOfItsOutput(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.ToolStarted{Call: "1", Name: "run_command", Title: "make"})
	for _, line := range []string{"one", "two", "three", "four \x1b[2J", strings.Repeat("wide ", 40)} {
		v.Apply(messages.Envelope{At: start, Event: messages.ToolOutput{Call: "1", Chunk: line + "\n"}})
	}
	show := func() string { return drawing((&view.Window{}).Show(v.Blocks, 60, 20, start.Add(time.Second))) }
	got := show()
	if strings.Contains(got, "two") || !strings.Contains(got, "│ </><faint>three") || !strings.Contains(got, "│ </><faint>four [2J") || !strings.Contains(got, "│ </><faint>wide") || strings.Count(got, "\n") != 6 {
		t.Errorf("while it runs:\n%s", got)
	}
	v.Apply(messages.Envelope{At: start, Event: messages.ToolEnded{Call: "1", Name: "run_command", Status: messages.OK, Text: "all"}})
	if got := show(); strings.Contains(got, "│") {
		t.Errorf("when it ended:\n%s", got)
	}
}

func TestSearchCount(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "needle one"}, messages.Text{Chunk: "hay\n\nneedle two\n\nNeedle three\n"})
	window := &view.Window{}
	window.Show(v.Blocks, 60, 10, start)
	window.BeginFind()
	for i, want := range []int{3, 2, 1, 3} {
		if !window.Find("needle", -1, i > 0) {
			t.Fatal("it is nowhere")
		}
		if at, all := window.Count("needle"); at != want || all != 3 {
			t.Errorf("%d of %d, want %d of 3", at, all, want)
		}
	}
	if _, all := window.Count("absent"); all != 0 {
		t.Errorf("%d of what is nowhere", all)
	}
}

func TestMarkdownShowsNoRawMarks(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.Text{Chunk: "# One\n\n## Two\n\n- [ ] open\n- [x] done\n\n```go\nx := 1\n```\n\n" + strings.Repeat("word ", 60) + "\n"})
	rows := (&view.Window{}).Show(v.Blocks, 300, 40, start)
	got := drawing(rows)
	for _, want := range []string{"<heading>One</>", "<strong>Two</>", "☐ ", "☑ ", "╭╴go", "╰╴"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(got, "```") || strings.Contains(got, "[x]") || strings.Contains(got, "[ ]") {
		t.Errorf("raw marks:\n%s", got)
	}
	for _, row := range rows {
		if row.Width() > 104 {
			t.Errorf("prose is %d columns wide", row.Width())
		}
	}
}

// Folded thoughts are a line with their duration.
func TestThoughtsSayHowLongTheyTook(t *testing.T) {
	var v view.View
	begun := time.Unix(0, 0)
	v.Apply(messages.Envelope{At: begun, Event: messages.TurnStarted{Prompt: "go"}})
	v.Apply(messages.Envelope{At: begun.Add(time.Second), Event: messages.Thinking{Chunk: "hm"}})
	if got := v.Blocks[1].Lines(40, false, begun)[1].String(); got != "∴ thinking: hm" {
		t.Errorf("%q", got)
	}
	v.Apply(messages.Envelope{At: begun.Add(2 * time.Second), Event: messages.Thinking{Chunk: ", yes"}})
	v.Apply(messages.Envelope{At: begun.Add(5 * time.Second), Event: messages.Text{Chunk: "Yes."}})
	if got := v.Blocks[1].Lines(40, false, begun)[1].String(); got != "∴ thought for 4s: hm, yes" {
		t.Errorf("%q", got)
	}
}

// A rule in an answer is as wide as its prose.
func TestALineIsAsWideAsProse(t *testing.T) {
	v := shown(messages.Text{Chunk: "one\n\n---\n\ntwo\n"})
	if got := strings.Count(drawing((&view.Window{}).Show(v.Blocks, 200, 10, start)), "─"); got != 100 {
		t.Errorf("%d cells", got)
	}
}

// The call of a failed command succeeded; its line shows both to users who read only lines.
func TestTheLineOfACommandSaysThatItFailed(t *testing.T) {
	for exit, want := range map[int]string{
		1:   "<problem>✗ </>run_command<faint> make x · 2s</><problem> · exit 1</>",
		137: "<problem> · exit 137</>",
		0:   "<added>✓ </>run_command<faint> make x · 2s</>",
	} {
		text := fmt.Sprintf("no\n[exit code: %d, took 100ms]\n", exit)
		v := shown(messages.TurnStarted{Prompt: "p"}, messages.ToolEnded{Call: "1", Name: "run_command", Title: "run_command make x", Status: messages.OK, Exit: exit, Text: text, Took: 2 * time.Second})
		if got := drawing((&view.Window{}).Show(v.Blocks, 60, 10, start)); !strings.Contains(got, want) {
			t.Errorf("exit code %d is shown as\n%s", exit, got)
		}
	}
	before := shown(messages.Recalled{Prompt: "p", Steps: []messages.RecalledStep{{Tool: "run_command", Title: "run_command make x", Status: messages.OK, Exit: 2, Text: "no"}}})
	if got := drawing((&view.Window{}).Show(before.Blocks, 60, 10, start)); !strings.Contains(got, "<problem> · exit 2</>") {
		t.Errorf("in a conversation that continues it is shown as\n%s", got)
	}
	other := shown(messages.TurnStarted{Prompt: "p"}, messages.ToolEnded{Call: "1", Name: "read_file", Title: "read_file log", Status: messages.OK, Text: "[exit code: 1, took 100ms]"})
	if got := drawing((&view.Window{}).Show(other.Blocks, 60, 10, start)); !strings.Contains(got, "✓ ") {
		t.Errorf("a file that says so is shown as\n%s", got)
	}
}
