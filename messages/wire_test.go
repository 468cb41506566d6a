package messages_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

// every has one event of each type, with every field set.
var every = []messages.Event{
	messages.Opened{Profile: "main", Provider: "groq", Model: "llama", Dir: "/p", Coding: true, Approval: messages.ApproveEdits, Effort: "high"},
	messages.TurnStarted{Prompt: "go <on> & \"on\"", Request: "r1", Aside: true},
	messages.Text{Chunk: "héllo\n"},
	messages.Thinking{Chunk: "hm"},
	messages.ToolsCalled{Names: []string{"tree", "tree"}},
	messages.ToolStarted{Call: "c1", Name: "tree", Title: "tree cmd", Command: "tree cmd | head", Paths: []string{"/p/cmd"}},
	messages.ToolOutput{Call: "c1", Chunk: "half\n"},
	messages.ToolEnded{
		Call: "c1", Name: "tree", Status: messages.TimedOut, Summary: "a", Text: "a\nb", View: &messages.View{Kind: messages.Diff, Text: "-a"}, Exit: 2, Job: "cmd-x1", Took: time.Second, Title: "tree a", Command: "tree a | wc",
		Problems: []messages.CodeProblem{{Path: "a.go", Line: 3, Column: 7, Severity: messages.SeverityError, Source: "compiler", Code: "E1", Text: "undefined: a"}},
	},
	messages.AgentChanged{Call: "c1", Agent: 2, Name: "find callers", State: messages.AgentWorking, Doing: "code_grep Open", Rounds: 3, Tokens: 1200, Cost: 0.01, Took: time.Second},
	messages.Asked{Ask: "c2", Kind: messages.AskConsent, Tool: "run_command", Title: "Run?", Detail: "ls", Diff: true, Choices: []messages.Choice{messages.Yes, messages.Always, messages.No}, Always: "all `ls …` commands in this conversation", More: "-- a --\n"},
	messages.Asked{Ask: "c3", Kind: messages.AskChoice, Tool: "ask_user", Title: "Two questions", Detail: "Where?\nWhen?", Choices: []messages.Choice{messages.Yes, messages.No}, Deadline: deadline, Questions: []messages.Question{
		{Text: "Where?", Options: []messages.Option{{Label: "sqlite", Reason: "one file", Recommended: true}, {Label: "files"}}, Several: true, Free: true, Default: []string{"sqlite"}}, {Text: "When?", Free: true},
	}},
	messages.Asked{Ask: "c4", Kind: messages.AskForm, Title: "Fill it in", Choices: []messages.Choice{messages.Yes, messages.No}, Deadline: deadline, Fields: []messages.Field{
		{Name: "name", Title: "Your name", Doc: "as on the door", Type: messages.StringField, Required: true},
		{Name: "size", Type: messages.NumberField, Default: 1.5},
		{Name: "loud", Type: messages.BooleanField, Default: false},
		{Name: "colour", Type: messages.EnumField, Options: []string{"red", "blue"}, Default: "red"},
	}},
	messages.Asked{Ask: "c5", Kind: messages.AskPlan, Tool: "propose_plan", Title: "Carry out this plan?", Detail: "1. mend it", Choices: []messages.Choice{messages.Yes, messages.No}, Deadline: deadline},
	messages.Answered{Ask: "c3", Choice: messages.No, Chosen: []messages.Chosen{{Options: []string{"sqlite"}}, {Text: "today"}}, Default: true},
	messages.Answered{Ask: "c4", Choice: messages.Yes, Values: map[string]any{"name": "alex", "size": 1.5}},
	messages.Answered{Ask: "c5", Choice: messages.Yes, Mode: messages.ApproveEdits},
	messages.Answered{Ask: "c2", Choice: messages.No, Text: "use find"},
	messages.PlanChanged{Plan: messages.Plan{Why: "half is done", Steps: []messages.Step{{Text: "look", Status: messages.StepDone}, {Text: "mend", Status: messages.StepInProgress}, {Text: "test", Status: messages.StepPending}, {Text: "tell", Status: messages.StepCancelled}}}},
	messages.AgentShown{Call: "call_t1_1", Agent: 2, Name: "tests", State: messages.AgentWorking, Text: "> run the tests\n\n✓ run_command go test: ok", More: true},
	messages.ContextShown{Parts: []messages.ContextPart{{Kind: "instructions", Name: "AGENTS.md", Path: "/work/AGENTS.md", Tokens: 120, State: "loaded"}}},
	messages.NeedsShown{Tokens: 1200, Pictures: 2, Bound: []string{"/home/me/taxes"}},
	messages.Changes{Files: []messages.ChangedFile{{Path: "/p/b.go", Name: "b.go", Was: "a.go", New: true, Deleted: true, Added: 1, Removed: 2, Patch: "--- a\n", Missing: "gone", Hunks: []string{"@@ -1,2 +1,1 @@\n"}, Seen: "0a1b", Refused: "it was changed since"}}, Added: 1, Removed: 2, Notes: []string{"commands ran"}},
	messages.EffortChanged{Effort: "high", Takes: "medium"},
	messages.Granted{Grants: []messages.Grant{{Number: 3, Covers: "all `ls …` commands"}}},
	messages.Refused{Request: "r2", Err: "no turn is running"},
	messages.Steered{Request: "r4", Prompt: "in blue"},
	messages.Withdrawn{Request: "r3", Prompt: "later"},
	messages.Notice{Level: messages.Warning, Text: "careful"},
	messages.Waiting{Why: "limited", Until: time.Date(2026, 11, 20, 11, 31, 0, 0, time.UTC)},
	messages.ModelChanged{Provider: "gemini", Model: "flash", Why: "asked", Stays: true},
	messages.Cleared{Why: messages.ClearedRewind},
	messages.Rewound{Prompt: "go", Again: true},
	messages.Tree{Turns: []messages.TreeTurn{{Entry: 4, At: time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC), Prompt: "go", Label: "works", Outcome: messages.Completed, Current: true}, {Entry: 9, Parent: 4, At: time.Date(2026, 11, 20, 11, 1, 0, 0, time.UTC), Prompt: "on"}}},
	messages.Artifacts{All: []messages.Artifact{{Number: 3, Address: "artifact:3", Path: "/home/me/3.txt", Tool: "run_command", Title: "run_command make test", At: time.Date(2026, 11, 20, 11, 2, 0, 0, time.UTC), Size: 67108864, Total: 90000000, Lines: 1200000, Foreign: true}}},
	messages.ModeChanged{Dir: "/q", Coding: true, Profile: "alex", Approval: messages.ApprovePlan},
	messages.Compacted{Before: 200_000, After: 40_000},
	messages.UsageChanged{Usage: usage, Context: messages.Context{Used: 110, Limit: 226_000}},
	messages.Recalled{At: time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC), Prompt: "and then?", Steps: []messages.RecalledStep{
		{Text: "let me look"},
		{Tool: "tree", Title: "tree cmd", Command: "tree cmd\nls", Status: messages.OK, Text: "a\nb", Source: messages.FromFile, Pictures: []string{"shot.png"}},
		{Text: "so it is", Model: "groq/llama", At: time.Date(2026, 11, 20, 11, 0, 5, 0, time.UTC), Thinking: "hm", Usage: messages.RoundTrip{Input: 10, Output: 2, Cost: 0.01}},
	}, Shown: []string{"map.png"}, Outcome: messages.Failed, Err: "cut"},
	messages.Resumed{ID: "20261120-110000-abcdef", Title: "go on", Turns: 3, Left: time.Date(2026, 11, 20, 11, 5, 0, 0, time.UTC), Earlier: true, From: "20261119-090000-uvwxyz"},
	messages.TurnEnded{Outcome: messages.Incomplete, Text: "half", Usage: usage, Err: "cut", Exit: true, Stop: messages.StopOutput},
	messages.Closed{},
	messages.Diagnosed{Files: []messages.FileProblems{{Path: "a.go", Server: "gopls", Problems: []messages.CodeProblem{{Path: "a.go", Line: 3, Severity: messages.SeverityWarning, Text: "unused"}}}, {Path: "b.go", Problems: []messages.CodeProblem{}}}, Servers: []string{"gopls"}},
}

var deadline = time.Date(2026, 11, 20, 11, 40, 0, 0, time.UTC)

var usage = messages.Usage{
	Cost: 0.5, Turns: 2, ModelTurns: map[string]int{"llama": 2}, ModelCost: map[string]float64{"llama": 0.5},
	InputTokens: 100, CachedTokens: 50, OutputTokens: 10, ToolCalls: map[string]int{"tree": 2}, Unpriced: []string{"x/y"},
}

// The golden file is the published form of events. A line that changes its meaning
// needs a new WireVersion.
func TestWireForm(t *testing.T) {
	var lines strings.Builder
	at := time.Date(2026, 11, 20, 11, 30, 0, 123_000_000, time.UTC)
	for i, event := range every {
		encoded, err := messages.Envelope{Seq: uint64(i + 1), Session: "s1", Turn: "t1", At: at, Event: event}.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(encoded)
		lines.WriteByte('\n')
	}
	isGolden(t, "events.golden.jsonl", lines.String())
}

func TestEveryEventIsInTheGoldenFile(t *testing.T) {
	if declared := methods(t, "event.go", "eventName"); declared != kinds(every) {
		t.Errorf("%d events are declared, %d are in the golden file", declared, kinds(every))
	}
}

// isGolden compares with a file in testdata, which make golden rewrites.
func isGolden(t *testing.T, name, lines string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		if err := os.WriteFile(golden, []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if lines != string(want) {
		t.Errorf("the published form changed (make golden rewrites it):\n%s", lines)
	}
}

// kinds counts the types in a list; some types occur several times.
func kinds[T any](list []T) int {
	types := map[reflect.Type]bool{}
	for _, each := range list {
		types[reflect.TypeOf(each)] = true
	}
	return len(types)
}

// methods counts the types that event.go or op.go declares as an event or op, by their method.
func methods(t *testing.T, file, name string) (declared int) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, declaration := range parsed.Decls {
		if method, ok := declaration.(*ast.FuncDecl); ok && method.Name.Name == name {
			declared++
		}
	}
	return declared
}

func TestOneOutcomeDecidesTheExitCode(t *testing.T) {
	for outcome, code := range map[messages.Outcome]int{
		messages.Completed: 0, messages.Failed: 1, messages.Cancelled: 1, messages.Incomplete: 1, "": 1,
	} {
		if got := outcome.ExitCode(); got != code {
			t.Errorf("%q exits %d, want %d", outcome, got, code)
		}
	}
}

// A window in another process reads each event as it was written.
func TestEnvelopesAreReadAsTheyWereWritten(t *testing.T) {
	for _, event := range every {
		written := messages.Envelope{Seq: 7, Session: "s1", Turn: "t1", At: deadline, Event: event}
		text, err := json.Marshal(written)
		if err != nil {
			t.Fatal(err)
		}
		var read messages.Envelope
		if err := json.Unmarshal(text, &read); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		again, err := json.Marshal(read)
		if err != nil || string(again) != string(text) || read.Seq != 7 {
			t.Errorf("%s\nbecomes %s, %v", text, again, err)
		}
	}
}
