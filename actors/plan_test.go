package actors_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/plan"
)

// planned is a call that shows a plan whose first steps are done.
func planned(done int) modeltest.Call {
	var steps []map[string]string
	for i, text := range []string{"look at the zebra", "mend the parser", "test the lot"} {
		status := "pending"
		switch {
		case i < done:
			status = "done"
		case i == done:
			status = "in_progress"
		}
		steps = append(steps, map[string]string{"step": text, "status": status})
	}
	return modeltest.Call{Name: "update_plan", Args: map[string]any{"plan": steps}}
}

func TestAPlanSurvivesCompaction(t *testing.T) {
	for name, summary := range map[string]modeltest.Step{"by a model": modeltest.Text("Fillings were wanted; some are done."), "mechanical": modeltest.Status(500, "no")} {
		t.Run(name, func(t *testing.T) {
			const now = "[x] look at the zebra\n[>] mend the parser\n[ ] test the lot"
			compacted, called := 0, 0
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if len(request.Tools) == 0 && strings.Contains(request.Last().Text, "of the history") {
					return summary
				}
				called++
				if called <= 2 {
					return modeltest.Calls(planned(called - 1))
				}
				if raw := string(request.Raw); strings.Contains(raw, "Compacted history summary") {
					text, kept := "", false
					for _, message := range request.Messages {
						text += message.Text
						for _, call := range message.Calls {
							kept = kept || call.Name == "update_plan" && strings.Contains(string(call.Args), `"in_progress","step":"mend`)
						}
					}
					if told := strings.Count(text, now); kept == (told > 0) || told > 1 {
						t.Errorf("the plan is reported %d times, kept: %v\n%s", told, kept, text)
					} else if told == 1 {
						compacted++
					}
				}
				if compacted >= 12 {
					return modeltest.Text("finished")
				}
				return modeltest.Calls(modeltest.Call{Name: "fill", Args: map[string]string{"text": fmt.Sprint("filling ", request.N)}})
			})
			tree := actorstest.Start(t, actorstest.Setup{
				Server: server, Dir: t.TempDir(), Home: t.TempDir(), Tools: append(plan.Tools(), filler(900)),
				Context: actors.ContextLimits{Warn: 7000, Compact: 8000, Refuse: 11000},
			})
			turn := tree.Prompt("please do fillings")
			if turn.Ended.Text != "finished" || compacted < 12 {
				t.Fatalf("%d requests with the plan; ended %+v\n%s", compacted, turn.Ended, actorstest.Lines(turn.Events))
			}
			if count := len(actorstest.TurnEvents[messages.Compacted](turn)); count < 2 {
				t.Errorf("%d compactions", count)
			}
			told := actorstest.TurnEvents[messages.PlanChanged](turn)
			if len(told) != 2 || told[1].Plan.String() != now {
				t.Errorf("people are told %v", told)
			}
		})
	}
}

// A plan belongs to its conversation: it survives turns, and no mode refuses it.
func TestAPlanIsShownInEveryMode(t *testing.T) {
	for name, policy := range map[string]actors.Policy{
		"plan":      {Coding: true, Person: true, Approval: messages.ApprovePlan},
		"ask":       {Coding: true, Person: true, Approval: messages.ApproveAsk},
		"read-only": {Coding: true, ReadOnly: true},
		"headless":  {Coding: true},
	} {
		server := modeltest.Start(t, modeltest.Calls(planned(0)), modeltest.Text("done"))
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: t.TempDir(), Tools: plan.Tools(), Policy: &policy})
		turn := tree.Prompt("go")
		if told := actorstest.TurnEvents[messages.PlanChanged](turn); len(told) != 1 || len(actorstest.TurnEvents[messages.Asked](turn)) > 0 {
			t.Errorf("%s: %s", name, actorstest.Lines(turn.Events))
		}
	}
}

// Calls of one reply that change the plan take effect in the order of the reply.
func TestTheLastPlanOfAReplyCounts(t *testing.T) {
	var calls []modeltest.Call
	for i := range 8 {
		calls = append(calls, planned(i%3))
	}
	server := modeltest.Start(t, modeltest.Calls(calls...), modeltest.Text("done"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: t.TempDir(), Tools: append(plan.Tools(), []tools.Tool{filler(3)}...)})
	told := actorstest.TurnEvents[messages.PlanChanged](tree.Prompt("go"))
	if len(told) != 8 {
		t.Fatalf("%d plans were told", len(told))
	}
	for i, each := range told {
		if over, _ := each.Plan.Count(); over != i%3 {
			t.Errorf("plan %d has %d steps done", i, over)
		}
	}
}
