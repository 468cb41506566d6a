package plain_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/command"
	"marvin/ui/plain"
)

// evening returns the events that plain mode can receive: a resumed session, each way in which a
// call ends, unanswered questions, and changes.
func evening() []messages.Event {
	left := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	events := []messages.Event{
		messages.Opened{Profile: "default", Provider: "groq", Model: "llama", Dir: "/p", Approval: messages.ApproveEdits},
		messages.Recalled{Prompt: "and then?\nwhy?", Shown: []string{"[picture 1: map.png]"}, Outcome: messages.Failed, Err: "cut", Steps: []messages.RecalledStep{
			{Thinking: "first this"},
			{Text: "let me look"},
			{Tool: "tree", Title: "tree cmd", Status: messages.OK, Text: "a\nb"},
			{Tool: "run_command", Title: "make", Status: messages.OK, Exit: 2, Text: "no rule"},
			{Tool: "run_command", Title: "serve", Status: messages.OK, Job: "cmd-x1", Text: "it runs"},
			{Tool: "read_file", Title: "z", Status: messages.ToolError, Text: "it is gone"},
			{Said: true, Text: "in blue"},
			{Text: "so it is\n\n", Thinking: "hm"},
		}},
		messages.Resumed{ID: "20261120-110000-abcdef", Title: "go on", Turns: 3, Left: left, Earlier: true, From: "20261119-090000-uvwxyz"},
		messages.Rewound{Prompt: "again"},
		messages.Rewound{Prompt: "again\nand on", Again: true},
		messages.ModeChanged{Dir: "/p", Coding: true, Approval: messages.ApproveEdits},
		messages.ModeChanged{Dir: "/q", Coding: true, Approval: messages.ApproveEdits},
		messages.ModeChanged{Dir: "/q", Profile: "alex", Approval: messages.ApprovePlan},
		messages.ModelChanged{Provider: "gemini", Model: "flash"},
		messages.ModelChanged{Provider: "groq", Model: "llama", Why: "asked"},
		messages.EffortChanged{Effort: "high", Takes: "medium"},
		messages.EffortChanged{},
		messages.Compacted{Before: 200_000, After: 40_000},
		messages.Granted{Grants: []messages.Grant{{Number: 3, Covers: "all `ls …` commands"}}},
		messages.Granted{},
		messages.TurnStarted{Prompt: "beside it", Aside: true},
		messages.Text{Chunk: "of course"},
		messages.TurnEnded{Outcome: messages.Completed, Text: "of course"},
		messages.TurnStarted{Prompt: "go", Pictures: []string{"[picture 2: a.png]"}},
		messages.Thinking{Chunk: "hm"},
		messages.Text{Chunk: "Two parts: "},
		messages.Text{Chunk: "one\n"},
		messages.Waiting{Why: "limited: 3 s", Until: left.Add(3 * time.Second)},
		messages.Waiting{Why: "nothing comes"},
		messages.Waiting{},
		messages.Steered{Prompt: "in green"},
		messages.Withdrawn{Prompt: "later"},
		messages.Refused{Err: "no turn is running"},
		messages.PlanChanged{Plan: messages.Plan{Why: "half is done", Steps: []messages.Step{{Text: "look", Status: messages.StepDone}, {Text: "mend", Status: messages.StepInProgress}}}},
		messages.ToolsCalled{Names: []string{"tree", "run_command", "tree"}},
	}
	for i, end := range []messages.ToolEnded{
		{Status: messages.OK, Text: "done\nall", Summary: "2 lines"},
		{Status: messages.OK, Exit: 3, Text: "no", Summary: "no"},
		{Status: messages.OK, Job: "cmd-x2", Text: "it runs"},
		{Status: messages.ToolError, Text: "Error: gone", Summary: "Error: gone"},
		{Status: messages.Denied, Text: "not executed", Summary: "not executed"},
		{Status: messages.Forbidden, Text: "not allowed", Summary: "not allowed"},
		{Status: messages.TimedOut, Text: "too long", Summary: "too long"},
		{Status: messages.Interrupted},
		{Status: messages.Crashed, Text: "internal error"},
		{Status: messages.OK, View: &messages.View{Kind: messages.Diff, Text: "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two words\n+two word\n"}},
	} {
		end.Call, end.Name, end.Took = fmt.Sprint(i), "run_command", 1500*time.Millisecond
		events = append(events, messages.ToolStarted{Call: end.Call, Name: end.Name, Title: "run_command make"}, end)
	}
	return append(events,
		messages.ToolEnded{Call: "x", Name: "nonsense", Status: messages.ToolError, Summary: "no such tool", Text: "no such tool"},
		messages.ToolStarted{Call: "agents", Name: "launch_agent", Title: "launch_agent look"},
		messages.AgentChanged{Call: "agents", Agent: 1, Name: "reader", State: messages.AgentWorking, Doing: "grep", Rounds: 3},
		messages.AgentChanged{Call: "agents", Agent: 2, Name: "asker", State: messages.AgentAsking},
		messages.AgentChanged{Call: "agents", Agent: 1, Name: "reader", State: messages.AgentEnded, Rounds: 3, Took: time.Second},
		messages.AgentShown{Agent: 2, Name: "asker", State: messages.AgentAsking, Text: "> ask\n\n? may I"},
		messages.Asked{Ask: "q1", Kind: messages.AskConsent, Tool: "run_command", Title: "Run?", Detail: "ls", Choices: []messages.Choice{messages.Yes, messages.Always, messages.No}, Always: "all `ls …` commands"},
		messages.Answered{Ask: "q1", Choice: messages.No},
		messages.Asked{Ask: "q2", Kind: messages.AskConsent, Title: "Read AGENTS.md?", Choices: []messages.Choice{messages.Yes, messages.No}},
		messages.Notice{Level: messages.Info, Text: "a job ended\nin two lines"}, messages.Notice{Level: messages.Warning, Text: "mind the gap"}, messages.Notice{Level: messages.Problem, Text: "it is full"},
		messages.TurnEnded{Outcome: messages.Incomplete, Text: "Two parts: one\n", Err: "it was cut"},
		messages.TurnStarted{Prompt: "never streamed"}, messages.TurnEnded{Outcome: messages.Completed, Text: "whole"},
		messages.TurnStarted{Prompt: "stop"}, messages.Text{Chunk: "half"}, messages.TurnEnded{Outcome: messages.Cancelled, Text: "half"},
		messages.Cleared{}, messages.Closed{},
	)
}

func TestEveryEventInPlainLines(t *testing.T) {
	talk, out := make(told, 1), &bytes.Buffer{}
	var batch []messages.Envelope
	for i, event := range evening() {
		batch = append(batch, messages.Envelope{Seq: uint64(i), At: time.Date(2026, 3, 1, 12, 0, i, 0, time.UTC), Event: event})
	}
	talk <- batch
	now := func() time.Time { return time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC) }
	front := plain.Screen{Config: plain.Config{
		Client: talk, Stdin: strings.NewReader(""), Stdout: out, Now: now,
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: talk, Front: front, Now: now}}
		},
	}}
	if err := front.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	goldentest.Assert(t, "every.txt", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
