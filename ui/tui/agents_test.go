package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
)

func TestASubAgentIsOpenedAndStoppedFromItsLine(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 20)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.ToolStarted{Call: "c1", Name: "launch_agent", Title: "launch_agent two"},
		messages.AgentChanged{Call: "c1", Agent: 1, Name: "first", State: messages.AgentWorking},
		messages.AgentChanged{Call: "c1", Agent: 2, Name: "second", State: messages.AgentWorking, Doing: "read_file x"})
	row := 0
	for y, text := range p.sees("2 second").rows {
		if strings.Contains(text, "2 second") {
			row = y + 1
		}
	}
	wants := func(want messages.VisitAgent) {
		t.Helper()
		if op := <-talk.ops; op != want {
			t.Fatalf("the conversation was asked for %+v, not %+v", op, want)
		}
	}
	shown := messages.AgentShown{Call: "c1", Agent: 2, Name: "second", State: messages.AgentWorking, Text: "> look at x\n\n→ read_file x"}
	p.press(fmt.Sprintf("\x1b[<0;5;%dM\x1b[<0;5;%dm", row, row))
	wants(messages.VisitAgent{Call: "c1", Agent: 2})
	talk.say(shown)
	p.sees("Sub-agent 2, second · working", "look at x", "→ read_file x", "s stops it")
	wants(messages.VisitAgent{Call: "c1", Agent: 2, More: true}) // it continues while the view is open
	shown.Text, shown.More = shown.Text+"\n\n✓ read_file · 4 lines\n\nNow **I** look", true
	talk.say(shown)
	p.sees("✓ read_file · 4 lines", "● Now I look") // without raw marks
	wants(messages.VisitAgent{Call: "c1", Agent: 2, More: true})
	shown.Text += " at y"
	talk.say(shown)
	p.sees("Now I look at y")
	wants(messages.VisitAgent{Call: "c1", Agent: 2, More: true})
	p.press("s")
	wants(messages.VisitAgent{Call: "c1", Agent: 2, Stop: true})
	talk.say(messages.AgentChanged{Call: "c1", Agent: 2, Name: "second", State: messages.AgentStopped})
	p.seesNo("s stops it")
	p.press("Esc")
	p.seesNo("look at x")
	talk.say(shown)     // which was on its way: it opens nothing
	p.press("\x1b[19~") // F8: one is left to choose from
	p.sees("Which running sub-agent do you want to see?", "1  first")
	p.press("Enter")
	wants(messages.VisitAgent{Call: "c1", Agent: 1})
	talk.say(messages.AgentShown{Call: "c1", Agent: 1, Name: "first", State: messages.AgentWorking, Text: "> the first task"})
	p.sees("Sub-agent 1, first", "the first task")
	wants(messages.VisitAgent{Call: "c1", Agent: 1, More: true})
}
