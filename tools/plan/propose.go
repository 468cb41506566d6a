package plan

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/tools"
)

// readingTime limits how long the user can read the plan and the code before deciding.
const readingTime = time.Hour

type proposeArgs struct {
	Plan string `json:"plan" doc:"Markdown: your changes, the files, the order, and how you will check the result" example:"1. Mend the parser in a.go. 2. Run its tests."`
}

func proposeTool() tools.Tool {
	return tools.New(tools.Def[proposeArgs]{
		Name: "propose_plan",
		Doc: "Present your whole plan, if the user wants to see a plan before you change anything. " +
			"If the user accepts the plan, carry it out; otherwise, the user says what to change.",
		Examples: []string{"show me this proposal: {mend the parser, then test it|plan}", "lay this proposal before me: {first the tests, then the code|plan}"},
		Brings:   tools.OwnOrigin,
		Needs:    tools.Needs{Coding: true, Interactive: true, TopOnly: true, Planning: true},
		Pool:     tools.Agent,
		Title:    func(proposeArgs) string { return "propose_plan" }, // the plan is shown in full elsewhere
		Places: func(tools.Env, proposeArgs) []tools.Place {
			return []tools.Place{tools.ThePerson, {State: "plan", Write: true}}
		},
		Run: propose,
	})
}

func propose(ctx context.Context, env tools.Env, in proposeArgs) (tools.Output, error) {
	switch {
	case env.Ask == nil:
		return tools.Output{}, errors.New("there is no conversation here, so nobody can read the plan")
	case strings.TrimSpace(in.Plan) == "":
		return tools.Output{}, errors.New("the plan is empty")
	case !env.WantsPlan():
		return tools.Output{Text: "The user changed the approval mode, so no plan is needed. Continue without one."}, nil
	}
	reply, err := env.Ask(ctx, tools.Inquiry{Kind: messages.AskPlan, Title: "Carry out this plan?", Detail: tools.Visible(in.Plan), Wait: readingTime})
	if err != nil {
		return tools.Output{}, err
	}
	plan := &messages.View{Kind: messages.Words, Text: tools.Visible(strings.TrimSpace(in.Plan))}
	return tools.Output{Text: describeDecision(reply), Summary: tools.Visible(inShort(reply)), View: plan}, nil
}

// inShort summarizes the user's decision for display.
func inShort(reply tools.Reply) string {
	switch {
	case reply.Unanswered != "":
		return "nobody decided: " + reply.Unanswered
	case reply.Choice == messages.Yes:
		return "accepted, approval mode " + string(reply.Mode)
	case reply.Text != "":
		return "to be changed: " + reply.Text
	}
	return "refused"
}

// describeDecision describes the user's decision for the model.
func describeDecision(reply tools.Reply) string {
	switch {
	case reply.Unanswered != "":
		return fmt.Sprintf("The user did not decide: %s. Do not change anything yet. End your answer with the plan; the user reads it later.", reply.Unanswered)
	case reply.Choice == messages.Yes:
		return fmt.Sprintf("The user accepts the plan. The approval mode is now %s (%s). Carry it out.", reply.Mode, reply.Mode.Description())
	case reply.Text != "":
		return "The user wants the plan changed; in their own words: " + reply.Text + "\nDo not change anything yet. Propose the changed plan."
	}
	return "The user refuses the plan. Do not change anything, and do not propose the plan again. In your answer, ask what the user wants instead."
}
