package tui_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"marvin/messages"
	"marvin/ui/tui"
	"marvin/ui/view"
)

func TestTheFirstScreenSaysWhatWhereAndWho(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 24, func(c *tui.Config) {
		c.Place = func(dir string) string { return "~" + dir + ", branch trunk\x1b[2J" }
	})
	talk.say(messages.Opened{Profile: "alex", Provider: "ollama", Model: "qwen3", Dir: "/p", Approval: messages.ApproveEdits})
	p.sees("Marvin, an assistant in your terminal", "~/p, branch trunk[2J", "qwen3 (ollama), profile alex", "off; type /code to let Marvin read and change files here and run commands", "@ and part of a file name", "/help")
	talk.say(messages.ModeChanged{Dir: "/q", Coding: true, Approval: messages.ApproveEdits})
	p.sees("on: Marvin reads and changes files here; edits run without asking;", "~/q, branch trunk")
	talk.say(messages.TurnStarted{Prompt: "go"}, messages.TurnEnded{Outcome: messages.Completed, Text: "done"})
	if shown := p.sees("● done"); strings.Contains(shown.String(), "an assistant in your terminal") {
		t.Error("the greeting outlives the first prompt")
	}
	talk.say(messages.Cleared{})
	p.sees("Marvin, an assistant in your terminal")
}

// A command may check out another branch. The status bar shows the current one.
func TestTheStatusBarFollowsACheckout(t *testing.T) {
	talk := newScripted()
	var branch atomic.Value
	branch.Store("trunk")
	p := sitWith(t, talk, 100, 24, func(c *tui.Config) {
		c.Place = func(dir string) string { return dir + ", branch " + branch.Load().(string) }
	})
	talk.say(messages.Opened{Profile: "alex", Provider: "ollama", Model: "qwen3", Dir: "/p", Approval: messages.ApproveEdits})
	talk.say(messages.TurnStarted{Prompt: "go"}, messages.ToolStarted{Call: "1", Name: "run_command", Title: "git checkout topic"})
	p.sees("/p, branch trunk")
	branch.Store("topic")
	talk.say(messages.ToolEnded{Call: "1", Name: "run_command", Status: messages.OK})
	p.sees("/p, branch topic")
}

func TestASmallScreenIsNotFilledWithAGreeting(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 10)
	talk.say(opened)
	if shown := p.sees("test-model"); strings.Contains(shown.String(), "an assistant in your terminal") {
		t.Errorf("%s", shown)
	}
}

func TestAHintEndsWithItsCause(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 24)
	talk.say(opened)
	p.press("\x1bc")
	p.sees("There is nothing to copy yet")
	p.press("x")
	if f := p.sees("› x"); strings.Contains(f.String(), "There is nothing to copy yet") {
		t.Error("the hint outlives the key after it")
	}
	p.press("Ctrl-U", "Ctrl-C")
	p.sees("Ctrl-C again leaves")
	p.press("y", "Ctrl-U", "Ctrl-C") // the first is over
	p.sees("Ctrl-C again leaves")

	talk.say(messages.TurnStarted{Prompt: "go"}, messages.Asked{Ask: "1", Title: "Run it?", Detail: "ls", Tool: "run_command", Choices: []messages.Choice{messages.Yes, messages.No}})
	p.sees("Run it?")
	p.until("a question that takes keys", func(f frame) bool { return f.y >= 0 && f.x == 0 })
	p.press("Enter")
	p.sees("Press y or n")
	talk.say(messages.Answered{Ask: "1", Choice: messages.No})
	if f := p.until("the question is gone", func(f frame) bool { return !strings.Contains(f.String(), "Run it?") }); strings.Contains(f.String(), "Press y or n") {
		t.Error("the hint outlives its question")
	}
}

func TestHelpSaysThatThereIsMore(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 24)
	talk.say(opened)
	p.press("\x1bOP")
	p.sees("lines 1 to 20 of ", "PgUp PgDn scroll")
	p.press("PgDn")
	p.sees("lines 20 to 39 of ")
}

func TestCommandsAreCompletedWithWhatTheyDo(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 24)
	talk.say(opened)
	p.press("/un")
	p.sees("  /undo", "undo what tools changed in the last turn")
}

func TestLineAboveCompletions(t *testing.T) {
	for _, height := range []int{24, 6} {
		talk := newScripted()
		p := sitWith(t, talk, 60, height)
		talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "said\n"}, messages.TurnEnded{Outcome: messages.Completed, Text: "said"})
		p.sees("said")
		p.press("/und")
		f := p.sees("› /und", "  /undo")
		at := slices.IndexFunc(f.rows, func(row string) bool { return strings.HasPrefix(row, "  /undo") })
		if ruled := at > 0 && strings.HasPrefix(f.rows[at-1], strings.Repeat("─", 60)); ruled != (height == 24) {
			t.Errorf("%d rows: %t\n%s", height, ruled, f)
		}
	}
}

func TestFindingSaysHowOften(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 24)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "one here\n\none there\n"})
	p.sees("one there")
	p.press("Ctrl-F", "one")
	p.sees("find: one  2 of 2")
	p.press("Up")
	p.sees("find: one  1 of 2")
}

func TestTheGreetingBreaksBehindItsLabels(t *testing.T) {
	for line, rows := range map[string]map[int]string{
		"Directory  one two three four": {29: "Directory  one two three four", 40: "Directory  one two three four", 33: "Directory  one two three four", 32: "Directory  one two three four"},
		"Directory  one two three four five six seven": {
			44: "Directory  one two three four five six seven", 43: "Directory  one two three four five six|           seven", 33: "Directory  one two three four|           five six seven",
			32: "Directory  one two three four five six seven",
		},
		"Directory": {5: "Directory", 40: "Directory"}, "Directory  ": {10: "Directory  ", 40: "Directory  "},
	} {
		for width, want := range rows {
			if got := strings.Join(view.WrapLabeled(line, width), "|"); got != want {
				t.Errorf("%q in %d cells: %q", line, width, got)
			}
		}
	}
}
