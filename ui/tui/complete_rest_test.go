package tui

import (
	"testing"
	"time"

	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/lineedit"
)

// What it took to look for a file among many is given back some seconds after the last look:
// where there were half a million, the program held 160 MB and keeps 40.
func TestWhatASearchForFilesTookIsGivenBack(t *testing.T) {
	drawn := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	f, input := frame{drawn: drawn}, lineedit.Editor{}
	list := func(command.Kind, string, string) []command.Completion {
		return []command.Completion{{Item: "main.go"}}
	}
	c := completer{input: &input, talk: &conversation.State{}, frame: &f, beside: func(work func() func()) { work()() }, list: list}
	input.Insert("@ma")
	if c.suggest(); !f.rests.Equal(drawn.Add(rest)) {
		t.Errorf("memory is given back at %v", f.rests)
	}
	if c.open == nil {
		t.Error("nothing is offered")
	}
}
