package actors_test

import (
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
	"marvin/tools"
)

func TestAFirstHelloBeyondASmallWindow(t *testing.T) {
	many := []tools.Tool{filler(10)}
	for _, test := range []struct {
		own    int // the model's largest window
		person bool
		says   string
		not    string
	}{
		{131072, true, "give the model a larger window of up to 131072 tokens (OLLAMA_CONTEXT_LENGTH, or ollama: {num_ctx: N} in config.yaml)", "begin a new one"},
		{256, false, "choose a model with a larger window (/model)", "OLLAMA_CONTEXT_LENGTH"},
	} {
		server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("never") }).Context(test.own).Window(100)
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Tools: many, Policy: &actors.Policy{Coding: true, Person: test.person},
			Models: actors.Models{Connect: func(choice actors.Choice) (providers.Model, error) {
				return ollama.New(ollama.Config{URL: server.URL, Model: choice.Model, Window: 256}), nil
			}},
		})
		for range 2 { // the second one is not sent, because the window is known
			turn := tree.Prompt("hello")
			if turn.Ended.Outcome != messages.Failed || !strings.Contains(turn.Ended.Err, "the model's window of 256 tokens is too small") ||
				!strings.Contains(turn.Ended.Err, test.says) || strings.Contains(turn.Ended.Err, test.not) || strings.Contains(turn.Ended.Err, "/code") != test.person || strings.Contains(turn.Ended.Err, "MARVIN_READONLY=1") == test.person {
				t.Errorf("ended %+v", turn.Ended)
			}
			if notices := actorstest.Pick[messages.Notice](turn.Events); len(notices) > 0 {
				t.Errorf("noticed %+v", notices)
			}
		}
		if n := len(server.Requests()); n != 1 {
			t.Errorf("%d requests", n)
		}
	}
}
