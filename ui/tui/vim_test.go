package tui_test

import (
	"testing"
	"time"

	"marvin/actors/actorstest"
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
	if prompt, ok := nextOp(t, talk).(messages.Prompt); !ok || prompt.Text != "two more" {
		t.Errorf("sent %+v", prompt)
	}
	p.sees("vim insert")
}

// Esc in normal mode has the same effect as without vi keys, and the screen shows how often it must
// be pressed.
func TestEscOfViEndsTheTurnFromTheModeOfCommands(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) { c.Vim = true })
	talk.say(opened, messages.TurnStarted{})
	p.sees("Esc Esc cancels")
	p.press("Esc")
	p.sees("· Esc cancels", "vim normal")
	p.press("Esc")
	if op, ok := nextOp(t, talk).(messages.Cancel); !ok || op.Request != "" {
		t.Errorf("Esc did %+v", op)
	}
}

// nextOp returns the next op that the screen sends to the conversation.
func nextOp(t *testing.T, talk *scripted) messages.Op {
	t.Helper()
	select {
	case op := <-talk.ops:
		return op
	case <-time.After(actorstest.Patience):
		t.Fatal("nothing was asked of the conversation")
		return nil
	}
}

func TestASlashOfViSearchesWhatWasSent(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) {
		c.Vim = true
		c.Inputs = func(string) []string { return []string{"mend the build", "the one before"} }
	})
	talk.say(opened)
	p.sees("vim insert")
	p.press("draft", "Esc")
	p.sees("vim normal")
	p.press("/", "build")
	p.sees("mend the build")
	p.press("Enter")
	p.sees("› mend the build", "vim normal")
	p.press("b", "d", "w", "Enter")
	if prompt, ok := nextOp(t, talk).(messages.Prompt); !ok || prompt.Text != "mend the" {
		t.Errorf("sent %+v", prompt)
	}
}
