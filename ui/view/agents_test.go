package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

// launched returns a running call with sub-agents in these states.
func launched(states ...messages.AgentState) *view.View {
	events := []messages.Event{messages.TurnStarted{Prompt: "go"}, messages.ToolStarted{Call: "c", Name: "launch_agent", Title: "launch_agent"}}
	for i, state := range states {
		events = append(events, messages.AgentChanged{Call: "c", Agent: i + 1, Name: fmt.Sprint("task \x1b[31m", i+1), State: messages.AgentWorking, Took: time.Second},
			messages.AgentChanged{Call: "c", Agent: i + 1, Name: fmt.Sprint("task \x1b[31m", i+1), State: state, Doing: "code_grep Open", Rounds: 2, Tokens: 1500, Cost: 0.01, Took: 3 * time.Second})
	}
	return shown(events...)
}

func rows(v *view.View, open bool) string {
	return drawing(v.Blocks[len(v.Blocks)-1].Lines(90, open, start.Add(10*time.Second)))
}

func TestEachSubAgentHasOneLiveLine(t *testing.T) {
	text := rows(launched(messages.AgentWorking, messages.AgentEnded, messages.AgentFailed, messages.AgentAsking), false)
	for _, line := range []string{
		"   ◦ 1 task", "code_grep Open · 2 rounds · 1.5k tok · $0.0100 · 10s", "✓ 2 task", "$0.0100 · 3s</>", "✗ 3 task", "? 4 task", "asking",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is missing in\n%s", line, text)
		}
	}
	if strings.Count(text, "\n") != 5 && strings.Count(text, "\n") != 6 || strings.Contains(text, "\x1b") {
		t.Errorf("drawn as\n%q", text)
	}
}

func TestTheResultOfASubAgentHasNoMarks(t *testing.T) {
	v := launched(messages.AgentWorking)
	v.Apply(messages.Envelope{At: start, Event: messages.AgentChanged{Call: "c", Agent: 1, Name: "finder", State: messages.AgentEnded, Result: "**Found** `two` files in *src*"}})
	if text := rows(v, false); !strings.Contains(text, "Found two files in src") {
		t.Errorf("drawn as\n%s", text)
	}
}

func TestImportantSubAgentsAreShown(t *testing.T) {
	states := make([]messages.AgentState, 40)
	for i := range states {
		states[i] = messages.AgentEnded
	}
	states[38], states[39] = messages.AgentAsking, messages.AgentFailed
	text := rows(launched(states...), false)
	if !strings.Contains(text, "? 39 task") || !strings.Contains(text, "✗ 40 task") || !strings.Contains(text, "39 of 40 have ended · 60.0k tok · $0.4000") || strings.Count(text, "✓") != 8 {
		t.Errorf("drawn as\n%s", text)
	}
}

func TestALineOfEachSubAgentStays(t *testing.T) {
	v := launched(messages.AgentEnded)
	v.Apply(messages.Envelope{At: start, Event: messages.ToolEnded{Call: "c", Name: "launch_agent", Status: messages.OK, Summary: "done", Text: "done"}})
	if text := rows(v, false); !strings.Contains(text, "✓ 1 task") {
		t.Errorf("folded:\n%s", text)
	}
	if text := rows(v, true); !strings.Contains(text, "✓ 1 task") {
		t.Errorf("open:\n%s", text)
	}
}
