package view_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/view"
)

func TestWindowNavigation(t *testing.T) {
	v := shown(
		messages.TurnStarted{Prompt: "first needle"}, messages.Thinking{Chunk: "a needle of thoughts\nand more of them"}, messages.Text{Chunk: "An answer that is wider than its window, with needle in it.\n\nAnd another paragraph."},
		messages.ToolsCalled{Names: []string{"look"}}, messages.ToolStarted{Call: "1", Name: "look", Title: "look here"}, messages.ToolEnded{Call: "1", Name: "look", Status: messages.OK, Summary: "4 lines", Text: "one\nNEEDLE\nthree\nfour"},
		messages.TurnEnded{Outcome: messages.Completed, Text: "x"}, messages.TurnStarted{Prompt: "second"}, messages.Text{Chunk: strings.Repeat("row\n\n", 6)}, messages.TurnEnded{}, messages.TurnStarted{Prompt: "third needle"},
		messages.ToolStarted{Call: "2", Name: "launch_agent", Title: "launch_agent a b"},
		messages.AgentChanged{Call: "2", Agent: 1, Name: "reader", State: messages.AgentWorking, Doing: "grep", Rounds: 1, Tokens: 1200, Took: time.Second}, messages.AgentChanged{Call: "2", Agent: 2, Name: "asker", State: messages.AgentStopped, Took: 3 * time.Second},
	)
	var window view.Window
	var all strings.Builder
	width, height := 30, 9
	step := func(name string, do func()) {
		do()
		rows := window.Show(v.Blocks, width, height, start.Add(time.Minute))
		above, of := window.Extent()
		at, found := window.Count("needle")
		fmt.Fprintf(&all, "== %s: %d rows above of %d, following %v, news %d, needle %d of %d\n", name, above, of, window.Following(), window.NewRows(), at, found)
		for i, line := range rows {
			mark := ""
			if window.FocusedRow(i) {
				mark = ">"
			}
			if agent, is := view.AgentAt(&window, i); is {
				mark += fmt.Sprint(agent.Agent)
			}
			if i == 0 || mark != "" {
				fmt.Fprintf(&all, "%d%s|%s\n", i, mark, line)
			}
		}
	}
	step("begun", func() {})
	for _, rows := range []int{-1, -3, 2, -100, 5, 100} {
		step(fmt.Sprint("scrolled by ", rows), func() { window.Scroll(rows) })
	}
	step("at home", window.Home)
	step("at the end", window.End)
	step("more comes", func() {
		v.Apply(messages.Envelope{At: start.Add(30 * time.Second), Event: messages.Text{Chunk: "new\n\n- and\n- newer"}})
	})
	step("followed", window.End)
	for range 4 {
		step("to the prompt before", func() { window.GoToPrompt(-1) })
	}
	for range 3 {
		step("to the prompt behind", func() { window.GoToPrompt(1) })
	}
	for _, moved := range []int{-1, -1, -1, -2, 1, -9, 99} {
		step(fmt.Sprint("focus moved by ", moved), func() { window.MoveFocus(moved) })
		if block := window.Focused(); block.Foldable() {
			step("toggled", func() { window.Toggle(block) })
			step("toggled back", func() { window.Toggle(block) })
		} else {
			window.Toggle(block)
		}
	}
	step("no focus", func() { window.Focus(nil) })
	step("all results", func() { window.ToggleAll(view.Call) })
	step("all thoughts", func() { window.ToggleAll(view.Thinking) })
	step("narrower", func() { width = 12 })
	step("lower", func() { height = 3 })
	step("as it was", func() { width, height = 30, 9 })
	step("no results", func() { window.ToggleAll(view.Call) })
	step("no thoughts", func() { window.ToggleAll(view.Thinking) })
	step("search begun", window.BeginFind)
	for _, way := range []int{-1, -1, -1, -1, -1, 1, 1} {
		step(fmt.Sprint("found in direction ", way), func() { fmt.Fprintln(&all, window.Find("Needle", way, true)) })
	}
	step("found from where it began", func() {
		fmt.Fprintln(&all, window.Find("row", 1, false), window.Find("", 1, false), window.Find("zzz", -1, false))
	})
	var none view.Window
	none.Scroll(3)
	none.Home()
	none.MoveFocus(1)
	none.BeginFind()
	if above, of := none.Extent(); above+of != 0 || none.GoToPrompt(1) || none.Find("x", 1, false) || none.At(0) != nil || none.Focused() != nil || !none.Following() {
		t.Error("an empty window has something")
	}
	goldentest.Assert(t, "window.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestWithinAPromptAndAmongAgents(t *testing.T) {
	events := []messages.Event{messages.TurnStarted{Prompt: "first"}, messages.TurnStarted{Prompt: "one\ntwo\nthree\nfour"}, messages.ToolStarted{Call: "1", Name: "launch_agent", Title: "launch_agent"}}
	for i := range 12 {
		events = append(events, messages.AgentChanged{Call: "1", Agent: i + 1, Name: "reader", State: messages.AgentWorking})
	}
	v := shown(events...)
	var window view.Window
	show := func() string { return strings.TrimSpace(window.Show(v.Blocks, 40, 6, start)[0].String()) }
	show()
	window.Home()
	show()
	window.Scroll(4)
	if got := show(); got != "three" {
		t.Fatalf("it begins with %q", got)
	}
	for _, want := range []string{"› one", "› first"} {
		if !window.GoToPrompt(-1) || show() != want {
			t.Errorf("it goes to %q, want %q", show(), want)
		}
	}
	if window.GoToPrompt(-1) {
		t.Error("there is a prompt before the first")
	}
	window.End()
	window.Show(v.Blocks, 40, 30, start)
	var agents []int
	for row := range 30 {
		if agent, is := view.AgentAt(&window, row); is {
			agents = append(agents, agent.Agent)
		}
	}
	if got := fmt.Sprint(agents); got != "[1 2 3 4 5 6 7 8 9 10]" {
		t.Errorf("the rows are those of %s", got)
	}
}
