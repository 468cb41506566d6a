package copilot_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/adapt"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

func TestCopilotIsAskedWithoutARefusedEffort(t *testing.T) {
	copilottest.Path(t)
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if request.Effort != "" {
			return modeltest.Status(400, `{"error":{"message":"Unsupported parameter: 'reasoning_effort' is not supported with this model.","type":"invalid_request_error","param":"reasoning_effort","code":"unsupported_parameter"}}`)
		}
		return modeltest.Text("ok")
	})
	model := asks(t, server)
	var all []messages.Message
	for i, told := range []bool{true, false} {
		all = append(all, messages.Message{Role: messages.User, Text: "go on"})
		reply, err := model.Respond(t.Context(), providers.Question{System: "Be brief.", Messages: all, Effort: providers.High}, func(providers.Part) {})
		if err != nil || reply.Text != "ok" {
			t.Fatalf("%+v, %v", reply, err)
		}
		if said := strings.Contains(strings.Join(reply.Notices, " "), "no thinking levels"); said != told {
			t.Errorf("answer %d: told %v: %q", i, said, reply.Notices)
		}
		all = append(all, messages.Message{Role: messages.Assistant, Text: reply.Text})
	}
	requests := server.Requests()
	if last := requests[len(requests)-1]; last.Effort != "" || len(requests) > 2 && requests[len(requests)-2].Effort != "" {
		t.Errorf("a refused effort is sent again: %d requests", len(requests))
	}
}

func TestCopilotHandsOverToEveryProvider(t *testing.T) {
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	shown := []messages.Picture{{Type: "image/png", Data: drawn.Bytes(), Name: "grey.png", Width: 8, Height: 8}}
	origins := []string{"claude/claude-sonnet-4-6", "gpt/gpt-5.1", "ollama/qwen3", "chat/x"}
	if testing.Short() {
		origins = origins[:1]
	}
	for _, origin := range origins {
		t.Run(strings.ReplaceAll(origin, "/", " "), func(t *testing.T) {
			server := behind(t, modeltest.Text("I go on."), modeltest.Calls(modeltest.Call{Name: "look"}), modeltest.Text("done"))
			model := asks(t, server)
			thought := []messages.Thought{{Text: "a secret of another", Opaque: `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"}`, Origin: origin}}
			question := providers.Question{
				System: "Be brief.", Tools: []providers.ToolSpec{{Name: "look", Doc: "Looks.", Schema: []byte(`{"type":"object","properties":{}}`)}},
				Messages: []messages.Message{
					{Role: messages.User, Text: "what is this?", Pictures: shown},
					{Role: messages.Assistant, Text: "I look.", Thinking: thought, Calls: []messages.ToolCall{{ID: "toolu:1", Name: "look", Args: []byte(`{}`)}, {Name: "look", Args: []byte(`{"at":`)}}},
					{Role: messages.Tool, Result: messages.ToolResult{Call: "toolu:1", Name: "look", Text: "grey", Status: messages.OK, Pictures: shown}},
					{Role: messages.Tool, Result: messages.ToolResult{Name: "look", Text: "no such place", Status: messages.ToolError}},
				},
			}
			for _, text := range []string{"", "and now", "and then"} {
				if text != "" {
					question.Messages = append(question.Messages, messages.Message{Role: messages.User, Text: text})
				}
				reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
				if err != nil || reply.Text == "" && len(reply.Calls) == 0 {
					t.Fatalf("%q: %+v, %v", text, reply, err)
				}
				question.Messages = append(question.Messages, messages.Message{Role: messages.Assistant, Text: reply.Text, Calls: reply.Calls})
				for _, call := range reply.Calls {
					question.Messages = append(question.Messages, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: call.ID, Name: call.Name, Text: "seen", Status: messages.OK}})
				}
			}
			for _, request := range server.Requests() {
				if bytes.Contains(request.Raw, []byte("a secret of another")) {
					t.Errorf("what another thought reached the server: %s", request.Raw)
				}
			}
		})
	}
}

// A refusal that another form of the question avoids does not end a conversation through the real
// CLI. The user is told of the change once.
func TestCopilotContinuesAfterARefusalOfTheRequest(t *testing.T) {
	refuses := func(with func(modeltest.Request) bool, message string) func(modeltest.Request) modeltest.Step {
		return func(request modeltest.Request) modeltest.Step {
			if with(request) {
				return modeltest.Status(400, fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error"}}`, message))
			}
			return modeltest.Text("ok")
		}
	}
	for name, server := range map[string]func(modeltest.Request) modeltest.Step{
		"all tools":             refuses(func(r modeltest.Request) bool { return len(r.Tools) > 0 }, "lab does not support tools"),
		"a tool of others":      refuses(func(r modeltest.Request) bool { return bytes.Contains(r.Raw, []byte(`"odd"`)) }, "Invalid schema for function 'odd': array schema missing items"),
		"a keyword of schemas":  refuses(func(r modeltest.Request) bool { return bytes.Contains(r.Raw, []byte(`"anyOf"`)) }, "schema keyword anyOf is not supported"),
		"a refusal of no words": refuses(func(r modeltest.Request) bool { return len(r.Tools) > 1 }, "Bad Request"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			copilottest.Path(t)
			requests := modeltest.StartFunc(t, server)
			host := &adapt.Host{Provider: "copilot", Model: t.Name(), Closed: true, Own: func(name string) bool { return name == "own" }}
			model := host.Wrap(asks(t, requests))
			question := providers.Question{System: "Be brief.", Tools: []providers.ToolSpec{
				{Name: "own", Schema: []byte(`{"type":"object","properties":{}}`)},
				{Name: "odd", Schema: []byte(`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`)},
			}}
			for turn := range 3 {
				question.Messages = append(question.Messages, messages.Message{Role: messages.User, Text: "go on"})
				before := len(requests.Requests())
				reply, err := model.Respond(t.Context(), question, discard)
				if err != nil || reply.Text != "ok" {
					t.Fatalf("turn %d: %+v, %v", turn, reply, err)
				}
				if told := strings.Contains(strings.Join(reply.Notices, " "), "accepted it after this change"); told != (turn == 0) {
					t.Errorf("turn %d: %q", turn, reply.Notices)
				}
				if sent, most := len(requests.Requests())-before, map[bool]int{true: 3, false: 1}[turn == 0]; sent > most {
					t.Errorf("turn %d: %d requests", turn, sent)
				}
				question.Messages = append(question.Messages, messages.Message{Role: messages.Assistant, Text: reply.Text})
			}
		})
	}
}
