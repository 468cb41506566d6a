package responses_test

import (
	"net/http"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/responses"
)

// Some servers send the output only with the final event, or the text before it and the call in it.
// No part is lost or comes twice.
func TestOutputOfTheFinalEventCounts(t *testing.T) {
	const message = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]}`
	const call = `{"type":"function_call","call_id":"c1","name":"look","arguments":"{\"at\":\"x\"}"}`
	final := func(output ...string) modeltest.Step {
		return modeltest.Raw(`{"type":"response.completed","response":{"id":"r","status":"completed","model":"m","output":[` + strings.Join(output, ",") + `]}}`).Append(modeltest.End())
	}
	for name, row := range map[string]struct {
		step  modeltest.Step
		calls int
	}{
		"all at the end":          {final(message, call), 1},
		"words alone":             {final(message), 0},
		"the call at the end":     {modeltest.Text("I look.").Append(final(message, call)), 1},
		"all, and told once more": {modeltest.Text("I look.").Append(modeltest.Raw(`{"type":"response.output_item.done","output_index":1,"item":`+call+`}`), final(message, call)), 1},
	} {
		t.Run(name, func(t *testing.T) {
			model := responses.New(responses.Config{Provider: "p", BaseURL: modeltest.Start(t, row.step).URL + "/v1", Key: "k", Model: "m", HTTP: &http.Client{Transport: &http.Transport{}}})
			defer model.Close()
			var shown strings.Builder
			reply, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}, Tools: []providers.ToolSpec{{Name: "look"}}}, func(part providers.Part) {
				if part.Kind == providers.TextPart {
					shown.WriteString(part.Text)
				}
			})
			if err != nil || reply.Text != "I look." || shown.String() != "I look." || len(reply.Calls) != row.calls {
				t.Fatalf("%+v, shown %q, %v", reply, shown.String(), err)
			}
			if row.calls == 1 && (reply.Finish != providers.Called || string(reply.Calls[0].Args) != `{"at":"x"}` || reply.Calls[0].ID != "c1") {
				t.Errorf("%+v", reply)
			}
		})
	}
}
