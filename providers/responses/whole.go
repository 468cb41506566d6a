package responses

import (
	"encoding/json"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// whole is an answer that came as one body, as gateways send it that know no streams, or an
// error with status 200.
type whole struct {
	body
	Object string `json:"object"`
	Status string `json:"status"`
}

// TakeWhole plays such an answer as the events of a stream.
func (a *answer) TakeWhole(data []byte) error {
	var came whole
	if json.Unmarshal(data, &came) != nil || came.Object != "response" && came.Error == (failure{}) {
		return nil // it is none
	}
	if came.Status == "failed" || came.Object != "response" {
		return providers.ServerError(a.provider, statusOf(came.Error.Code+came.Error.Type), data, a.key)
	}
	a.model = came.Model
	for i, one := range came.Output {
		if one.Type == "message" {
			a.speak(one)
		}
		if one.Type == "reasoning" {
			a.muse(one.Summary)
		}
		a.finished(&event{Index: i, Item: one.item})
	}
	a.end(&came.body)
	return nil
}

// muse takes what can be shown of a thought.
func (a *answer) muse(summary json.RawMessage) {
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(summary, &parts) // what has no text is sealed, or nothing
	for _, part := range parts {
		if part.Text != "" {
			a.thinking.WriteString(part.Text)
			a.Say(providers.ThinkingPart, part.Text)
		}
	}
}

var _ stream.Answer = (*answer)(nil)
