package modeltest_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
)

// A gateway may name a different model in each answer. The next request still names the chosen
// model, and returns its reasoning, which belongs to the name in the request.
func TestAGatewayThatRenamesModels(t *testing.T) {
	for _, wire := range hopping {
		t.Run(string(wire), func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				answer := modeltest.Think(secret(request.Model)).Append(modeltest.Text("seen"))
				if request.N%2 == 0 {
					answer = modeltest.Think("it is ", secret(request.Model)).Append(modeltest.Calls(modeltest.Call{Name: "look"}))
				}
				return answer.WithFaults(modeltest.NamedModel(fmt.Sprint("gateway/route-", request.N)))
			})
			const name = "claude-sonnet-4-6"
			h := hopper{client(t, wire, server, name, providers.About{Most: 20_000}), wire, name, server.Requests}
			talk := &talk{t: t, origin: map[providers.Model]string{h.Model: h.origin()}}
			for range 2 {
				talk.say("what is this?")
				talk.ask(h.Model, providers.High)
				talk.ask(h.Model, providers.High)
			}
			for _, message := range talk.all {
				for _, thought := range message.Thinking {
					if message.Role == messages.Assistant && thought.Origin != h.origin() {
						t.Errorf("a thought is known as %q's", thought.Origin)
					}
				}
			}
			requests := server.Requests()
			for _, request := range requests {
				if request.Model != name || strings.Contains(string(request.Raw), "gateway/route") {
					t.Errorf("asked %q: %s", request.Model, request.Raw)
				}
			}
			keepTheirThoughts(t, wire, name, requests)
		})
	}
}
