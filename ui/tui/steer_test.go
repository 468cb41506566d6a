package tui_test

import (
	"strings"
	"testing"

	"marvin/messages"
)

// While a question is open, keys answer it, so the key that takes back queued prompts is not
// offered.
func TestWaitingWordsAreNotOfferedForChangeWhileSomethingIsAsked(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 20)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "so far"})
	p.sees("so far")
	p.press("next", "Alt-Enter")
	p.sees("⏳ next", "queued · Alt-Up edits")
	talk.say(messages.Asked{Ask: "1", Title: "Run it?", Choices: []messages.Choice{messages.Yes, messages.No}})
	if f := p.sees("Run it?", "⏳ next", "queued"); strings.Contains(f.String(), "edits") {
		t.Errorf("a key is offered that does nothing:\n%s", f)
	}
}
