package conversation_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/conversation"
	"marvin/ui/transcript"
)

// life is a conversation with every event that a front end can get.
func life() []messages.Event {
	long := strings.Repeat("ä", 1999) + "end" // 4001 bytes
	plan := func(status messages.StepStatus) messages.PlanChanged {
		return messages.PlanChanged{Plan: messages.Plan{Steps: []messages.Step{{Text: "look", Status: status}}}}
	}
	agent := func(number int, state messages.AgentState, took time.Duration) messages.AgentChanged {
		return messages.AgentChanged{Call: "c1", Agent: number, Name: "reader", State: state, Took: took}
	}
	return []messages.Event{
		messages.Opened{Profile: "alex", Provider: "offline", Model: "rules", Dir: "/w", Effort: "low"},
		messages.EffortChanged{Effort: "high"},
		messages.ModeChanged{Dir: "/w", Coding: true, Approval: messages.ApproveEdits},
		messages.ModelChanged{Provider: "groq", Model: "llama"},
		messages.TurnStarted{Prompt: "look\ntwice", Pictures: []string{"[picture 1: a.png]"}},
		messages.Waiting{Why: "limited", Until: start.Add(time.Hour)},
		messages.Thinking{Chunk: "hm"},
		messages.Waiting{Since: start},
		messages.Text{Chunk: " first "},
		messages.ToolsCalled{Names: []string{"tree", "grep"}},
		messages.ToolStarted{Call: "c1", Name: "launch_agent", Title: "launch_agent look", Command: "all"},
		messages.ToolStarted{Call: "c2", Name: "grep", Title: "grep x"},
		agent(3, messages.AgentAsking, 0), agent(1, messages.AgentWorking, time.Second), agent(2, messages.AgentWaiting, 0),
		agent(1, messages.AgentEnded, 2*time.Second), agent(2, messages.AgentStopped, 0), agent(3, messages.AgentFailed, 0),
		messages.AgentChanged{Call: "gone", Agent: 1},
		messages.ToolOutput{Call: "c2", Chunk: "x"},
		messages.ToolOutput{Call: "gone"},
		messages.ToolEnded{Call: "c2", Name: "grep", Status: messages.OK, Exit: 1, Summary: "nothing", Text: long, Took: time.Second, View: &messages.View{Kind: messages.Diff}},
		messages.ToolEnded{Call: "c9", Name: "nonsense", Status: messages.ToolError, Text: "no such tool"},
		messages.PlanChanged{Plan: messages.Plan{Steps: []messages.Step{{Text: "look", Status: messages.StepPending}}}},
		plan(messages.StepDone),
		messages.Steered{Prompt: "in blue"},
		messages.Text{Chunk: "second"},
		messages.Compacted{},
		messages.Granted{Grants: []messages.Grant{{Number: 1, Covers: "ls"}}},
		messages.Granted{},
		messages.Asked{Ask: "a"},
		messages.Asked{Ask: "b"},
		messages.Answered{Ask: "nobody's"},
		messages.Answered{Ask: "a"},
		messages.UsageChanged{Usage: messages.Usage{Cost: 0.5, Estimated: 1, Unpriced: []string{"m"}}, Context: messages.Context{Used: 7, Limit: 9}},
		messages.UsageChanged{},
		messages.Diagnosed{Servers: []string{"gopls"}, Files: []messages.FileProblems{{Path: "a.go", Server: "gopls", Problems: []messages.CodeProblem{{Path: "a.go", Text: "odd"}}}}},
		messages.TurnEnded{Outcome: messages.Failed, Text: "first second", Err: "cut", Usage: messages.Usage{Cost: 1}},
		messages.ModeChanged{Dir: "/else", Coding: true, Approval: messages.ApproveEdits},
		messages.TurnStarted{Prompt: "whole"},
		messages.TurnEnded{Text: "at once"},
		messages.TurnStarted{},
		messages.TurnEnded{},
		messages.Rewound{},
		messages.Rewound{Again: true},
		messages.Notice{Text: "x"},
		messages.Refused{},
		messages.Cleared{Why: messages.ClearedResume},
		messages.Resumed{ID: "id", Title: "Tea"},
		messages.Recalled{Prompt: "old", Steps: []messages.RecalledStep{{Thinking: "so"}, {Text: "said"}, {Tool: "grep", Status: messages.OK, Text: long + "!"}}},
		messages.Cleared{Why: messages.ClearedHandoff},
		messages.TurnStarted{Prompt: "new"},
		messages.Cleared{},
		messages.Closed{},
	}
}

// seen returns everything that a state shows about a conversation, by name.
func seen(s *conversation.State) map[string]string {
	all := map[string]string{
		"Running()": fmt.Sprint(len(s.Running())), "Heading()": s.Heading(), "Cost()": s.Cost(), "Farewell()": s.Farewell("marvin -c"),
		"Thoughts()": fmt.Sprint(s.Thoughts()), "Status()": s.Diagnosed.Status(), "Welcome()": strings.Join(s.Welcome("~/w"), "\n"),
	}
	value := reflect.ValueOf(s).Elem()
	for i := range value.NumField() {
		text, _ := json.Marshal(value.Field(i).Interface())
		all[value.Type().Field(i).Name] = short(text)
	}
	return all
}

// nothing matches empty JSON fields.
var nothing = regexp.MustCompile(`"\w+":(?:false|""|null|0|"0001-01-01T00:00:00Z")`)

// short returns a JSON text without its empty fields.
func short(text []byte) string {
	text = nothing.ReplaceAll(bytes.ReplaceAll(text, []byte(strings.Repeat("ä", 1900)), []byte("…")), nil)
	return strings.NewReplacer("{,", "{", ",}", "}").Replace(string(slices.CompactFunc(text, func(a, b byte) bool { return a == ',' && b == ',' })))
}

func TestEventsChangeState(t *testing.T) {
	var out strings.Builder
	state := &conversation.State{}
	before := seen(state)
	for i, event := range life() {
		at := start.Add(time.Duration(i) * time.Second)
		change := state.Apply(messages.Envelope{At: at, Event: event})
		told, _ := json.Marshal(change)
		fmt.Fprintf(&out, "== %s %T\n", at.Format("04:05"), event)
		if change != (conversation.Change{}) {
			fmt.Fprintf(&out, "told %s\n", short(told))
		}
		now := seen(state)
		for _, name := range sorted(now) {
			if now[name] != before[name] {
				fmt.Fprintf(&out, "%s: %s\n", name, now[name])
			}
		}
		before = now
	}
	goldentest.Assert(t, "folded.txt", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// A front end that sends a prompt, or runs a command of the user, records it in the state itself.
func TestFrontEndNotes(t *testing.T) {
	var s conversation.State
	if s.Ran() || s.Heading() != "" {
		t.Errorf("%+v", &s)
	}
	s.AddStep(step("you", "\n")) // an empty prompt
	s.AddStep(step("shell", "ls"))
	s.AddStep(step("you", " \n"+strings.Repeat("x", 121)+"\nmore"))
	if s.RecordSent(start); !s.Ran() || s.Heading() != strings.Repeat("x", 120)+"\n[… cut]" || !s.Turn.Running || s.Turn.Doing != "sending" || s.Turn.Began != start {
		t.Errorf("%+v", &s)
	}
	s.Diagnosed = conversation.Diagnostics{}
	s.Apply(messages.Envelope{Event: messages.Diagnosed{Files: []messages.FileProblems{{Path: "a", Server: "x", Problems: make([]messages.CodeProblem, 1)}}}})
	if got := s.Diagnosed.Status(); got != "1 problem" {
		t.Error(got)
	}
}

func step(role, text string) transcript.Step { return transcript.Step{Role: role, Text: text} }

func sorted(all map[string]string) []string { return slices.Sorted(maps.Keys(all)) }
