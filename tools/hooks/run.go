package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"marvin/tools"
)

// HookEnv holds what all hooks of a conversation need.
type HookEnv struct {
	Env    tools.Env // environment of the conversation
	Client Client    // for hooks that are web addresses
	Config string    // the configuration directory, or "" if there is none
}

// HookInput is what a hook receives as JSON.
type HookInput struct {
	Event   Event           `json:"event"`
	Session string          `json:"session"`
	Dir     string          `json:"dir"`
	Tool    string          `json:"tool,omitempty"`
	Args    json.RawMessage `json:"args,omitempty"`
	Result  *string         `json:"result,omitempty"` // result of a finished call
	Status  string          `json:"status,omitempty"` // outcome of the call, of the request to the model, or of the prompt
	Prompt  string          `json:"prompt,omitempty"`
	Answer  *string         `json:"answer,omitempty"`
	Round   int             `json:"round,omitempty"` // 1 for the first request to the model
	Usage   *Usage          `json:"usage,omitempty"`
	Stops   *int            `json:"stops,omitempty"` // how many times hooks have made the model continue
	Asked   string          `json:"question,omitempty"`
	Reason  string          `json:"reason,omitempty"`
}

// Usage is the cost of the conversation so far, in dollars and in tokens.
type Usage struct {
	Cost         float64 `json:"cost"`
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
}

// Outcome is the result of running an event's hooks.
type Outcome struct {
	Decision Decision
	Reason   string
	Args     json.RawMessage // the new arguments; nil if unchanged
	Result   *string         // the new result; nil if unchanged
	Context  []string        // text for the model
	Problems []string        // descriptions of the failed hooks
	Ended    error           // context.Cause if the context ended during a hook; otherwise nil
}

// maxText is the maximum size, in bytes, of a reason or context that a hook gives to the model. The
// limit does not apply to changed tool results.
const maxText = 10 << 10

// Run runs the hooks in order. If refusals have an effect at the event, Run stops after the first
// refusal. Each hook receives the arguments and the result with the changes made by earlier hooks.
func Run(ctx context.Context, place HookEnv, list []Hook, said HookInput) (outcome Outcome) {
	for _, hook := range list {
		end := hook.tell(ctx, place, said)
		form := answerParser(read)
		if hook.foreign != "" {
			form = readForeign
		}
		answer, problem := decide(form, said.Event, end)
		if ctx.Err() != nil {
			outcome.Ended = context.Cause(ctx)
			if said.Event.Gate() {
				outcome.Decision, outcome.Reason = No, "it did not finish"
			}
			return outcome
		}
		name := tools.Visible(clip(hook.String()))
		if problem != nil {
			outcome.Problems = append(outcome.Problems, fmt.Sprintf("The hook %s of %s failed: %s", name, said.Event, tools.Visible(problem.Error())))
		}
		answer.limitTexts()
		if answer.Context != "" {
			outcome.Context = append(outcome.Context, answer.Context)
		}
		if said.Event == ToolBefore && answer.Args != nil {
			said.Args, outcome.Args = answer.Args, answer.Args
		}
		if said.Event == ToolAfter && answer.Result != nil {
			said.Result, outcome.Result = answer.Result, answer.Result
		}
		switch {
		case answer.Decision == No && said.Event.refusalCounts():
			outcome.Decision, outcome.Reason = No, fmt.Sprintf("the hook %s: %s", name, answer.Reason)
			return outcome
		case answer.Decision == No:
			outcome.Context = append(outcome.Context, answer.Reason)
		case answer.Decision == Ask && said.Event == ToolBefore:
			outcome.Decision = Ask
			outcome.Reason = strings.TrimPrefix(outcome.Reason+"; "+fmt.Sprintf("the hook %s asks for your consent%s", name, appended(": ", answer.Reason)), "; ")
		}
	}
	return outcome
}

func (a *answer) limitTexts() {
	limits := tools.Limits{Bytes: maxText}
	for _, text := range []*string{&a.Reason, &a.Context} {
		*text, _ = limits.Cut(tools.Visible(strings.TrimSpace(*text)))
	}
}

// Crashed returns the outcome of hooks that could not run because of a bug in Marvin.
func Crashed(event Event, err error) Outcome {
	outcome := Outcome{Problems: []string{fmt.Sprintf("The hooks of %s could not run: %v", event, err)}}
	if event.Gate() {
		outcome.Decision, outcome.Reason = No, "the user's hooks could not run"
	}
	return outcome
}
