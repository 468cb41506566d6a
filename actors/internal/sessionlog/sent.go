package sessionlog

import (
	"encoding/json"
	"time"
)

// Sent is a request whose answer is not part of the conversation: a sub-agent's request, a side
// question, or a request for a title or a summary.
type Sent struct {
	For      string     `json:"for"`                // for display, such as "a summary"
	Model    string     `json:"model"`              // provider/model
	Host     string     `json:"host,omitempty"`     // "" if unrecorded, or if Marvin ran the model
	Requests int        `json:"requests,omitempty"` // the number of requests, at least 1
	Input    int        `json:"input,omitempty"`    // input tokens
	Places   []string   `json:"places,omitempty"`   // source paths that are new to the provider
	Calls    []SentCall `json:"calls,omitempty"`    // calls in the answer
	At       time.Time  `json:"-"`
}

// SentCall describes a tool call that uses the network.
type SentCall struct {
	Tool string `json:"tool"`
	To   string `json:"to"`
}

// RequestRecord records a request whose answer is not part of the conversation. The model does not
// receive the record.
func RequestRecord(sent Sent) Record { return Record{kind: sentKind, body: sent} }

// addSent adds a request to the running turn or, if no turn is running, to the last turn.
func (f *folding) addSent(body json.RawMessage) error {
	var sent Sent
	if err := json.Unmarshal(body, &sent); err != nil {
		return err
	}
	switch turns := f.content.Turns; {
	case f.turn != nil:
		f.turn.Sent = append(f.turn.Sent, sent)
	case len(turns) > 0:
		last := &turns[len(turns)-1]
		last.Sent = append(last.Sent, sent)
	}
	return nil
}
