package modeltest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/anthropic"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
	"marvin/providers/responses"
)

// A server that does not end its answer delays a complete call for some seconds, not until the
// silence limit. An incomplete call never runs.
func TestACompleteCallDoesNotWaitForItsEnd(t *testing.T) {
	whole := modeltest.Calls(modeltest.Call{Name: "look", Args: `{"at":"x"}`}).WithFaults(modeltest.Pieces(3), modeltest.Pings())
	half := map[modeltest.Wire]string{
		modeltest.OpenAI:    `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"at\""}}]}}]}`,
		modeltest.Anthropic: `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}`,
		modeltest.Responses: `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"a","name":"look"}}`,
	}
	for wire, begun := range half {
		for name, step := range map[string]modeltest.Step{"whole": whole.Append(modeltest.Hang()), "half": modeltest.Raw(begun).Append(modeltest.Hang()).WithFaults(modeltest.Pings())} {
			t.Run(string(wire)+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step { return step })
					var model providers.Model = openaichat.New(openaichat.Config{Provider: "p", BaseURL: server.URL + "/v1", Key: "k", Model: "m", HTTP: client})
					switch wire {
					case modeltest.Anthropic:
						model = anthropic.New(anthropic.Config{Provider: "p", BaseURL: server.URL + "/v1", Key: "k", Model: "m", HTTP: client})
					case modeltest.Responses:
						model = responses.New(responses.Config{Provider: "p", BaseURL: server.URL + "/v1", Key: "k", Model: "m", HTTP: client})
					}
					silent, began := errors.New("silent"), time.Now()
					ctx, stop := context.WithTimeoutCause(t.Context(), time.Minute, silent)
					defer stop()
					reply, err := model.Respond(ctx, providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}, Tools: []providers.ToolSpec{{Name: "look"}}}, func(providers.Part) {})
					switch took := time.Since(began); {
					case name == "half" && (!errors.Is(err, silent) || took != time.Minute):
						t.Errorf("half a call after %s: %+v, %v", took, reply.Calls, err)
					case name == "whole" && (err != nil || took > 12*time.Second || reply.Finish != providers.Called || len(reply.Calls) != 1 || string(reply.Calls[0].Args) != `{"at":"x"}`):
						t.Errorf("after %s: %+v, %v", took, reply, err)
					}
				})
			})
		}
	}
}
