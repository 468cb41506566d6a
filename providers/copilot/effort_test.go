package copilot_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
)

// The effort reaches the server behind the real CLI, even if it changes during a conversation.
func TestCopilotGetsEffort(t *testing.T) {
	server := behind(t, modeltest.Text("one"), modeltest.Text("two"), modeltest.Text("three"))
	model := asks(t, server)
	var all []messages.Message
	for _, step := range []struct {
		effort providers.Effort
		want   string
	}{{providers.High, "high"}, {providers.Off, "low"}, {"", ""}} {
		all = append(all, messages.Message{Role: messages.User, Text: "go on"})
		reply, err := model.Respond(t.Context(), providers.Question{System: "Be brief.", Messages: all, Effort: step.effort}, func(providers.Part) {})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, messages.Message{Role: messages.Assistant, Text: reply.Text})
		requests := server.Requests()
		if got := requests[len(requests)-1].Effort; got != step.want {
			t.Errorf("effort %q reached the server as %q; %q", step.effort, got, reply.Notices)
		}
	}
}

// A picture in a result reaches the server behind the real CLI as a picture.
func TestCopilotIsShownPicturesOfResults(t *testing.T) {
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	server := behind(t, modeltest.Calls(modeltest.Call{Name: "look"}), modeltest.Text("a grey square"))
	model := asks(t, server)
	question := providers.Question{
		System:   "Be brief.",
		Messages: []messages.Message{{Role: messages.User, Text: "look"}},
		Tools:    []providers.ToolSpec{{Name: "look", Doc: "Looks.", Schema: []byte(`{"type":"object","properties":{}}`)}},
	}
	reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
	if err != nil || len(reply.Calls) != 1 {
		t.Fatalf("%+v, %v", reply, err)
	}
	question.Messages = append(question.Messages, messages.Message{Role: messages.Assistant, Calls: reply.Calls}, messages.Message{Role: messages.Tool, Result: messages.ToolResult{
		Call: reply.Calls[0].ID, Name: "look", Text: "seen", Pictures: []messages.Picture{{Type: "image/png", Data: drawn.Bytes(), Name: "grey.png"}},
	}})
	if reply, err = model.Respond(t.Context(), question, func(providers.Part) {}); err != nil || reply.Text != "a grey square" {
		t.Fatalf("%+v, %v", reply, err)
	}
	if raw := string(server.Requests()[1].Raw); !strings.Contains(raw, "data:image/png;base64,") || !strings.Contains(raw, "grey.png") {
		t.Errorf("the picture is not there: %s", raw)
	}
}
