package anthropic

import (
	"cmp"
	"encoding/json"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// wholeAnswer is an answer or an error in one body. Some gateways do not stream answers, and some
// send errors with status 200.
type wholeAnswer struct {
	event
	Model   string `json:"model"`
	Content []struct {
		Type      string          `json:"type"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Text      string          `json:"text"`
		Data      string          `json:"data"`
		Thinking  string          `json:"thinking"`
		Signature string          `json:"signature"`
		Input     json.RawMessage `json:"input"`
	} `json:"content"`
	StopReason string `json:"stop_reason"`
	Usage      usage  `json:"usage"`
}

// TakeWhole reads an answer or an error that arrives in one body. Other bodies are ignored.
func (a *answer) TakeWhole(data []byte) error {
	var came wholeAnswer
	if json.Unmarshal(data, &came) != nil || came.Type != "message" && came.Type != "error" {
		return nil // not a whole answer
	}
	if came.Type == "error" {
		return providers.ServerError(a.provider, statusOf(came.Error), data, a.key)
	}
	a.model = came.Model
	a.usage.merge(came.Usage)
	for i, block := range came.Content {
		begun := event{Index: i}
		begun.Block.Type, begun.Block.ID, begun.Block.Name, begun.Block.Input = block.Type, block.ID, block.Name, block.Input
		begun.Block.Text, begun.Block.Data = block.Text, block.Data
		a.begin(&begun)
		if block.Type == "thinking" {
			a.grow(grown(i, "thinking_delta", block.Thinking, ""))
			a.grow(grown(i, "signature_delta", "", block.Signature))
		}
	}
	a.reason, a.ended = came.StopReason, true
	a.reason = cmp.Or(a.reason, "end_turn") // the JSON is complete, so the answer is complete
	return nil
}

func grown(index int, kind, thinking, signature string) *event {
	event := &event{Index: index}
	event.Delta.Type, event.Delta.Thinking, event.Delta.Signature = kind, thinking, signature
	return event
}

var _ stream.Answer = (*answer)(nil)
