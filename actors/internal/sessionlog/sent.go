package sessionlog

import (
	"encoding/json"
	"time"
)

// Sent is a request whose answer is not part of the conversation: of a sub-agent, for a title, for
// a summary, or a side question.
type Sent struct {
	For      string     `json:"for"`                // who asked, or what for, in words for people
	Model    string     `json:"model"`              // provider/model
	Host     string     `json:"host,omitempty"`     // where it was when it was asked; "" for Marvin itself, and where that is not recorded
	Requests int        `json:"requests,omitempty"` // at least 1
	Input    int        `json:"input,omitempty"`    // tokens
	Places   []string   `json:"places,omitempty"`   // that its words were read from, and that were not named before
	Calls    []SentCall `json:"calls,omitempty"`    // that the answer made
	At       time.Time  `json:"-"`
}

// SentCall is a tool call that contacted the network.
type SentCall struct {
	Tool string `json:"tool"`
	To   string `json:"to"`
}

// RequestRecord records a request whose answer is not part of the conversation. The model never sees it.
func RequestRecord(sent Sent) Record { return Record{kind: sentKind, body: sent} }

// sent assigns a request to the running turn, or to the last one: a title is made afterwards.
func (f *folding) sent(body json.RawMessage) error {
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
