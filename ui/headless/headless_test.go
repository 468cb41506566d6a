package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/tools/plan"
	"marvin/ui/headless"
)

func run(t *testing.T, form headless.Form, stdout interface{ Write([]byte) (int, error) }, steps ...modeltest.Step) (headless.Result, string) {
	t.Helper()
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t, steps...), Policy: &actors.Policy{Coding: true}})
	var stderr bytes.Buffer
	runner := headless.Runner{Client: tree.Client, Form: form, Stdout: stdout, Stderr: &stderr}
	return runner.Run(t.Context(), messages.Say("go")), stderr.String()
}

func TestEachOutcomeInEachForm(t *testing.T) {
	cases := []struct {
		name    string
		steps   []modeltest.Step
		outcome messages.Outcome
		text    string
	}{
		{"completed", []modeltest.Step{modeltest.Text("whole")}, messages.Completed, "whole\n"},
		{"failed", []modeltest.Step{modeltest.Status(400, `{"error":{"message":"no"}}`)}, messages.Failed, ""},
		{"incomplete", []modeltest.Step{modeltest.Text("half").Append(modeltest.End()), modeltest.Status(400, `{}`)}, messages.Incomplete, "half"},
	}
	for _, c := range cases {
		for _, form := range []headless.Form{headless.Text, headless.JSON, headless.JSONL} {
			t.Run(c.name+"/"+string(form), func(t *testing.T) {
				var stdout bytes.Buffer
				result, _ := run(t, form, &stdout, c.steps...)
				if result.Outcome != c.outcome {
					t.Errorf("outcome %s: %s", result.Outcome, result.Err)
				}
				switch form {
				case headless.Text:
					if stdout.String() != c.text {
						t.Errorf("stdout %q", stdout.String())
					}
				case headless.JSON:
					var object struct{ Outcome, Error string }
					if err := json.Unmarshal(stdout.Bytes(), &object); err != nil || object.Outcome != string(c.outcome) || object.Error != result.Err {
						t.Errorf("%v: %s", err, stdout.String())
					}
				case headless.JSONL:
					lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
					if last := lines[len(lines)-1]; !strings.Contains(last, `"type":"turn_ended","event":{"outcome":"`+string(c.outcome)+`"`) {
						t.Errorf("the last line is %s", last)
					}
				}
			})
		}
	}
}

// full is a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnAnswerThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	result, _ := run(t, headless.Text, full{}, modeltest.Text("whole"))
	if result.Outcome == messages.Completed || result.Stdout == nil {
		t.Errorf("%+v", result)
	}
}

func TestTheEndOfItsContextCancelsTheTurn(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t, modeltest.Text("on").Append(modeltest.Hang()))})
	ctx, stop := context.WithCancel(t.Context())
	stdout := writer(func(text string) { stop() })
	runner := headless.Runner{Client: tree.Client, Form: headless.Text, Stdout: stdout, Stderr: &bytes.Buffer{}}
	if result := runner.Run(ctx, messages.Say("go")); result.Outcome != messages.Cancelled || result.Text != "on" {
		t.Errorf("%+v", result)
	}
}

type writer func(string)

func (w writer) Write(text []byte) (int, error) {
	w(string(text))
	return len(text), nil
}

// The progress of a plan is for users, so the answer does not contain it.
func TestAPlanGoesToStandardError(t *testing.T) {
	steps := []map[string]string{{"step": "look", "status": "done"}, {"step": "mend", "status": "in_progress"}}
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "update_plan", Args: map[string]any{"plan": steps}}), modeltest.Text("done"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: plan.Tools()})
	var stdout, stderr bytes.Buffer
	runner := headless.Runner{Client: tree.Client, Form: headless.Text, Stdout: &stdout, Stderr: &stderr}
	runner.Run(t.Context(), messages.Say("go"))
	if stdout.String() != "  🔧 update_plan\ndone\n" || stderr.String() != "[Plan] 1 of 2 · now: mend\n" {
		t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
	}
}

func TestNoticesDoNotStickToTheAnswer(t *testing.T) {
	unpriced := func(config *actors.Config) { config.Models.Price = providers.Prices{} }
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t, modeltest.Text("whole")), Config: unpriced, Policy: &actors.Policy{Limits: actors.Limits{Cost: 5}}})
	var screen bytes.Buffer
	runner := headless.Runner{Client: tree.Client, Form: headless.Text, Stdout: &screen, Stderr: &screen, Together: true}
	runner.Run(t.Context(), messages.Say("go"))
	if lines := strings.Split(screen.String(), "\n"); len(lines) != 3 || lines[0] != "whole" || !strings.HasPrefix(lines[1], "The price of") || lines[2] != "" {
		t.Errorf("the terminal shows %q", screen.String())
	}
}
