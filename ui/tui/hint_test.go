package tui_test

import (
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

// The line above the input shows the effects of Enter and Esc. They differ in a list, in the line
// for the user's own words, and if there is nothing to choose.
func TestTheRuleSaysWhatKeysDo(t *testing.T) {
	talk, p := asks(t, messages.Asked{Kind: messages.AskChoice, Title: "Where?", Questions: []messages.Question{whereIs}}, 24)
	p.sees("Where?", "Esc: no answer, use the default · Ctrl-C cancels")
	p.armed()
	p.press("in")
	p.sees("Enter sends the answer · Esc goes back to the options")
	p.press("Esc")
	p.sees("Esc: no answer, use the default · Ctrl-C cancels")
	p.press("Esc")
	if got := talk.answer(t); got.Choice != messages.No {
		t.Errorf("%+v", got)
	}
	talk, p = asks(t, messages.Asked{Kind: messages.AskChoice, Title: "Why?", Questions: []messages.Question{whyIs}}, 24)
	p.sees("Why?", "Enter sends your answer, or the default if you typed nothing")
	p.press("my", "Esc")
	if got := talk.answer(t); got.Choice != messages.No {
		t.Errorf("Esc where nothing is to be chosen from: %+v", got)
	}
}

// If a list is longer than the available rows, only its last row shows that there is more.
func TestALongListOfCompletionsSaysThatThereIsMore(t *testing.T) {
	for rows, more := range map[int]bool{8: false, 9: true} {
		talk := newScripted()
		p := sitWith(t, talk, 60, 20, func(c *tui.Config) {
			c.Complete = func(slash.Kind, string, string) []slash.Completion {
				var all []string
				for i := range rows {
					all = append(all, "file"+string(rune('a'+i)))
				}
				return slash.WithoutNotes(all)
			}
		})
		talk.say(messages.Opened{Profile: "default", Provider: "test", Model: "test-model", Dir: "/p", Coding: true})
		p.sees("· coding")
		p.press("see @f")
		f := p.sees("filea", "fileh")
		for _, row := range f.rows {
			if said, last := strings.Contains(row, "and more"), strings.Contains(row, "fileh"); said != (more && last) {
				t.Errorf("of %d: %q", rows, row)
			}
		}
		if !more {
			continue
		}
		for range 9 {
			p.press("Down")
		}
		f = p.sees("filei")
		for _, row := range f.rows {
			if strings.Contains(row, "and more") {
				t.Errorf("at the end: %q", row)
			}
		}
	}
}
