package actors_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
)

func TestALongConversationIsShownFromItsEnd(t *testing.T) {
	home := t.TempDir()
	page := strings.Repeat("what somebody pasted ", 50_000) // 1 MB
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	policy := &actors.Policy{Person: true}
	models := actors.Models{Properties: func(actors.Choice) providers.About { return providers.About{Window: 10_000_000} }}
	limits := actors.ContextLimits{Warn: 9_000_000, Compact: 9_000_000, Refuse: 9_000_000}
	before := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: policy, Keep: begins, Models: models, Context: limits})
	for n := range 6 {
		if turn := before.Prompt(fmt.Sprint(n, " ", page)); turn.Ended.Outcome != messages.Completed {
			t.Fatalf("%+v", turn.Ended)
		}
	}
	requests := server.Requests()
	last := growing(t, requests[len(requests)-1].Raw)
	if err := before.System.Stop(); err != nil {
		t.Fatal(err)
	}

	after := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: policy, Keep: goesOn(t), Models: models, Context: limits})
	turn := after.Prompt("and now?")
	resumed := actorstest.Pick[messages.Resumed](after.Seen)
	if turns := actorstest.Pick[messages.Recalled](after.Seen); len(resumed) != 1 || !resumed[0].Earlier || resumed[0].Turns != 6 || len(turns) == 0 || len(turns) == 6 || !strings.HasPrefix(turns[len(turns)-1].Prompt, "5 ") {
		t.Errorf("people see %d turns, and %+v", len(turns), resumed)
	}
	if turn.Ended.Outcome != messages.Completed || turn.Ended.Usage.Turns != 7 {
		t.Errorf("it ended as %+v", turn.Ended)
	}
	requests = server.Requests()
	first := growing(t, requests[len(requests)-1].Raw)
	if share := float64(common(last, first)) / float64(len(last)); share < 0.999 {
		t.Errorf("the first request has %.4f of the last one before", share)
	}
}
