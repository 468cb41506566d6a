package actors_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// roles returns models by role. All of them are at one server, which distinguishes them by name.
func roles(list map[string][]string) actors.Models {
	return actors.Models{
		Role: func(name string) (choices []actors.Choice) {
			for _, model := range list[name] {
				choices = append(choices, actors.Choice{Provider: "openai-compat", Model: model})
			}
			return choices
		},
		SplitModel: func(text string) (actors.Choice, bool) {
			provider, model, ok := strings.Cut(text, "/")
			return actors.Choice{Provider: provider, Model: model}, ok
		},
	}
}

// byModel answers each model with its own script, step by step.
func byModel(t *testing.T, scripts map[string][]modeltest.Step) *modeltest.Server {
	next := map[string]int{}
	return modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		steps := scripts[request.Model]
		at := next[request.Model]
		next[request.Model]++
		if at >= len(steps) {
			return modeltest.Status(500, `{"error":{"message":"nothing is left to say for `+request.Model+`"}}`)
		}
		return steps[at]
	})
}

func TestNextModelOfRoleTakesOver(t *testing.T) {
	ran := 0
	tool := tools.New(tools.Def[sayArgs]{Name: "count", Doc: "Counts.", Effect: tools.Irreversible, Run: sayFunc(func(sayArgs) string { ran++; return "counted" })})
	denied := modeltest.Status(403, `{"error":{"message":"your account is closed"}}`)
	server := byModel(t, map[string][]modeltest.Step{
		"test-model":  {modeltest.Text("I count.").Append(modeltest.Calls(modeltest.Call{Name: "count", Args: map[string]string{"text": "x"}})), denied},
		"second":      {denied},
		"other-model": {modeltest.Text("It is one.")},
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{tool}, Models: roles(map[string][]string{"default": {"test-model", "second", "other-model"}})})
	turn := tree.Prompt("count")
	if turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "I count.\nIt is one." || ran != 1 {
		t.Fatalf("ended %+v, the tool ran %d times", turn.Ended, ran)
	}
	requests := server.Requests()
	if last := requests[len(requests)-1]; last.Model != "other-model" || last.Last().Result.Text != "counted" {
		t.Errorf("the last one is asked %+v", last)
	}
	var told []string
	for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
		told = append(told, notice.Text)
	}
	if all := strings.Join(told, "\n"); !strings.Contains(all, "openai-compat/second answers instead") || !strings.Contains(all, "openai-compat/other-model answers instead") {
		t.Errorf("people are told %q", told)
	}
}

// A request that does not fit goes to the provider's larger model: one more request, no loss, and
// the next turn begins there.
func TestTooLargeRequestGoesToLargerModel(t *testing.T) {
	long := modeltest.Status(400, `{"error":{"message":"This model's maximum context length is 5000 tokens. However, your messages resulted in 6000 tokens."}}`)
	server := byModel(t, map[string][]modeltest.Step{"test-model": {long}, "other-model": {modeltest.Text("read"), modeltest.Text("again")}})
	models := actors.Models{Larger: func(than actors.Choice, _ int) (actors.Choice, bool) {
		return actors.Choice{Provider: than.Provider, Model: "other-model"}, than.Model == "test-model"
	}}
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Models: models})
	text := "read this: " + strings.Repeat("word ", 5500)
	turn := tree.Prompt(text)
	if turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "read" {
		t.Fatalf("ended %+v", turn.Ended)
	}
	tree.Prompt("and now")
	requests := server.Requests()
	if len(requests) != 3 || requests[1].Model != "other-model" || requests[1].Last().Text != text || requests[2].Model != "other-model" {
		t.Fatalf("%d requests", len(requests))
	}
	if notices := actorstest.TurnEvents[messages.Notice](turn); len(notices) != 1 || !strings.Contains(notices[0].Text, "openai-compat/other-model, which has a larger window, continues from here") {
		t.Errorf("people are told %+v", notices)
	}
	if changed := actorstest.TurnEvents[messages.ModelChanged](turn); len(changed) != 1 || changed[0].Model != "other-model" || !changed[0].Stays {
		t.Errorf("changed %+v", changed)
	}
}

func TestAWindowThatIsSmallerThanSaidGrows(t *testing.T) {
	long := modeltest.Status(400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`)
	server := byModel(t, map[string][]modeltest.Step{"test-model": {long}, "other-model": {modeltest.Text("read")}})
	windows := map[string]int{"test-model": 60_000, "other-model": 400_000}
	models := actors.Models{Larger: func(than actors.Choice, tokens int) (actors.Choice, bool) {
		for _, name := range []string{"test-model", "other-model"} {
			if windows[name] > tokens {
				return actors.Choice{Provider: than.Provider, Model: name}, name != than.Model
			}
		}
		return actors.Choice{}, false
	}}
	models.Properties = func(choice actors.Choice) providers.About { return providers.About{Window: windows[choice.Model]} }
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Models: models})
	if turn := tree.Prompt("read this: " + strings.Repeat("word ", 12_000)); turn.Ended.Text != "read" {
		t.Errorf("%+v", turn.Ended)
	}
}

// The small model writes a title for a stored conversation, once, while the conversation continues;
// a title of the user stays.
func TestTheSmallModelMakesTitles(t *testing.T) {
	for name, named := range map[string]bool{"as the model says": false, "as the person says": true} {
		t.Run(name, func(t *testing.T) {
			asked, release := make(chan struct{}), make(chan struct{})
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if request.Model != "other-model" {
					return modeltest.Text("It is blue.")
				}
				close(asked)
				<-release
				return modeltest.Text("\"The Colour\x1b[31m of the Sky.\"\n")
			})
			home := t.TempDir()
			tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Keep: begins, Policy: &actors.Policy{Coding: true, Person: true}, Models: roles(map[string][]string{"small": {"other-model"}})})
			tree.Prompt("which colour has the sky?")
			<-asked
			want := "The Colour[31m of the Sky"
			if named {
				want = "Mine"
				tree.Client.Send(messages.Rename{Title: want})
				actorstest.ReadUntil[messages.Notice](tree)
			}
			close(release)
			actorstest.ReadUntil[messages.UsageChanged](tree)
			if turn := tree.Prompt("sure?"); turn.Ended.Usage.ModelTurns["other-model"] != 1 {
				t.Errorf("what it took is not counted: %+v", turn.Ended.Usage)
			}
			if err := tree.System.Stop(); err != nil {
				t.Fatal(err)
			}
			list, err := sessions.New(persistence.Open(home, nil)).List()
			if err != nil || len(list) != 1 || list[0].Title != want {
				t.Errorf("%+v, %v", list, err)
			}
		})
	}
}

// The small model writes a summary if it has enough room; otherwise, or if it fails, the
// conversation's own model does.
func TestTheSmallModelSumsUp(t *testing.T) {
	for name, test := range map[string]struct {
		window int
		small  modeltest.Step
		want   string
	}{
		"with room":    {50_000, modeltest.Text("small sums up"), "small sums up"},
		"without":      {300, modeltest.Text("small sums up"), "own sums up"},
		"that refuses": {50_000, modeltest.Status(400, `{"error":{"message":"no"}}`), "own sums up"},
		"unknown":      {0, modeltest.Text("small sums up"), "own sums up"},
	} {
		t.Run(name, func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				switch {
				case request.Model == "other-model":
					return test.small
				case strings.Contains(request.Last().Text, "of the history"):
					return modeltest.Text("own sums up")
				}
				return modeltest.Text(strings.Repeat("long answer ", 800))
			})
			models := roles(map[string][]string{"small": {"other-model"}})
			models.Properties = func(choice actors.Choice) providers.About {
				if choice.Model == "other-model" {
					return providers.About{Window: test.window}
				}
				return providers.About{}
			}
			tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: t.TempDir(), Models: models})
			for _, prompt := range []string{"one", "two", "three", "four", "five", "six"} {
				tree.Prompt(prompt)
			}
			tree.Client.Send(messages.Compact{})
			tree.Finish()
			tree.Prompt("what was it?")
			requests := server.Requests()
			if raw := string(requests[len(requests)-1].Raw); !strings.Contains(raw, test.want) {
				t.Errorf("%s is not in the conversation", test.want)
			}
		})
	}
}

func TestPlansHaveTheirModel(t *testing.T) {
	server := byModel(t, map[string][]modeltest.Step{"test-model": {modeltest.Text("a"), modeltest.Text("b")}, "other-model": {modeltest.Text("plan")}})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Models: roles(map[string][]string{"plan": {"other-model"}}), Policy: &actors.Policy{Coding: true, Person: true}})
	tree.Prompt("one")
	tree.Client.Send(messages.SetApproval{Mode: messages.ApprovePlan})
	if turn := tree.Prompt("two"); turn.Ended.Text != "plan" {
		t.Errorf("in plan mode: %+v", turn.Ended)
	}
	tree.Client.Send(messages.SetModel{Model: "test-model"})
	if turn := tree.Prompt("three"); turn.Ended.Text != "b" {
		t.Errorf("with a model that was chosen: %+v", turn.Ended)
	}
}

func TestThePlannerIsFollowedByThePlanner(t *testing.T) {
	denied := modeltest.Status(403, `{"error":{"message":"your account is closed"}}`)
	server := byModel(t, map[string][]modeltest.Step{"second": {denied}, "other-model": {modeltest.Text("plan")}})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Models: roles(map[string][]string{"small": {"second", "test-model"}, "plan": {"second", "other-model"}}), Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApprovePlan}})
	if turn := tree.Prompt("plan it"); turn.Ended.Text != "plan" {
		t.Errorf("%+v", turn.Ended)
	}
}

// A sub-agent can have a role, or a model of any provider.
func TestSubAgentsTakeARole(t *testing.T) {
	for _, wish := range []string{"small", "openai-compat/other-model"} {
		server := byModel(t, map[string][]modeltest.Step{
			"test-model":  {modeltest.Calls(modeltest.Call{Name: "hand_out", Args: map[string]string{"text": wish}}), modeltest.Text("done")},
			"other-model": {modeltest.Text("found it")},
		})
		hand := tools.New(tools.Def[sayArgs]{Name: "hand_out", Doc: "Hands out.", Pool: tools.Agent, Run: func(ctx context.Context, env tools.Env, in sayArgs) (tools.Output, error) {
			reports := env.Agents(ctx, 1, []tools.Task{{Name: "a", Prompt: "look", Model: in.Text}})
			return tools.Output{Text: reports[0].Text + reports[0].Err}, nil
		}})
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{hand}, Models: roles(map[string][]string{"small": {"other-model"}})})
		tree.Prompt("go")
		requests := server.Requests()
		if last := requests[len(requests)-1].Last(); last.Result.Text != "found it" {
			t.Errorf("%s: the report is %+v", wish, last)
		}
	}
}

func TestTitlesGoDownTheList(t *testing.T) {
	server := byModel(t, map[string][]modeltest.Step{
		"test-model":  {modeltest.Text("It is blue.")},
		"second":      {modeltest.Status(403, `{"error":{"message":"your account is closed"}}`)},
		"other-model": {modeltest.Text("The Colour of the Sky")},
	})
	home := t.TempDir()
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Keep: begins, Policy: &actors.Policy{Coding: true, Person: true}, Models: roles(map[string][]string{"small": {"second", "other-model"}})})
	tree.Prompt("which colour has the sky?")
	for _, want := range []string{"second", "other-model"} {
		found := false
		for deadline := time.Now().Add(actorstest.Patience); !found && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			for _, request := range server.Requests() {
				found = found || request.Model == want
			}
		}
		if !found {
			t.Errorf("%s was not asked", want)
		}
	}
}

func TestARenamedModelIsPaidForAsAsked(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("hello").WithFaults(modeltest.NamedModel("gateway/route-7")))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	turn := tree.Prompt("hi")
	if usage := turn.Ended.Usage; usage.Cost == 0 || usage.ModelTurns["test-model"] != 1 || len(usage.ModelTurns) != 1 || len(usage.Unpriced) != 0 {
		t.Errorf("it cost %+v", usage)
	}
	if told := sentNotice(tree, "1. hi"); !strings.Contains(told, "/test-model, ") || strings.Contains(told, "gateway") {
		t.Errorf("told %s", told)
	}
}
