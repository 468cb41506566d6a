package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/keymap"
)

// wanderer presses keys and hears of things in no order, always the same way.
type wanderer struct {
	random        *rand.Rand
	width, height int
	number        int
	running       bool
	keys          []string
	asked         string
	asking        bool // most of what is heard is a question
}

// leaves are keys that wait for something beside the screen, or end it.
var leaves = strings.Fields("Ctrl-Z Ctrl-V Alt-v Ctrl-C Ctrl-Q Ctrl-D F2 / Ctrl-G e Space Ctrl-P Shift-Tab")

func newWanderer(seed uint64, width, height int) *wanderer {
	w := &wanderer{random: rand.New(rand.NewPCG(seed, 1)), width: width, height: height, keys: strings.Fields("a w o r d 1 2 x y n q Esc Esc Enter Enter Enter Up Down Left Right Tab PgUp PgDn")}
	w.keys = append(w.keys, "' ")
	for _, action := range keymap.Table {
		for _, key := range strings.Fields(action.On(keymap.Screen)) {
			if !slices.Contains(leaves, key) && !strings.Contains(key, "Shift-Enter") && !strings.Contains(key, "-Backspace") {
				w.keys = append(w.keys, key)
			}
		}
	}
	return w
}

// step is what comes next.
func (w *wanderer) step() any {
	switch n := w.random.IntN(20); {
	case n < 9:
		return w.keys[w.random.IntN(len(w.keys))]
	case n < 12:
		buttons := []tcell.ButtonMask{tcell.Button1, tcell.Button1, tcell.ButtonNone, tcell.WheelUp, tcell.WheelDown}[w.random.IntN(5)]
		return tcell.NewEventMouse(w.random.IntN(w.width), w.random.IntN(w.height), buttons, 0)
	case n == 12:
		return time.Duration(w.random.IntN(20)) * time.Second
	default:
		return w.event()
	}
}

// event is what the conversation says next.
func (w *wanderer) event() messages.Event {
	w.number++
	id := fmt.Sprint(w.number)
	if !w.running {
		w.running = true
		return messages.TurnStarted{Prompt: "prompt " + id + "\nof it"}
	}
	if w.asking && w.random.IntN(3) > 0 {
		return w.asks(id)
	}
	switch w.random.IntN(14) {
	case 0:
		w.running = false
		return messages.TurnEnded{Outcome: []messages.Outcome{messages.Completed, messages.Failed, messages.Cancelled}[w.random.IntN(3)], Err: "the end of " + id}
	case 1:
		return messages.ToolStarted{Call: "c", Name: "read_file", Title: "read_file " + id, Command: "cat " + id}
	case 2:
		return messages.ToolEnded{Call: "c", Name: "read_file", Status: messages.OK, Summary: "2 lines", Text: "one\n" + id, Took: 2 * time.Second}
	case 3:
		return messages.ToolEnded{Call: "d" + id, Name: "apply_patch", Status: messages.OK, Text: "changed", View: &messages.View{Kind: messages.Diff, Text: "--- b.go\n+++ b.go\n@@ -1,2 +1,2 @@\n same\n-old word\n+new " + id + "\n"}}
	case 4:
		return messages.Notice{Level: []messages.Level{messages.Info, messages.Warning, messages.Problem}[w.random.IntN(3)], Text: "note " + id}
	case 5:
		return messages.Thinking{Chunk: "I think of " + id + "\nand of more"}
	case 6:
		return messages.PlanChanged{Plan: messages.Plan{Why: "why " + id, Steps: []messages.Step{{Text: "read", Status: messages.StepDone}, {Text: "do " + id, Status: messages.StepInProgress}, {Text: "land", Status: messages.StepPending}}[:w.random.IntN(4)]}}
	case 7:
		return messages.UsageChanged{Usage: messages.Usage{Cost: 0.01 * float64(w.number), Turns: w.number, InputTokens: 100 * w.number}, Context: messages.Context{Used: 2000 * w.number, Limit: 200_000}}
	case 8:
		return messages.AgentChanged{Call: "c", Agent: 1 + w.random.IntN(2), Name: "look", State: []messages.AgentState{messages.AgentWorking, messages.AgentAsking, messages.AgentEnded}[w.random.IntN(3)], Doing: "grep", Rounds: 2, Tokens: 1500}
	case 9:
		return w.asks(id)
	case 10:
		return messages.Answered{Ask: w.asked, Choice: messages.No}
	default:
		return messages.Text{Chunk: []string{"word " + id + " ", "A paragraph of " + id + " that is wider than many a window is.\n\n", "- item " + id + "\n", "\n```go\nfunc f" + id + "() {}\n```\n", "| a | " + id + " |\n|---|---|\n| 1 | 2 |\n\n"}[w.random.IntN(5)]}
	}
}

// asks is a question of one kind or another.
func (w *wanderer) asks(id string) messages.Event {
	w.asked = id
	asked := messages.Asked{Ask: id, Kind: messages.AskConsent, Tool: "run_command", Title: "Run " + id + "?", Detail: strings.Repeat("line of it\n", w.random.IntN(12)) + "end", Choices: []messages.Choice{messages.Yes, messages.No, messages.Always}, Always: "all of them"}
	switch w.random.IntN(4) {
	case 0:
		asked.Kind, asked.Choices = messages.AskPlan, asked.Choices[:2]
	case 1:
		asked.Kind, asked.Choices = messages.AskChoice, asked.Choices[:2]
		asked.Questions = []messages.Question{{Text: "Where?", Free: true, Options: []messages.Option{{Label: "here", Reason: "near"}, {Label: "there", Recommended: true}}}, {Text: "Which?", Several: true, Options: []messages.Option{{Label: "red"}, {Label: "blue"}}}}
	case 2:
		asked.Kind, asked.Choices = messages.AskForm, asked.Choices[:2]
		asked.Fields = []messages.Field{{Name: "name", Title: "Your name", Type: messages.StringField, Required: true}, {Name: "sure", Type: messages.BooleanField}, {Name: "size", Type: messages.EnumField, Options: []string{"small", "large"}, Default: "large"}}
	}
	return asked
}

// Keys, the mouse and what is heard, in no order and at screens of five sizes, at two of which questions are most of it: what changes with
// each, and what is sent.
func TestStepsInNoOrder(t *testing.T) {
	for seed, size := range [][2]int{{60, 20}, {44, 12}, {110, 30}, {61, 22}, {45, 14}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			steps := []any{begun}
			w := newWanderer(uint64(seed), size[0], size[1])
			w.asking = seed > 2
			for len(steps) < 140 {
				steps = append(steps, w.step())
			}
			said := func(c *Config) {
				c.Copy = func(string) (string, error) { return "a program", nil }
			}
			walks(t, fmt.Sprint("wandered_", size[0]), size[0], size[1], said, steps...)
		})
	}
}
