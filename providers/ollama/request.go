package ollama

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ollama/ollama/api"

	"marvin/messages"
	"marvin/providers"
)

// request converts a question to the format of Ollama's API. Equal questions give equal requests,
// byte for byte.
func (m *Model) request(question providers.Question) (*api.ChatRequest, error) {
	refuse := false
	request := &api.ChatRequest{
		Model:   m.config.Model,
		Options: map[string]any{"num_ctx": m.facts().window},
		// Truncate and Shift would silently drop the beginning of the conversation. Without them,
		// the server refuses a prompt that does not fit, and ends an answer that fills the window.
		Truncate: &refuse,
		Shift:    &refuse,
	}
	request.Think = m.think(question.Effort)
	if system := strings.ToValidUTF8(question.System, "\ufffd"); strings.TrimSpace(system) != "" {
		request.Messages = append(request.Messages, api.Message{Role: "system", Content: system})
	}
	toolless := m.toolless()
	history := providers.PicturesBehind(providers.Repair(question.Messages), m.takesPictures())
	if toolless {
		history = providers.InWordsOnly(history)
	}
	for _, message := range history {
		wire, err := m.wireMessage(message)
		if err != nil {
			return nil, err
		}
		request.Messages = append(request.Messages, wire)
	}
	if toolless {
		return request, nil
	}
	for _, tool := range question.Tools {
		wire, err := wireTool(tool)
		if err != nil {
			return nil, err
		}
		request.Tools = append(request.Tools, wire)
	}
	return request, nil
}

func (m *Model) wireMessage(message messages.Message) (api.Message, error) {
	if message.Role == messages.Tool {
		return api.Message{Role: "tool", Content: message.Result.Text, ToolName: message.Result.Name, ToolCallID: message.Result.Call}, nil
	}
	wire := api.Message{Role: string(message.Role), Content: message.Text, Thinking: thought(m.config.Model, message.Calls)}
	for _, picture := range message.Pictures {
		wire.Images = append(wire.Images, picture.Data)
	}
	for i, call := range message.Calls {
		encoded := api.ToolCall{ID: call.ID, Function: api.ToolCallFunction{Index: i, Name: call.Name}}
		if err := json.Unmarshal(call.Args, &encoded.Function.Arguments); err != nil {
			return wire, fmt.Errorf("encode the call to %s for Ollama: %w", call.Name, err)
		}
		wire.ToolCalls = append(wire.ToolCalls, encoded)
	}
	return wire, nil
}

// wireTool converts a tool to Ollama's format. The limits and defaults in the schema are lost, but
// Marvin applies them itself.
func wireTool(tool providers.ToolSpec) (api.Tool, error) {
	wire := api.Tool{Type: "function", Function: api.ToolFunction{Name: tool.Name, Description: tool.Doc}}
	if len(tool.Schema) > 0 {
		if err := json.Unmarshal(tool.Schema, &wire.Function.Parameters); err != nil {
			return wire, fmt.Errorf("encode the schema of %s for Ollama: %w", tool.Name, err)
		}
	}
	wire.Function.Parameters.Type = cmp.Or(wire.Function.Parameters.Type, "object")
	if wire.Function.Parameters.Properties == nil {
		wire.Function.Parameters.Properties = api.NewToolPropertiesMap() // templates refuse null
	}
	return wire, nil
}

// thoughts contains the reasoning of a model before a tool call. Later requests to this model
// repeat the reasoning, because it helps the model to continue.
type thoughts struct {
	Model    string `json:"model"`
	Thinking string `json:"thinking"`
}

// keep puts the reasoning and the model's name into calls[0].Opaque.
func keep(model, thinking string, calls []messages.ToolCall) {
	if thinking == "" || len(calls) == 0 {
		return
	}
	opaque, err := json.Marshal(thoughts{model, thinking})
	if err == nil { // a string can always be encoded
		calls[0].Opaque, calls[0].Origin = opaque, name
	}
}

// thought extracts the given model's reasoning from calls. If there is none, thought returns "".
func thought(model string, calls []messages.ToolCall) string {
	for _, call := range calls {
		var kept thoughts
		if call.Origin == name && json.Unmarshal(call.Opaque, &kept) == nil && kept.Model == model {
			return kept.Thinking
		}
	}
	return ""
}
