package fleet

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
)

func TestResultsThatAreNoneAreLeftAside(t *testing.T) {
	t.Parallel()
	said := hears()
	f := opened(t, fleettest.Start(t), "strange", said.say)
	s, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	prompt := asked("a", "x")
	send(t, s, prompt, false)
	good := reply{Protocol: Protocol, Asked: prompt.Asked, Worker: "w9", Result: batch.Result{ID: "a", Outcome: messages.Completed, Text: "done"}}
	publish := func(data []byte) {
		t.Helper()
		if _, err := f.js.Publish(t.Context(), f.resultSubject("b1", key("a")), data); err != nil {
			t.Fatal(err)
		}
	}
	for _, change := range []func(*reply){
		func(r *reply) { r.Protocol = Protocol + 1 },
		func(r *reply) { r.Result.ID = "b" },
		func(r *reply) { r.Result.Outcome = "splendid" },
		func(r *reply) { r.Result.Cost = -1 },
		func(r *reply) {},
	} {
		one := good
		change(&one)
		data, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		publish(data)
	}
	if all := collected(t, s, 1); all["a"].Text != "done" || all["a"].Worker != "w9" {
		t.Errorf("%+v", all)
	}
	for _, why := range []string{fmt.Sprintf("it speaks version %d", Protocol+1), "the message's subject and the result name different prompts", `there is no outcome "splendid"`, "its cost or time is not a number"} {
		said.await(t, `a result of "w9" is ignored: `+why)
	}
}
