package tui_test

import (
	"testing"

	"marvin/messages"
	"marvin/ui/tui"
)

func TestTheInputHasKeysOfVi(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) {
		c.Vim = true
		c.Inputs = func(string) []string { return []string{"an older one", "the one before"} }
	})
	talk.say(opened)
	p.sees("vim insert")
	p.press("one two", "Esc")
	p.sees("vim normal", "› one two")
	p.press("0", "d", "w")
	p.sees("› two")
	p.press("k")
	p.sees("› the one before")
	p.press("k", "x")
	p.sees("› an older on")
	p.press("2", "j")
	p.sees("› two")
	p.press("A", " more")
	p.sees("› two more", "vim insert")
	p.press("Esc")
	p.sees("vim normal")
	p.press("d") // half a command: Enter does not send it
	p.press("Enter")
	p.press("b", "Enter")
	if op := <-talk.ops; op.(messages.Prompt).Text != "two more" {
		t.Errorf("sent %+v", op)
	}
	p.sees("vim insert")
}

// Esc in the mode of commands does what it did before, and the screen says how many it takes.
func TestEscOfViEndsTheTurnFromTheModeOfCommands(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) { c.Vim = true })
	talk.say(opened, messages.TurnStarted{})
	p.sees("Esc Esc cancels")
	p.press("Esc")
	p.sees("· Esc cancels", "vim normal")
	p.press("Esc")
	if op := <-talk.ops; op != (messages.Op)(messages.Cancel{}) {
		t.Errorf("Esc did %+v", op)
	}
}
