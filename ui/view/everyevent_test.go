package view_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

// This function returns events other than those of an ordinary turn: a resumed conversation,
// changes, and each way in which a call ends.
func later(t *testing.T) []messages.Event {
	t.Helper()
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewRGBA(image.Rect(0, 0, 8, 6))); err != nil {
		t.Fatal(err)
	}
	picture := messages.Picture{Name: "map.png", Type: "image/png", Data: drawn.Bytes(), Width: 8, Height: 6}
	gone := messages.Picture{Name: "gone.png", Type: "image/png"}
	left := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	events := []messages.Event{
		messages.TurnStarted{Prompt: "cleared"},
		messages.ToolStarted{Call: "cleared"},
		messages.Cleared{},
		messages.Opened{Profile: "default", Provider: "groq", Model: "llama", Dir: "/p", Approval: messages.ApproveEdits},
		messages.Recalled{Prompt: "and then?", Shown: []string{"[picture 1: map.png]"}, Images: []messages.Picture{picture, gone}, Outcome: messages.Failed, Err: "cut", Steps: []messages.RecalledStep{
			{Thinking: "first this"},
			{Text: "let me *look*"},
			{Tool: "tree", Title: "tree cmd", Status: messages.OK, Text: "a\nb", Images: []messages.Picture{picture}},
			{Tool: "run_command", Title: "make", Status: messages.OK, Exit: 2, Text: "no rule"},
			{Tool: "run_command", Title: "serve", Status: messages.OK, Job: "cmd-x1", Text: "it runs"},
			{Tool: "read_file", Title: "read_file z", Status: messages.ToolError, Text: "it is gone"},
			{Said: true, Text: "in blue", Images: []messages.Picture{picture}},
			{Text: "so it is", Thinking: "hm"},
		}},
		messages.Recalled{Prompt: "again"},
		messages.Resumed{ID: "20261120-110000-abcdef", Title: "go on", Turns: 3, Left: left, Earlier: true, From: "20261119-090000-uvwxyz"},
		messages.Resumed{ID: "20261120-110000-abcdef", Turns: 1, Left: left},
	}
	events = append(events,
		messages.Rewound{Prompt: "again"}, messages.Rewound{Prompt: "again", Again: true},
		messages.ModeChanged{Dir: "/p", Coding: true, Approval: messages.ApproveEdits},
		messages.ModeChanged{Dir: "/q", Coding: true, Approval: messages.ApproveEdits},
		messages.ModeChanged{Dir: "/q", Approval: messages.ApprovePlan},
		messages.ModelChanged{Provider: "gemini", Model: "flash"}, messages.ModelChanged{Provider: "groq", Model: "llama", Why: "asked"},
		messages.Compacted{Before: 200_000, After: 40_000},
		messages.TurnStarted{Prompt: "beside it", Aside: true}, messages.Text{Chunk: "of course"}, messages.TurnEnded{Outcome: messages.Completed, Text: "of course"},
		messages.TurnStarted{Prompt: "go", Pictures: []string{"[picture 2: a.png]"}, Images: []messages.Picture{picture}},
		messages.Waiting{Why: "limited: 3 s", Until: start.Add(3 * time.Second)}, messages.Waiting{Why: "nothing comes"},
		messages.Steered{Prompt: "in green"},
	)
	for _, end := range []messages.ToolEnded{
		{Status: messages.OK, Text: "done\nall", Summary: "2 lines", Images: []messages.Picture{picture, gone}},
		{Status: messages.OK, Exit: 3, Text: "no", Summary: "no"},
		{Status: messages.OK, Job: "cmd-x2", Text: "it runs"},
		{Status: messages.ToolError, Text: "Error: gone", Summary: "gone"},
		{Status: messages.Denied, Text: "not executed", Summary: "not executed"},
		{Status: messages.Forbidden, Text: "not allowed", Summary: "not allowed"},
		{Status: messages.TimedOut, Text: "too long", Summary: "too long"},
		{Status: messages.Interrupted, Text: "cancelled"},
		{Status: messages.Crashed, Text: "internal error"},
		{Status: messages.OK, View: &messages.View{Kind: messages.Diff, Text: "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-take one_1 of all words\n+take one_2 of all words\n"}},
		{Status: messages.ToolError, View: &messages.View{Kind: messages.Diff, Text: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}},
	} {
		end.Call, end.Name, end.Took = fmt.Sprint(len(events)), "run_command", 1500*time.Millisecond
		events = append(events, messages.ToolStarted{Call: end.Call, Name: end.Name, Title: "run_command make"}, end)
	}
	return append(events,
		messages.ToolStarted{Call: "agents", Name: "launch_agent", Title: "launch_agent look"},
		messages.AgentChanged{Call: "agents", Agent: 1, Name: "reader", State: messages.AgentWorking, Doing: "grep", Rounds: 3, Tokens: 1200, Cost: 0.01, Took: time.Second},
		messages.AgentChanged{Call: "agents", Agent: 2, Name: "asker", State: messages.AgentAsking},
		messages.Notice{Level: messages.Info, Text: "a job ended"}, messages.Notice{Level: messages.Problem, Text: "it is full"},
		messages.TurnEnded{Outcome: messages.Cancelled, Text: "never streamed"},
	)
}

func TestEveryEventIsDrawn(t *testing.T) {
	v := shown(later(t)...)
	for _, each := range []struct {
		name  string
		width int
		open  bool
	}{{"every-folded-70", 70, false}, {"every-open-70", 70, true}, {"every-open-30", 30, true}} {
		window := view.Window{Results: each.open, Thoughts: each.open, Room: func(int, int) int { return 2 }}
		compare(t, each.name+".txt", drawing(window.Show(v.Blocks, each.width, 1000, start.Add(90*time.Second))))
	}
}
