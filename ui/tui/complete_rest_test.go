package tui

import (
	"fmt"
	"testing"
	"time"

	"marvin/ui/conversation"
	"marvin/ui/lineedit"
	"marvin/ui/slash"
	"marvin/ui/tui/internal/canvas"
)

func TestFileSearchMemoryIsFreed(t *testing.T) {
	drawn := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	f, input := canvas.Canvas{Drawn: drawn}, lineedit.Editor{}
	list := func(slash.Kind, string, string) []slash.Completion {
		return []slash.Completion{{Item: "main.go"}}
	}
	c := completer{input: &input, talk: &conversation.State{}, frame: &f, beside: func(work func() func()) { work()() }, list: list}
	input.Insert("@ma")
	if c.suggest(); !f.Rests.Equal(drawn.Add(rest)) {
		t.Errorf("memory is given back at %v", f.Rests)
	}
	if c.open == nil {
		t.Error("nothing is offered")
	}
}

func TestStalePathCompletionIsDropped(t *testing.T) {
	var asked []func() func()
	there := []slash.Completion{{Item: "./main.go"}, {Item: "./make.sh"}}
	input := lineedit.Editor{}
	c := completer{
		input: &input, talk: &conversation.State{}, frame: &canvas.Canvas{},
		beside: func(work func() func()) { asked = append(asked, work) },
		list:   func(slash.Kind, string, string) []slash.Completion { return there },
	}
	shown := func() (items []string) {
		if c.open != nil {
			for _, one := range c.open.items {
				items = append(items, one.Item)
			}
		}
		return items
	}
	answer := func() {
		for _, work := range asked {
			work()()
		}
		asked = nil
	}
	for _, step := range []struct {
		types, before, after string
	}{
		{"see @./m", "[]", "[./main.go ./make.sh]"},
		{"ai", "[./main.go]", "[./main.go ./make.sh]"}, // the list of the test does not look at the word
		{"\b", "[]", "[./main.go ./make.sh]"},
		{"k", "[./make.sh]", "[]"},
	} {
		if step.types == "\b" {
			input.Backspace()
		} else {
			input.Insert(step.types)
		}
		c.suggest()
		before := fmt.Sprint(shown())
		if step.types == "k" {
			there = nil
		}
		if answer(); before != step.before || fmt.Sprint(shown()) != step.after {
			t.Errorf("%q: shown is %s, and then %v", step.types, before, shown())
		}
	}
}
