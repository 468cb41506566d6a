package command_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/command"
)

// states maps the initial states of scenes in testdata/spoken.txt to their setup.
var states = map[string]func(*desk){
	"it has lists":      func(d *desk) { d.lists = true },
	"it has a terminal": func(d *desk) { d.terminal = nil },
	"it has colours":    func(d *desk) { d.colours = true },
	"the disk is full":  func(d *desk) { d.host.trouble = errFull },
	"nothing is there":  func(d *desk) { d.host.bare = true },
	"there are many":    func(d *desk) { d.host.many = true },
	"no clipboard":      func(d *desk) { d.clipboard = errors.New("there is no clipboard") },
	"a command prints":  func(d *desk) { d.host.printed = "one\ntwo\n\n" },
	"a command fails":   func(d *desk) { d.host.ended = errors.New("exit code 3") },
	"the person edits":  func(d *desk) { d.host.changed = "+ a line\n" },
	"a turn runs":       func(d *desk) { d.hear(messages.TurnStarted{Prompt: "sell"}) },
	"an answer came":    func(d *desk) { d.talk.Answer = "So:\n\n    indented\n\n```go\nx := 1\n```\n\x1b[2Jbye é" },
	"a plan is there": func(d *desk) {
		d.talk.Plan.Steps = []messages.Step{{Text: "look", Status: messages.StepDone}, {Text: "mend", Status: messages.StepInProgress}}
	},
	"the effort is high": func(d *desk) { d.talk.Effort = "high" },
	"the effort is odd":  func(d *desk) { d.talk.Effort = "max" },
	"gpt-4 answers":      func(d *desk) { d.talk.Model = "gpt-4" },
	"llama answers":      func(d *desk) { d.talk.Provider, d.talk.Model = "groq", "llama-3.3-70b" },
	"coding is on":       func(d *desk) { d.talk.Coding = true },
	"nothing opened":     func(d *desk) { d.talk.Approval = "" },
	"two things may": func(d *desk) {
		d.talk.Grants = []messages.Grant{{Number: 1, Covers: "go test"}, {Number: 4, Covers: "writing in /tmp"}}
	},
	"it cost":            func(d *desk) { d.talk.Usage = spent },
	"agents run":         agentsRun,
	"problems are known": problemsAreKnown,
	"it thought":         itThought,
	"a line is proposed": func(d *desk) { proposed(d, "Why.\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "+ a line\n") },
	"the same is wanted": func(d *desk) {
		proposed(d, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", " --- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b")
	},
	"no more is wanted":  func(d *desk) { proposed(d, "--- a/x\n+++ b/x\n", " \n") },
	"the model is there": func(d *desk) { d.hear(messages.ModelChanged{Provider: "groq", Model: "llama-3.3-70b"}) },
	"another took over": func(d *desk) {
		d.hear(messages.ModelChanged{Provider: "groq", Model: "llama-3.3-70b", Why: "it is down"})
	},
	"the effort is there": func(d *desk) { d.hear(messages.EffortChanged{Effort: "high"}) },
	"the effort went":     func(d *desk) { d.hear(messages.EffortChanged{}) },
	"it says a problem":   func(d *desk) { d.hear(messages.Notice{Level: messages.Problem, Text: "no such model"}) },
	"a picture is needed": func(d *desk) { d.hear(messages.NeedsShown{Pictures: 1}) },
	"any model will do":   func(d *desk) { d.hear(messages.NeedsShown{}) },
	"the window is shown": func(d *desk) { d.hear(messages.ContextShown{}) },
	"it opens": func(d *desk) {
		d.engine.Greeting, d.engine.FirstLine = []string{"Hello.", "It is late."}, "/keys"
		d.hear(messages.Opened{})
	},
	"the tree is read":    func(d *desk) { d.hear(messages.Tree{Turns: grownTree}) },
	"no turn is read":     func(d *desk) { d.hear(messages.Tree{}) },
	"nothing is kept":     func(d *desk) { d.hear(messages.Artifacts{}) },
	"outputs are kept":    func(d *desk) { d.hear(messages.Artifacts{All: outputs}) },
	"the key for models":  func(d *desk) { command.NextModel(d.engine) },
	"the key for efforts": func(d *desk) { command.NextEffort(d.engine) },
	"the key for modes":   func(d *desk) { d.engine.NextApproval() },
	"a voice says sell":   func(d *desk) { d.engine.Voice = func(context.Context, int) (string, error) { return " sell\n", nil } },
	"no microphone":       func(d *desk) { d.engine.CheckVoice = func() error { return errors.New("no microphone") } },
	"@ is looked up":      atIsLookedUp,
	"what is under way":   func(d *desk) { d.note("under way: %q", d.engine.Working()) },
	"it cancels":          func(d *desk) { d.note("cancelled: %v", d.engine.Cancel()) },
	"in shell mode":       func(d *desk) { d.note("shell mode: %v", d.engine.ShellMode()) },
}

var spent = messages.Usage{
	Cost: 0.25, Turns: 1, InputTokens: 1_234_567, CachedTokens: 1000, OutputTokens: 999,
	ModelTurns: map[string]int{"gpt-5": 1, "gpt-4": 3, "llama": 1}, ModelCost: map[string]float64{"gpt-5": 0.2, "gpt-4": 0.05},
	ToolCalls: map[string]int{"grep": 2, "read_file": 11}, Unpriced: []string{"llama", "phi"}, Estimated: 2,
}

var grownTree = []messages.TreeTurn{
	{Entry: 1, At: noon.Add(-3 * time.Hour), Prompt: "sell\nmore", Outcome: messages.Completed, Current: true},
	{Entry: 5, Parent: 1, At: noon.Add(-2 * time.Hour), Prompt: "one way", Label: "old", Outcome: messages.Cancelled},
	{Entry: 9, Parent: 1, At: noon.Add(-time.Minute), Prompt: "other \x1b[1mway", Label: "new", Current: true},
	{Entry: 12, Parent: 9, At: noon, Prompt: "end", Current: true},
}

var outputs = []messages.Artifact{
	{Number: 1, Address: "artifact:1", Path: "/a/1", Tool: "grep", Title: "grep x\nin all", At: noon.Add(-time.Hour), Size: 9_999, Total: 10_000, Lines: 1},
	{Number: 3, Address: "artifact:3", Path: "/a/3", Tool: "run_command", At: noon, Size: 10_000, Total: 10_000, Lines: 2},
	{Number: 4, Address: "artifact:4", Path: "/a/4", Tool: "fetch", Title: "a picture", At: noon, Size: 12_000_000, Total: 12_000_000, Media: "image/png"},
}

func agentsRun(d *desk) {
	d.hear(messages.ToolStarted{Call: "c1", Name: "launch_agent", Title: "look"})
	d.hear(messages.AgentChanged{Call: "c1", Agent: 1, Name: "reader", State: messages.AgentWorking, Doing: "grep", Took: time.Minute})
	d.hear(messages.AgentChanged{Call: "c1", Agent: 2, Name: "asker", State: messages.AgentAsking, Doing: "grep"})
	d.hear(messages.AgentChanged{Call: "c1", Agent: 3, Name: "idle", State: messages.AgentWorking, Took: 1500 * time.Millisecond})
}

func problemsAreKnown(d *desk) {
	d.hear(messages.Diagnosed{Files: []messages.FileProblems{
		{Path: "a.go", Server: "gopls", Problems: []messages.CodeProblem{{Path: "a.go", Line: 7, Severity: messages.SeverityError, Text: "undefined: b\nhere", Source: "compiler", Code: "E1"}}},
		{Path: "b.go", Server: "gopls", Problems: []messages.CodeProblem{{Path: "b.go", Line: 1, Severity: messages.SeverityWarning, Text: "unused"}, {Path: "b.go", Line: 2, Severity: messages.SeverityWarning, Text: "also"}}},
	}})
}

func itThought(d *desk) {
	d.hear(messages.TurnStarted{Prompt: "sell"})
	for _, thought := range []string{" to whom? ", "to all"} {
		d.hear(messages.Thinking{Chunk: thought})
		d.hear(messages.Text{Chunk: "so"})
	}
}

func atIsLookedUp(d *desk) {
	d.engine.Attach = func(_ context.Context, text, dir string) command.Attached {
		d.note("looks up %q in %s", text, dir)
		switch {
		case strings.HasPrefix(text, "@groq"):
			return command.Attached{Provider: "groq"}
		case strings.Contains(text, "@gone"):
			return command.Attached{Said: "there is no file gone"}
		}
		return command.Attached{Calls: []messages.ToolCall{{ID: "at1", Name: "read_file"}}}
	}
}

// proposed lets the user edit a proposed change.
func proposed(d *desk, detail, wanted string) {
	asked := messages.Asked{Ask: "a1", Diff: true, Detail: detail}
	why, diff := command.SplitProposal(asked)
	d.note("why %q, diff %q", why, diff)
	answer, edited, err := command.EditProposed(d.engine, asked, func(text string) (string, error) {
		d.note("edits the text %q", text)
		return wanted, nil
	})
	d.note("answers %+v, edited %v, error %v", answer, edited, err)
}

// Times are printed in UTC on every machine. Timers read the zone when they fire, so it is set
// before any test starts one.
func init() { time.Local = time.UTC }

func TestSlashCommands(t *testing.T) {
	const file = "testdata/spoken.txt"
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := sitDown(t)
	var played strings.Builder
	for line := range strings.Lines(string(content)) {
		mark, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if mark != "#" && mark != ">" && mark != ":" {
			continue
		}
		if mark == "#" {
			played.WriteString("\n")
			d = sitDown(t)
		}
		d.paper.Reset()
		played.WriteString(line)
		how, number, _ := strings.Cut(text, " ")
		state, is := states[text]
		switch {
		case mark == ">":
			d.engine.Take(strings.ReplaceAll(text, "␣", " "))
		case mark == ":" && is:
			state(d)
		case mark == ":":
			at, _ := strconv.Atoi(number)
			if d.open == nil {
				t.Fatalf("there is no %q, and no list is open", text)
			}
			d.choose(how, at)
		}
		played.WriteString(d.paper.String())
	}
	got := strings.TrimPrefix(played.String(), "\n")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(string(content), "\n")
	for n, line := range strings.Split(got, "\n") {
		if n >= len(want) || line != want[n] {
			t.Fatalf("%s:%d: it is now\n%s", file, n+1, line)
		}
	}
	if got != string(content) {
		t.Errorf("%s has more lines than it plays", file)
	}
}
