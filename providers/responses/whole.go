package responses

import (
	"encoding/json"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// whole is a response that came in one body. It is an answer from a gateway that cannot stream, or
// an error with status 200.
type whole struct {
	body
	Object string `json:"object"`
	Status string `json:"status"`
}

// TakeWhole reads an answer that came in one body instead of a stream.
func (a *answer) TakeWhole(data []byte) error {
	var came whole
	if json.Unmarshal(data, &came) != nil || came.Object != "response" && came.Error == (failure{}) {
		return nil // not a whole answer
	}
	if came.Status == "failed" || came.Object != "response" {
		return providers.ServerError(a.provider, stream.StatusOf(came.Error.Code+came.Error.Type, errorKinds), data, a.key)
	}
	a.model = came.Model
	for i, one := range came.Output {
		if one.Type == "message" {
			a.speak(one)
		}
		if one.Type == "reasoning" {
			a.muse(one.Summary)
		}
		a.finishItem(&event{Index: i, Item: one.item})
	}
	a.end(&came.body)
	return nil
}

// muse appends the text of a reasoning summary to a.thinking, and forwards the text.
func (a *answer) muse(summary json.RawMessage) {
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(summary, &parts) // reasoning without text is encrypted or empty
	for _, part := range parts {
		if part.Text != "" {
			a.thinking.WriteString(part.Text)
			a.Say(providers.ThinkingPart, part.Text)
		}
	}
}

var _ stream.Answer = (*answer)(nil)
