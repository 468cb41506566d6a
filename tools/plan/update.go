package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// Limits that keep a plan readable.
const (
	mostSteps   = 50
	longestStep = 300 // bytes
)

// Tools returns the tools of this category.
func Tools() []tools.Tool { return []tools.Tool{updateTool(), proposeTool()} }

type updateArgs struct {
	Plan        []step `json:"plan" doc:"Always send all steps" sent:"Always send all steps" alias:"todos,steps,items,tasks" example:"[{\"step\":\"mend the parser\",\"status\":\"in_progress\"},{\"step\":\"test it\",\"status\":\"pending\"}]"`
	Explanation string `json:"explanation" doc:"Why the plan changes" sent:"-" default:"" alias:"why,reason"`
}

type step struct {
	Step   string `json:"step" doc:"A few words" sent:""`
	Status string `json:"status" doc:"At most one step is in_progress" sent:"" enum:"pending,in_progress,done,cancelled"`
}

func updateTool() tools.Tool {
	return tools.WithOutline("For work of three or more steps, show the user your plan and check off each step when done.", tools.New(tools.Def[updateArgs]{
		Name:     "update_plan",
		Doc:      "For work of three or more steps, show the user your plan, and check off each step as you finish it.",
		Examples: []string{"show these steps as your plan: {read the code; mend it; test it|plan}", "keep these steps as your plan: {measure; cut; glue|plan}"},
		Brings:   tools.OwnOrigin,
		Core:     true, Needs: tools.Needs{Coding: true, TopOnly: true},
		Places: func(tools.Env, updateArgs) []tools.Place { return []tools.Place{{State: "plan", Write: true}} },
		Fold:   fold,
		Run:    update,
	}))
}

func update(_ context.Context, env tools.Env, in updateArgs) (tools.Output, error) {
	if env.SetPlan == nil {
		return tools.Output{}, errors.New("a plan needs a conversation, and there is none here")
	}
	if len(in.Plan) > mostSteps {
		return tools.Output{}, tools.Advise(fmt.Errorf("%d steps are too many to read, so the plan was not changed", len(in.Plan)), "Write at most %d steps, and combine small ones.", mostSteps)
	}
	plan, mended, err := planOf(in)
	if err != nil {
		return tools.Output{}, err
	}
	env.SetPlan(plan)
	if len(plan.Steps) == 0 {
		return tools.Output{Text: "The plan was removed."}, nil
	}
	return tools.Output{Text: "Plan updated: " + plan.Short() + mended, Summary: tools.Visible(plan.Short())}, nil
}

// planOf returns the model's plan with at most one step in progress. If several steps are in
// progress, planOf sets all but the first to pending, and returns a note about this change.
func planOf(in updateArgs) (plan messages.Plan, note string, err error) {
	plan.Why = oneLine(in.Explanation)
	busy := false
	for i, each := range in.Plan {
		text := oneLine(each.Step)
		if text == "" {
			return plan, "", fmt.Errorf("step %d is empty; nothing was changed", i+1)
		}
		status := messages.StepStatus(each.Status)
		if status == messages.StepInProgress {
			if busy {
				status, note = messages.StepPending, "\nOnly one step can be in progress, so the later ones were set to pending."
			}
			busy = true
		}
		plan.Steps = append(plan.Steps, messages.Step{Text: text, Status: status})
	}
	return plan, note, nil
}

// oneLine joins the lines, makes invisible characters visible, and shortens the result to
// longestStep bytes.
func oneLine(said string) string {
	return text.ClipBytes(tools.Visible(text.OneLine(said)), longestStep)
}

// statuses is a map from the status names of other agents to Marvin's status names.
var statuses = map[string]messages.StepStatus{
	"": messages.StepPending, "todo": messages.StepPending, "open": messages.StepPending, "not_started": messages.StepPending,
	"inprogress": messages.StepInProgress, "active": messages.StepInProgress, "started": messages.StepInProgress, "current": messages.StepInProgress, "doing": messages.StepInProgress,
	"completed": messages.StepDone, "complete": messages.StepDone, "finished": messages.StepDone,
	"canceled": messages.StepCancelled, "dropped": messages.StepCancelled, "abandoned": messages.StepCancelled, "skipped": messages.StepCancelled,
}

// fold accepts the list formats of other agents: a list of strings, or one string with semicolons
// or newlines between the steps. It also accepts synonyms, such as "title" for "step" and
// "completed" for "done".
func fold(arguments map[string]any) {
	for _, name := range []string{"plan", "todos", "steps", "items", "tasks"} {
		switch list := arguments[name].(type) {
		case string:
			arguments[name] = listOf(list)
		case map[string]any:
			arguments[name] = []any{list}
		}
		list, _ := arguments[name].([]any)
		for i := range list {
			list[i] = folded(list[i])
		}
	}
}

// listOf converts a string to a list. The string contains a JSON array, or items separated by
// newlines or semicolons.
func listOf(text string) any {
	var list []any
	if json.Unmarshal([]byte(text), &list) == nil {
		return list
	}
	separator := ";"
	if strings.Contains(strings.TrimSpace(text), "\n") {
		separator = "\n"
	}
	for part := range strings.SplitSeq(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

func folded(item any) any {
	if text, ok := item.(string); ok {
		return map[string]any{"step": text, "status": string(messages.StepPending)}
	}
	given, ok := item.(map[string]any)
	if !ok {
		return item
	}
	one := map[string]any{"step": given["step"], "status": given["status"]}
	for _, other := range []string{"content", "title", "text", "task", "description", "name"} {
		if text, ok := given[other].(string); ok && one["step"] == nil {
			one["step"] = text
		}
	}
	if one["status"] == nil {
		one["status"] = ""
	}
	if text, ok := one["status"].(string); ok {
		text = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(text)))
		if ours, known := statuses[text]; known {
			text = string(ours)
		}
		one["status"] = text
	}
	return one
}
