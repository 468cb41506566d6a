package actors_test

import (
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
)

func TestAWindowThatIsSaidBoundsTheConversation(t *testing.T) {
	limit := func(setup actorstest.Setup) int {
		setup.Server = modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("done") })
		tree := actorstest.Start(t, setup)
		turn := tree.Prompt("hello")
		if turn.Ended.Outcome != messages.Completed {
			t.Fatalf("%+v", turn.Ended)
		}
		limit := 0
		for _, used := range actorstest.Pick[messages.UsageChanged](turn.Events) {
			limit = max(limit, used.Context.Limit)
		}
		return limit
	}
	for name, setup := range map[string]actorstest.Setup{
		"said": {Models: actors.Models{Properties: func(actors.Choice) providers.About { return providers.About{Window: 4096} }}},
		"told": {Models: actors.Models{
			Properties: func(actors.Choice) providers.About { return providers.About{Window: 32_768} },
			AskServer:  func(actors.Choice) (int, int) { return 4096, 131_072 },
		}},
	} {
		if got := limit(setup); got < 3000 || got >= 4096 {
			t.Errorf("%s: a conversation in a window of 4096 tokens may have %d", name, got)
		}
	}
	if got := limit(actorstest.Setup{}); got < 100_000 {
		t.Errorf("without a word about it: %d", got)
	}
}
