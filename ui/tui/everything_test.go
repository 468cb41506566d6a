package tui_test

import (
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

// One list contains the commands, the key actions with this user's keys, and the user's own command
// files. The user can run all of them from the list, and the draft stays.
func TestEverythingIsFoundInOneList(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 24, func(c *tui.Config) {
		c.Keys = map[string][]string{"find": {"F12"}}
		c.Complete = func(kind slash.Kind, _, prefix string) []slash.Completion {
			if kind != slash.KindCommand {
				return nil
			}
			return slash.Matching([]slash.Completion{{Item: "/review", Note: "look at the\nchanges"}}, prefix)
		}
	})
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "it is a zebra"}, messages.TurnEnded{Outcome: messages.Completed, Text: "it is a zebra"})
	p.sees("it is a zebra")

	p.press("/help", "Enter")
	p.sees("What do you want to do?", "talk", "▸ /btw          ask a side question", "/btw QUESTION: ", "model\n")
	p.press("Up", "Up")
	p.seesNo("talk\n")
	p.press("Esc", "F2", "zzz")
	p.seesNo("/btw          ask")
	p.press("Esc")
	p.seesNo("What do you want to do?")

	p.press("a draft", "F2", "find in")
	p.sees("▸ search in the conversation", "F12")
	p.press("Enter")
	p.sees("find: ")
	p.press("Esc")
	p.sees("› a draft")

	p.press("F2", "/new") // by another of its names
	p.sees("▸ /clear        start a new conversation")
	p.press("Enter")
	if op, ok := nextOp(t, talk).(messages.Clear); !ok {
		t.Errorf("sent %+v", op)
	}
	p.press("F2", "/export")
	p.sees("▸ /export")
	p.press("Enter")
	p.sees("Type /export FILE.md|FILE.json|FILE.html once this is sent", "› a draft")

	p.press("Ctrl-U", "F2", "review")
	p.sees(" /review       look at the⏎changes") // it comes a moment later, and leaves the cursor where it is
	p.press("Backspace")
	p.sees("▸ /review       look at the⏎changes")
	p.press("Enter")
	p.sees("› /review")
	if shown := p.sees("› /review").String(); strings.Contains(shown, "What do you want to do?") {
		t.Errorf("the list stays:\n%s", shown)
	}
}
