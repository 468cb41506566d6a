package plain

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// teller is responsible for showing tool calls and the turns of a resumed conversation.
type teller struct {
	out    *output
	above  bool      // the recalled turns are already on the screen
	toldAt time.Time // time of the last line about a tool
}

// showCalled shows the names of the called tools.
func (t *teller) showCalled(event messages.ToolsCalled, at time.Time) {
	t.toldAt = at
	t.out.say("  🔧 " + termsafe.Line(strings.Join(event.Names, ", ")))
}

// showThought shows how long the model thought. It omits the text of the thought, which would be
// longer than the answer.
func (t *teller) showThought(took time.Duration) {
	t.out.sayIn("  "+view.Thought(took)+" (/thoughts)", func(text string) string {
		if t.out.colours == NoColours {
			return text
		}
		return t.out.colours.paint(faint, strings.TrimSuffix(text, "\n")) + "\n"
	})
}

// progressInterval is the minimum time between two progress lines. The lines stay on the screen, so
// there must be few of them.
const progressInterval = 10 * time.Second

func (t *teller) progress(event messages.ToolOutput, at time.Time) {
	if at.Sub(t.toldAt) >= progressInterval {
		t.toldAt = at
		t.out.quote("  " + strings.TrimSpace(event.Chunk))
	}
}

// agent describes how a sub-agent ended. Progress is not shown, because it would add too many
// lines.
func (t *teller) agent(event messages.AgentChanged) {
	switch event.State {
	case messages.AgentEnded, messages.AgentFailed, messages.AgentStopped:
		line := fmt.Sprintf("  sub-agent %d, %s: %s after %s", event.Agent, event.Name, event.State, event.Took.Round(100*time.Millisecond))
		if event.Rounds > 0 {
			line += ", " + messages.Counted(event.Rounds, "round")
		}
		if event.Tokens > 0 {
			line += ", " + messages.Counted(event.Tokens, "token")
		}
		if event.Cost > 0 {
			line += fmt.Sprintf(", $%.4f", event.Cost)
		}
		if event.Result != "" {
			line += ": " + termsafe.Line(event.Result)
		}
		t.out.say(line)
	}
}

// toolsOnly is the name of the provider that has no model. The provider answers with the output of
// tools.
const toolsOnly = "offline"

// diffRows limits how many rows of a diff are shown.
const diffRows = 40

// toolEnded shows how a tool call ended. It shows diffs and the user's answers, but only summarizes
// other results, because the model describes those.
func (t *teller) toolEnded(event messages.ToolEnded) {
	if ended := event.Status.DescribeEnd(event.Exit, ""); ended != string(messages.OK) {
		line := "  ✗ " + termsafe.Line(ui.CallTitle(event)) + ": " + ended
		if summary := strings.TrimPrefix(event.Summary, "Error: "); summary != "" { // the line already says that the call failed
			line += ": " + summary
		}
		t.out.say(line)
		return
	}
	if event.View != nil && event.View.Kind == messages.Answers {
		for line := range strings.SplitSeq(event.View.Text, "\n") {
			t.out.say("  ✓ " + line)
		}
		return
	}
	t.out.say("  " + ui.CallLine(event))
	if event.View == nil || event.View.Kind != messages.Diff {
		return
	}
	t.showDiff(strings.Split(strings.TrimRight(event.View.Text, "\n"), "\n"))
}

// showDiff shows the rows of a unified diff.
func (t *teller) showDiff(rows []string) {
	var words []view.Line // the rows to show, with changed words marked; nil if colors are off
	if t.out.colours != NoColours {
		words = view.ChangedWords(strings.Join(rows[:min(len(rows), diffRows)], "\n"))
	}
	for i, row := range rows {
		if i == diffRows {
			t.out.say(fmt.Sprintf("  … %d more lines", len(rows)-i))
			return
		}
		paint := t.out.colours.paintChange
		if i < len(words) {
			paint = func(text string) string { return t.out.colours.paintWords(text, words[i]) }
		}
		t.out.sayRow("  "+row, paint)
	}
}

// showCleared handles the switch to another conversation. Lines stay on the screen, so turns
// already shown are not repeated.
func (t *teller) showCleared(event messages.Cleared) {
	t.above = false
	switch event.Why {
	case messages.ClearedRewind, messages.ClearedHandoff:
		t.above = true
	case messages.ClearedResume, messages.ClearedBranch:
	case messages.ClearedBehind:
		t.out.say("[System] This window could not keep up, so the conversation so far is shown again.")
	default:
		t.out.say("[System] A new conversation begins.")
	}
}

// showTurn shows a turn of a resumed conversation. If formatted is true, it formats the answer and
// mentions the model's thinking.
func (t *teller) showTurn(event messages.Recalled, formatted bool) {
	if t.above {
		return
	}
	t.out.say("> " + event.Prompt)
	for _, step := range event.Steps {
		if step.Said {
			t.out.say("> " + step.Text)
			continue
		}
		if step.Tool == "" {
			if step.Thinking != "" && formatted {
				t.showThought(0)
			}
			if step.Text != "" && formatted {
				t.out.showFormatted(step.Text)
				t.out.settle()
			} else if step.Text != "" {
				t.out.quote(step.Text)
			}
			continue
		}
		title := cmp.Or(step.Title, step.Tool)
		t.out.say("  🔧 " + termsafe.Line(title) + " · " + step.Status.DescribeEnd(step.Exit, step.Job))
	}
	if event.Err != "" {
		t.out.say("Error: " + event.Err)
	}
}
