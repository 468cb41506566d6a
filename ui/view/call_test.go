package view_test

import (
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

// A command in the background is not shown as successful: not live, not in a resumed session, and
// not in an exported file.
func TestACallThatWentToTheBackgroundSaysSo(t *testing.T) {
	now := shown(
		messages.TurnStarted{Prompt: "p"}, messages.ToolStarted{Call: "1", Name: "run_command", Title: "run_command make"},
		messages.ToolEnded{Call: "1", Name: "run_command", Status: messages.OK, Job: "cmd-k3f9x", Summary: "(no output yet)", Text: "(no output yet)", Took: 12 * time.Second},
	)
	later := shown(messages.Recalled{Prompt: "p", Steps: []messages.RecalledStep{{Tool: "run_command", Title: "run_command make", Status: messages.OK, Job: "cmd-k3f9x", Text: "(no output yet)"}}})
	for v, want := range map[*view.View]string{
		now:   "» run_command make · 12s · went to the background as job cmd-k3f9x",
		later: "» run_command make · went to the background as job cmd-k3f9x",
	} {
		if got := v.Blocks[1].Lines(80, false, start); len(got) != 2 || got[1].String() != want {
			t.Errorf("it is shown as\n%s\nnot as\n%s", drawing(got), want)
		}
		if step := v.Steps[1]; step.Status != "went to the background as job cmd-k3f9x" {
			t.Errorf("in an export it is %q", step.Status)
		}
	}
	if got := now.Blocks[1].Lines(40, false, start)[1].String(); !strings.HasPrefix(got, "» run_command") || !strings.HasSuffix(got, " · 12s · job cmd-k3f9x") {
		t.Errorf("where there is little room it is shown as %q", got)
	}
}

func TestAnUnfoldedCallShowsItsWholeCommand(t *testing.T) {
	const title, command = "run_command go test ./very/long…", "go test ./very/long/path \\\n  -run X\x1b[31m"
	now := shown(
		messages.TurnStarted{Prompt: "p"}, messages.ToolStarted{Call: "1", Name: "run_command", Title: title, Command: command},
		messages.ToolEnded{Call: "1", Name: "run_command", Status: messages.OK, Text: "ok"},
	)
	refused := shown(messages.TurnStarted{Prompt: "p"}, messages.ToolEnded{Call: "1", Name: "run_command", Title: title, Command: command, Status: messages.Denied, Text: "ok"})
	later := shown(messages.Recalled{Prompt: "p", Steps: []messages.RecalledStep{{Tool: "run_command", Title: title, Command: command, Status: messages.OK, Text: "ok"}}})
	for _, v := range []*view.View{now, refused, later} {
		const want = "\n<faint>  │ </>$ go test ./very/long/path \\\n<faint>  │ </>    -run X[31m\n<faint>  │ </><faint>ok</>"
		if got := drawing(v.Blocks[1].Lines(80, true, start)); !strings.HasSuffix(strings.TrimRight(got, "\n"), want) {
			t.Errorf("unfolded it is\n%s", got)
		}
		if got := drawing(v.Blocks[1].Lines(80, false, start)); strings.Contains(got, "-run X") {
			t.Errorf("folded it is\n%s", got)
		}
		if v.Steps[1].Command != command {
			t.Errorf("in an export it is %q", v.Steps[1].Command)
		}
	}
}
