package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/plan"
)

func stepsOf(done, all int) messages.PlanChanged {
	var told messages.PlanChanged
	for i := range all {
		status := messages.StepPending
		switch {
		case i < done:
			status = messages.StepDone
		case i == done:
			status = messages.StepInProgress
		}
		told.Plan.Steps = append(told.Plan.Steps, messages.Step{Text: fmt.Sprintf("step %d", i+1), Status: status})
	}
	return told
}

func TestPlanIsAboveInput(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 30)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, stepsOf(2, 12))
	small := p.sees("Plan 2 of 12", "▸ step 3", "· step 5", "… 7 more", "F5")
	if text := small.String(); strings.Contains(text, "step 1\n") || strings.Contains(text, "step 6") || strings.Index(text, "… 7 more") > strings.LastIndex(text, "───") {
		t.Errorf("a small plan is\n%s", text)
	}
	p.press("\x1b[15~") // F5: as much as there is room for
	if whole := p.sees("▸ step 3", "· step 10"); strings.Contains(whole.String(), "step 1\n") {
		t.Errorf("what is done takes room that there is not\n%s", whole)
	}
	p.press("\x1b[15~")
	line := p.sees("Plan: 2 of 12 · now: step 3")
	if strings.Contains(line.String(), "step 4") {
		t.Errorf("one line is\n%s", line)
	}
	p.press("\x1bt") // Alt-t does the same
	p.sees("▸ step 3", "… 7 more")
	talk.say(stepsOf(4, 5))
	p.sees("Plan 4 of 5", "▸ step 5")
	talk.say(stepsOf(5, 5))
	p.seesNo("Plan") // it is over
	talk.say(messages.TurnEnded{Outcome: messages.Completed, Text: "done"}, messages.TurnStarted{Prompt: "and now"})
	talk.say(stepsOf(1, 3))
	p.sees("Plan 1 of 3")
	talk.say(messages.Asked{Ask: "a", Tool: "launch", Title: "Launch it?", Detail: "it", Choices: []messages.Choice{messages.Yes, messages.No}})
	p.sees("Launch it?", "Plan: 1 of 3 · now: step 2") // the question needs the room
	talk.say(messages.Cleared{})
	p.seesNo("Plan")
}

func TestASmallScreenHasOneLineOfThePlan(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 38, 10)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, stepsOf(2, 12))
	if f := p.sees("Plan: 2 of 12 · now: step 3"); strings.Contains(f.String(), "step 4") {
		t.Errorf("\n%s", f)
	}
}

func TestPlanIsACommand(t *testing.T) {
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "update_plan", Args: map[string]any{"plan": []string{"look", "mend"}}}), modeltest.Text("done"))
	p := sit(t, actorstest.Setup{Server: server, Tools: append([]tools.Tool{}, plan.Tools()...)}, 80, 30)
	p.press("\x1b[15~") // F5
	p.sees("─ There is no plan; the model makes one")
	p.press("/plan", "Enter")
	p.sees("There is no plan.")
	p.press("go", "Enter")
	p.sees("● done")
	p.seesNo("Plan 0 of 2") // its turn is over
	p.press("\x1b[15~")
	p.sees("Plan 0 of 2", "· look")
	p.press("/plan", "Enter")
	p.sees("Plan, 0 of 2 · next: look", "[ ] look", "[ ] mend")
}
