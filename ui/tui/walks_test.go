package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/view"
)

var begun = messages.Opened{Profile: "default", Provider: "test", Model: "test-model", Dir: "/p", Coding: true, Approval: messages.ApproveEdits}

// Each key that edits the input, and that looks back in what was typed.
func TestEachKeyOfTheInput(t *testing.T) {
	walks(t, "input", 60, 14, nil, slices.Concat([]any{begun}, keys(
		"'one two", "Left", "Ctrl-B", "Right", "Alt-b", "Ctrl-Left", "Alt-f", "Ctrl-Right", "Home", "End", "Ctrl-A", "Ctrl-E",
		"Ctrl-J", "'three four", "Up", "Down", "Home", "Ctrl-K", "Ctrl-Y", "Ctrl-U", "Ctrl-Y", "Ctrl-W", "Alt-y", "Ctrl-_", "Alt-_",
		"Backspace", "Ctrl-H", "Left", "Delete", "Alt-b", "Alt-d", "Ctrl-Y", "Enter", "'second", "Enter", "'draft", "Up", "Up", "Up", "Down", "Ctrl-N", "Ctrl-N",
		"Ctrl-U", "Ctrl-R", "'o", "Ctrl-R", "Ctrl-R", "'zz", "Backspace", "Backspace", "Backspace", "'sec", "Left", "Ctrl-U",
		"Ctrl-R", "'one", "Enter", "Ctrl-U", "Ctrl-R", "'x", "Esc", "Ctrl-R", "Ctrl-G",
		"'x", "Alt-Enter", "'y", "Ctrl-C", "Ctrl-C", "'z", "Ctrl-D", "Home", "Ctrl-D", "Ctrl-D", "Ctrl-Q",
	))...)
}

// Ctrl-C and Ctrl-D where nothing runs: what is typed goes, then a hint, then the program.
func TestEachWayToLeave(t *testing.T) {
	walks(t, "leaving", 60, 8, nil, slices.Concat([]any{begun}, keys("'text", "Ctrl-C", "Ctrl-C", "x", "Ctrl-U", "Ctrl-C"), []any{10 * time.Second}, keys("Esc", "Ctrl-C", "Ctrl-C", "Ctrl-C"))...)
	// what is typed behind it changes nothing any more
}

// What waits for a running turn, taken back, withdrawn and sent behind it.
func TestEachWayOfWhatWaits(t *testing.T) {
	ends := messages.TurnEnded{Outcome: messages.Completed, Text: "done"}
	walks(t, "queue", 60, 16, nil, slices.Concat([]any{begun, messages.TurnStarted{Prompt: "go"}},
		keys("Alt-Up", "'one", "Enter", "'two", "Alt-Enter", "'three", "Alt-Enter", "'four", "Alt-Enter", "'five", "Alt-Up", "Ctrl-U", "Alt-Up", "Ctrl-U", "Alt-Up", "Ctrl-U", "Alt-Up", "Ctrl-U"),
		[]any{messages.Withdrawn{Request: "steer-1", Prompt: "one"}}, keys("!", "Ctrl-U", "'!pro ask copilot", "Enter", "'last", "Enter"),
		[]any{messages.Steered{Request: "steer-2", Prompt: "last"}, ends}, []any{ends}, keys("'mine", "Alt-Enter", "'a", "Enter"),
		[]any{messages.TurnStarted{Prompt: "again"}}, keys("'kept", "Alt-Enter", "'draft"), []any{messages.TurnEnded{Outcome: messages.Cancelled}},
		[]any{messages.TurnEnded{Exit: true, Outcome: messages.Completed, Text: "bye"}},
	)...)
}

// talked is a conversation to read.
func talked() []any {
	return []any{
		begun,
		messages.TurnStarted{Prompt: "first"},
		messages.Thinking{Chunk: "I think\nof it"},
		messages.ToolStarted{Call: "c1", Name: "read_file", Title: "read_file a.txt"},
		messages.ToolEnded{Call: "c1", Name: "read_file", Status: messages.OK, Summary: "3 lines", Text: "one\ntwo\nthree"},
		messages.Text{Chunk: "An answer:\n\n```go\nfunc a() {}\n```\n\nand\n\n```sh\nls\n```\n"},
		messages.TurnEnded{Outcome: messages.Completed, Text: "x"},
		messages.TurnStarted{Prompt: "second"},
		messages.ToolStarted{Call: "c2", Name: "apply_patch", Title: "apply_patch b.txt"},
		messages.ToolEnded{Call: "c2", Name: "apply_patch", Status: messages.OK, Text: "changed", View: &messages.View{Kind: messages.Diff, Text: "--- b.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n same\n-old word\n+new word\n"}},
		messages.Text{Chunk: strings.Repeat("More words of it.\n\n", 12)},
		messages.TurnEnded{Outcome: messages.Completed, Text: "x"},
		messages.TurnStarted{Prompt: "third"},
		messages.Text{Chunk: "The word is here."},
		messages.TurnEnded{Outcome: messages.Failed, Err: "it broke"},
	}
}

// Each key that goes through the conversation, folds in it, finds and copies.
func TestEachKeyOfReading(t *testing.T) {
	copies := func(c *Config) {
		c.Copy = func(text string) (string, error) { return "a program", nil }
	}
	walks(t, "reading", 60, 20, copies, slices.Concat([]any{begun}, keys("Alt-r", "Alt-c", "Alt-x", "Ctrl-Up", "Ctrl-F", "Esc"), talked(), keys(
		"PgUp", "Shift-Up", "Shift-Down", "PgDn", "Ctrl-Home", "Ctrl-End", "Home", "End", "Ctrl-Up", "Alt-p", "Ctrl-Down", "Alt-n", "Alt-n",
		"Ctrl-O", "Ctrl-T", "Ctrl-O", "Ctrl-T", "Ctrl-Home",
		"Alt-r", "k", "k", "Up", "Up", "Up", "Up", "Up", "Up", "Up", "Enter", " ", "Down", "j", "Enter", "x", "Y", "e", "Down", "Down", "y", "c", "[", "[", "]", "e", "q",
		"F3", "g", "?", "x", "i", "Alt-r", "/", "'word", "Up", "Down", "Ctrl-N", "Ctrl-P", "Ctrl-F", "Backspace", "'q", "Up", "Down", "Ctrl-U", "Up", "Down", "'of it", "Enter", "n", "N", "n", "F3",
		"Ctrl-F", "'more", "Esc", "Ctrl-F", "'more", "Ctrl-C", "Ctrl-F", "'here", "Ctrl-G", "Ctrl-F", "'here", "Left",
	))...)
}

// A question about a command, from the moment in which nothing answers it.
func TestEachKeyOfAQuestion(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("a line of the command\n", 14), "\n")
	asked := func(id string) messages.Asked {
		return messages.Asked{Ask: id, Kind: messages.AskConsent, Tool: "run_command", Title: "Run this command?", Detail: long, Choices: []messages.Choice{messages.Yes, messages.No, messages.Always}, Always: "all `a` commands", More: "what it is about\nsecond row", Position: 1, Total: 2}
	}
	short := asked("q2")
	short.Detail, short.More, short.Total = "ls", "", 0
	host := messages.Asked{Ask: "q3", Kind: messages.AskConsent, Tool: "fetch", Title: "Ask this host?", Detail: "GET https://example.org", Host: "example.org", Choices: []messages.Choice{messages.Yes, messages.No, messages.Always}, Always: "example.org"}
	bare := messages.Asked{Ask: "q4", Kind: messages.AskConsent, Title: "Go on?", Detail: "as it is", Choices: []messages.Choice{messages.Yes, messages.No}}
	walks(t, "question", 70, 22, nil, slices.Concat([]any{begun}, keys("'draft"), []any{messages.TurnStarted{Prompt: "go"}, asked("q1")},
		keys("y", "Enter", "PgDn", "PgUp", "Down", "Shift-Down", "Up", "Shift-Up", "Right", "Tab", "Left", "v", "v", "q"), []any{time.Second},
		keys("PgDn", "PgDn", "i", "'tell me", "Left", "Ctrl-B", "Right", "Home", "Delete", "End", "Backspace", "Ctrl-H", "Ctrl-A", "Ctrl-E", "Ctrl-W", "Ctrl-U", "Enter", "Esc", "i", "Ctrl-G", "i", "'do less", "Enter"),
		[]any{short}, keys("Enter", "a"), []any{host}, keys("n"), []any{bare}, keys("i", "a"), []any{time.Second}, keys("Left", "Left", "Right", "Enter"),
		[]any{asked("q5"), messages.Answered{Ask: "q5", Choice: messages.No}, bare}, keys("Esc", "Ctrl-C", "Esc"),
	)...)
}

// A plan that waits to be decided about.
func TestEachKeyOfAPlanQuestion(t *testing.T) {
	plan := func(id string, rows int) messages.Asked {
		return messages.Asked{Ask: id, Kind: messages.AskPlan, Title: "Carry out this plan?", Detail: strings.TrimSuffix(strings.Repeat("a step\n", rows), "\n"), Choices: []messages.Choice{messages.Yes, messages.No}}
	}
	walks(t, "plan_question", 60, 18, nil, slices.Concat([]any{begun, messages.TurnStarted{Prompt: "go"}, plan("p1", 20)}, keys("e", "Right", "Tab", "Left", "Shift-Tab", "Left", "Left", "Left", "Enter", "PgDn", "PgDn", "e"),
		[]any{plan("p2", 2)}, keys("Enter", "A"), []any{plan("p3", 2)}, keys("x", "c", "'more tests", "Enter"), []any{plan("p4", 2)}, keys("I", "Esc", "N"), []any{plan("p5", 2)}, keys("Esc"),
		[]any{plan("p6", 2)}, keys("x", "Left", "Left", "Left", "Enter"), []any{plan("p7", 2)}, keys("x", "Y"))...)
}

// A sheet with a page for each question, and a form.
func TestEachKeyOfASheet(t *testing.T) {
	choice := messages.Asked{Ask: "s1", Kind: messages.AskChoice, Title: "Some questions", Detail: "About the store", Choices: []messages.Choice{messages.Yes, messages.No}, Questions: []messages.Question{
		{Text: "Where?", Free: true, Default: []string{"files"}, Options: []messages.Option{{Label: "sqlite", Reason: "one file"}, {Label: "files", Recommended: true}, {Label: "memory"}}},
		{Text: "Which?", Several: true, Options: []messages.Option{{Label: "red"}, {Label: "blue"}, {Label: "green"}}},
		{Text: "Why?", Free: true, Default: []string{"because"}},
	}}
	form := messages.Asked{Ask: "s2", Kind: messages.AskForm, Title: "A form", Choices: []messages.Choice{messages.Yes, messages.No}, Fields: []messages.Field{
		{Name: "name", Title: "Your name", Doc: "as on the card", Type: messages.StringField, Required: true},
		{Name: "count", Type: messages.NumberField, Default: 3.0},
		{Name: "sure", Type: messages.BooleanField},
		{Name: "size", Type: messages.EnumField, Options: []string{"small", "large"}, Default: "large"},
	}}
	late := choice
	late.Ask = "s3"
	walks(t, "sheet", 60, 20, nil, slices.Concat([]any{begun, messages.TurnStarted{Prompt: "go"}, choice}, keys(
		"x", "Up", "Up", "Down", "Down", "Down", "Enter", "'own", "Enter", "Left", "Right", "1", "3", " ", "Down", " ", "9", "Enter", "Shift-Tab", "Tab", "'words", "Up", "Down", "Enter",
	), []any{form}, keys("Enter", "'Kim", "Enter", "'three", "Enter", "Ctrl-U", "'4", "Enter", "2", "Right", "Up", "Enter", "Down", "Enter"),
		[]any{func(w *walk) { late.Deadline = w.now.Add(90 * time.Second); w.step(late) }}, []any{30 * time.Second}, keys("Right", "2", "Enter", "Esc"), []any{form}, keys("Down", "Esc"))...)
}

// A list to choose from, searched and left.
func TestEachKeyOfAList(t *testing.T) {
	var items []view.Item
	for _, name := range []string{"amber", "beige", "coral", "denim", "ebony", "fawn", "gold", "hazel", "indigo", "jade", "khaki", "lilac", "mauve", "navy"} {
		items = append(items, view.Item{Text: name, Note: "a colour", Preview: "It is called " + name + ".\nSecond row."})
	}
	open := func(w *walk) {
		w.told.WriteString("-- a list opens --\n")
		said := func(what string) func(int) {
			return func(index int) { w.told.WriteString("   " + what + " " + items[index].Text + "\n") }
		}
		front{w.screen}.Pick(command.Pick{List: view.List{Title: "Which colour?", Items: items}, Chosen: said("chosen"), Moved: said("at"), Left: func() { w.told.WriteString("   left\n") }})
	}
	walks(t, "list", 60, 20, nil, slices.Concat([]any{begun}, keys("'draft"), []any{open}, keys("Down", "Ctrl-N", "Tab", "Up", "Ctrl-P", "Shift-Tab", "Up", "PgDn", "PgDn", "PgUp", "End", "Home", "'in", "Backspace", "Ctrl-W", "'zzz", "Enter", "Ctrl-U", "'navy", "Enter"),
		[]any{open}, keys("Esc"), []any{open}, keys("Ctrl-C"), []any{open}, keys("'l", "Left", "'i"), []any{tcell.NewEventPaste(true), func(w *walk) { w.press("'a\tb") }, tcell.NewEventPaste(false)},
		[]any{tcell.NewEventMouse(5, 5, tcell.WheelDown, 0), tcell.NewEventMouse(5, 5, tcell.WheelUp, 0)}, keys("Ctrl-L"))...)
}

// Completions of commands and of files.
func TestEachKeyOfCompletion(t *testing.T) {
	lists := func(c *Config) {
		c.Complete = func(kind command.Kind, dir, prefix string) []command.Completion {
			if kind == command.KindCommand {
				return []command.Completion{{Item: "/tidy", Note: "a command of a file"}}
			}
			return command.Unnoted([]string{"docs/", "docs-old.txt", "doc.go", "a name that is much too long for the width of this window.txt"})
		}
	}
	walks(t, "completion", 60, 20, lists, slices.Concat([]any{begun}, keys("/", "Down", "Down", "Up", "Shift-Tab", "Up", "Esc", "Ctrl-U", "/", "Enter", "Ctrl-U", "/", "t"), []any{follow}, keys("Tab", "Ctrl-U", "/", "t", "Down"), []any{follow}, keys("Enter", "Ctrl-U", "/", "z"), []any{follow},
		keys("Tab"), []any{follow}, keys("Ctrl-U", "@"), []any{follow}, keys("d"), []any{follow, follow}, keys("Tab", "Down", "Enter"), []any{follow, follow}, keys("Down", "Up", "Esc", "Tab"), []any{follow}, keys("Ctrl-U", "'no list", "Tab"))...)
}

// The page of keys, scrolled and closed, and the list of everything.
func TestEachKeyOfThePages(t *testing.T) {
	walks(t, "pages", 80, 14, nil, slices.Concat([]any{begun}, keys("F1", "Down", "Shift-Down", "Up", "Shift-Up", "PgDn", "PgUp", "Up", "Enter", "F1", "Ctrl-L", "F1", "Left", "F2", "'mouse", "Enter", "F6", "F2", "'/theme", "Esc", "F2", "'/branch", "Enter", "F2", "'/label", "Enter"))...)
}

// The page of a sub-agent that speaks, and is stopped.
func TestEachKeyOfASubAgent(t *testing.T) {
	shown := messages.AgentShown{Call: "c", Agent: 2, Name: "look", State: messages.AgentWorking, Text: strings.TrimSuffix(strings.Repeat("It looks.\n", 20), "\n")}
	more := shown
	more.Text, more.More = shown.Text+"\nAnd found it.", true
	changed := func(state messages.AgentState) messages.AgentChanged {
		return messages.AgentChanged{Call: "c", Agent: 2, Name: "look", State: state, Doing: "read_file", Rounds: 3, Tokens: 1500, Cost: 0.02, Took: 3 * time.Second}
	}
	walks(t, "sub_agent", 60, 16, nil, slices.Concat([]any{begun, messages.TurnStarted{Prompt: "go"}, messages.ToolStarted{Call: "c", Name: "run_subagents", Title: "2 sub-agents"}, changed(messages.AgentWorking), shown, more}, keys("Up", "PgUp"), []any{more}, keys("s", "PgDn"),
		[]any{changed(messages.AgentAsking), changed(messages.AgentEnded)}, keys("s", "x"), []any{more, changed(messages.AgentFailed)})...)
}

// The panel of a plan, in all its sizes and states.
func TestEachSizeOfAPlan(t *testing.T) {
	step := func(text string, status messages.StepStatus) messages.Step {
		return messages.Step{Text: text, Status: status}
	}
	plan := messages.Plan{Why: "the tests came first", Steps: []messages.Step{step("read", messages.StepDone), step("ask", messages.StepCancelled), step("write", messages.StepInProgress), step("test", messages.StepPending), step("document", messages.StepPending), step("land", messages.StepPending)}}
	done := messages.Plan{Steps: []messages.Step{step("read", messages.StepDone), step("write", messages.StepDone)}}
	far := messages.Plan{}
	for range 9 {
		far.Steps = append(far.Steps, step("done", messages.StepDone))
	}
	far.Steps = append(far.Steps, step("at it", messages.StepInProgress), step("later", messages.StepPending))
	walks(t, "plan", 50, 30, nil, slices.Concat([]any{begun, messages.TurnStarted{Prompt: "go"}, messages.PlanChanged{Plan: plan}}, keys("F5", "F5", "F5"), []any{messages.PlanChanged{Plan: far}}, keys("F5", "Alt-t"), []any{messages.PlanChanged{Plan: done}, messages.PlanChanged{}})...)
}

// What the line at the top, the rule and the title say of what goes on.
func TestEachStateOfTheStatus(t *testing.T) {
	problem := messages.CodeProblem{Path: "a.go", Line: 3, Severity: messages.SeverityError, Text: "undefined: x"}
	told := func(w *walk) {
		w.step(messages.Waiting{Why: "rate limit", Until: w.now.Add(21 * time.Second)})
		w.step(messages.Waiting{Why: "no word", Since: w.now.Add(-5 * time.Second)})
	}
	walks(t, "status", 90, 8, func(c *Config) { c.Notify = "bell" }, slices.Concat([]any{
		begun,
		messages.EffortChanged{Effort: "high", Takes: "high"},
		messages.ModeChanged{Dir: "/q", Approval: messages.ApprovePlan, Profile: "kim"},
		messages.UsageChanged{Usage: messages.Usage{Cost: 0.12, Turns: 2, InputTokens: 1000, OutputTokens: 200}, Context: messages.Context{Used: 45000, Limit: 200000}},
		messages.Diagnosed{Files: []messages.FileProblems{{Path: "a.go", Server: "gopls", Problems: []messages.CodeProblem{problem}}}, Servers: []string{"gopls"}},
		messages.TurnStarted{Prompt: "go"},
		told,
		messages.Waiting{},
		tcell.NewEventFocus(false), 30 * time.Second,
		messages.TurnEnded{Outcome: messages.Failed, Err: "no"},
		tcell.NewEventFocus(true),
	}, keys("'!sh", "Enter", "'exit", "Enter"))...)
}

// Sizes from the smallest up, with a conversation on the screen.
func TestEachSizeOfTheScreen(t *testing.T) {
	sized := func(width, height int) any {
		return func(w *walk) {
			w.cells.SetSize(width, height)
			w.step(tcell.NewEventResize(width, height))
		}
	}
	walks(t, "sizes", 60, 18, nil, slices.Concat(talked(), []any{sized(19, 10), sized(20, 5), sized(20, 4), sized(24, 9), sized(44, 17), sized(44, 18), sized(90, 24)})...)
}

// What the mouse does: each event is at another cell than the one before.
func TestEachUseOfTheMouse(t *testing.T) {
	at := func(x, y int, buttons tcell.ButtonMask) any { return tcell.NewEventMouse(x, y, buttons, 0) }
	drag := func(x, y, toX, toY int) []any {
		return []any{at(x, y, tcell.Button1), at(toX, toY, tcell.Button1), at(toX, toY, tcell.ButtonNone)}
	}
	click := func(x, y int) []any { return []any{at(x, y, tcell.Button1), at(x, y, tcell.ButtonNone)} }
	copies := func(c *Config) { c.Copy = func(text string) (string, error) { return "a program", nil } }
	walks(t, "mouse", 60, 20, copies, slices.Concat(talked(), []any{at(1, 1, tcell.WheelUp), at(2, 2, tcell.WheelDown), at(3, 3, tcell.WheelUp)}, keys("Ctrl-Home"), click(5, 4), click(6, 3), drag(2, 1, 9, 3), keys("x"), click(1, 0), click(1, 19),
		drag(4, 9, 4, 30), drag(7, 5, 8, 0), []any{tcell.NewEventMouse(3, 3, tcell.Button1, tcell.ModShift)}, keys("F6"), click(5, 5), keys("F6", "F1"), click(5, 6), keys("x"))...)
}
