package actors_test

import (
	"errors"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

func TestThinkingIsChangedInAConversation(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Policy: person()})
	for i, step := range []struct{ say, want string }{{"", ""}, {"high", "reasoning high"}, {"huge", "reasoning high"}, {"off", "reasoning none"}, {"auto", ""}} {
		if step.say != "" {
			tree.Client.Send(messages.SetModel{Effort: step.say})
			actorstest.ReadUntil[messages.Notice](tree)
		}
		tree.Prompt("hi")
		if got := server.Requests()[i].Effort; got != step.want {
			t.Errorf("after %q the request has effort %q, want %q", step.say, got, step.want)
		}
	}
}

func TestTheEffortIsThatOfTheModelThatIsChosenWithIt(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	models := actors.Models{Choose: func(name string) (actors.Choice, error) {
		if name == "nobody" {
			return actors.Choice{}, errors.New("there is no nobody")
		}
		return actors.Choice{Provider: name, Model: "first"}, nil
	}}
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Policy: person(), Models: models})
	for _, step := range []struct {
		wish messages.SetModel
		want []string
	}{
		{messages.SetModel{Model: "gpt-5", Effort: "high"}, []string{"openai-compat gpt-5", "effort high", "From the next turn on, gpt-5 thinks at the level high."}},
		{messages.SetModel{Provider: "openai", Effort: "low"}, []string{"openai first", "effort low", "From the next turn on, first thinks at the level low."}},
		{messages.SetModel{Provider: "openai", Model: "gpt-5", Effort: "auto"}, []string{"openai gpt-5", "effort ", "gpt-5 decides how long it thinks."}},
		{messages.SetModel{Effort: "high"}, []string{"effort high", "From the next turn on, gpt-5 thinks at the level high."}},
		{messages.SetModel{Provider: "nobody", Effort: "low"}, []string{"there is no nobody"}},
		{messages.SetModel{Model: "other", Effort: "huge"}, []string{`there is no thinking level "huge"; the levels are auto, off, minimal, low, medium, high, xhigh and max`}},
		{messages.SetModel{Model: "gpt-5-mini"}, []string{"openai gpt-5-mini"}},
	} {
		var told []string
		tree.Client.Send(step.wish)
		for len(told) < len(step.want) {
			switch event := actorstest.ReadUntil[messages.Event](tree).(type) {
			case messages.ModelChanged:
				told = append(told, event.Provider+" "+event.Model)
			case messages.EffortChanged:
				told = append(told, "effort "+event.Effort)
			case messages.Notice:
				told = append(told, event.Text)
			}
		}
		same(t, "told", told, step.want...)
	}
	tree.Prompt("hi")
	if last := server.Requests()[0]; last.Model != "gpt-5-mini" || last.Effort != "high" {
		t.Errorf("%s is asked with effort %q", last.Model, last.Effort)
	}
}
