package main

import (
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// asker is a model that shows a plan, asks about a store, and then proposes a plan if the mode
// wants one.
func asker(request modeltest.Request) modeltest.Step {
	last := request.Last()
	switch {
	case last.Role != messages.Tool && strings.Contains(last.Text, "propose"):
		return modeltest.Calls(modeltest.Call{Name: "propose_plan", Args: map[string]string{"plan": "1. Write the store.\n2. Test it."}})
	case last.Role != messages.Tool:
		return modeltest.Calls(
			modeltest.Call{Name: "update_plan", Args: map[string]any{"plan": []map[string]string{{"step": "choose a store", "status": "in_progress"}, {"step": "write it", "status": "pending"}}}},
			modeltest.Call{Name: "ask_user", Args: map[string]any{"questions": []map[string]any{
				{"question": "Where shall it be stored?", "options": []map[string]any{{"label": "sqlite", "reason": "one file", "recommended": true}, {"label": "files", "reason": "readable by hand"}}, "default": []string{"sqlite"}},
				{"question": "What shall it be called?"},
			}}})
	}
	return modeltest.Text("It says: " + last.Result.Text)
}

// served returns the command that starts a Marvin at a terminal with that model.
func served(t *testing.T, options string) string {
	t.Helper()
	server := modeltest.StartFunc(t, asker)
	return "clear; OPENAI_COMPAT_URL=" + server.URL + "/v1 OPENAI_COMPAT_API_KEY=k OPENAI_COMPAT_MODEL=test-model marvin --provider openai-compat " + options
}

// A user at a real terminal answers with keys, sees the plan, and lets it be carried out.
func TestAskingAtTheFullScreen(t *testing.T) {
	t.Parallel()
	p := openPane(t, 90, 30)
	p.press(served(t, "--approve plan --working-dir ."), "Enter")
	p.sees("test-model", "· plan")
	p.press("go", "Enter")
	p.sees("2 questions · 1 of 2", "│ Where shall it be stored?", "▸ 1 sqlite (recommended): one file", "2 files: readable by hand", "Plan: 0 of 2 · now: choose a store", "left · Esc: no answer")
	time.Sleep(quietTime) // a person reads before answering
	p.press("2")
	p.sees("2 of 2", "What shall it be called?", "answer:")
	p.press("box", "Enter")
	p.sees("Where shall it be stored? → files", "in their own words: box")
	p.press("F5")
	p.sees("Plan 0 of 2", "▸ choose a store", "· write it")
	p.press("F5")
	p.until("no plan", func(shown string) bool { return !strings.Contains(shown, "· write it") })
	p.press("propose something", "Enter")
	p.sees("Carry out this plan?", "● 1. Write the store.", "[e] yes, allow all edits")
	time.Sleep(quietTime)
	p.press("e")
	p.sees("The user accepts the plan", "Approval mode edits")
	p.press("/plan", "Enter")
	p.sees("Plan, 0 of 2 · now: choose a store", "[>] choose a store")
	p.press("quit", "Enter")
	p.leaves()
}

func TestAskingInLines(t *testing.T) {
	t.Parallel()
	p := openPane(t, 90, 30)
	p.press(served(t, "--plain --approve plan --working-dir ."), "Enter")
	p.sees("You (plan):")
	p.press("go", "Enter")
	p.sees("[Plan] 0 of 2 · now: choose a store", "1 of 2: Where shall it be stored?", "2. files: readable by hand", "Enter: sqlite; until ", "Your answer:")
	time.Sleep(quietTime)
	p.press("2", "Enter")
	p.sees("2 of 2: What shall it be called?")
	p.press("box", "Enter")
	p.sees("Where shall it be stored? → files", "in their own words: box")
	p.press("propose something", "Enter")
	p.sees("1. Write the store.", "1. yes: edit without asking", "Choose a number (Enter means no):")
	time.Sleep(quietTime)
	p.press("n test it first", "Enter")
	p.sees("The user wants the plan changed; in their own words: test it first")
	p.press("quit", "Enter")
	p.leaves()
}
