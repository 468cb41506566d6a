package messages

import "time"

// Resumed says that a stored conversation continues.
type Resumed struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Turns   int       `json:"turns"`             // so far
	Left    time.Time `json:"left"`              // when it was last used
	Earlier bool      `json:"earlier,omitempty"` // the conversation has earlier turns, which the events leave out
	From    string    `json:"from,omitempty"`    // the earlier conversation, if this one is a copy of it or begins with its summary
}

// Recalled is an earlier turn of a resumed conversation. It does not change the totals of usage,
// and its calls do not run again.
type Recalled struct {
	At      time.Time      `json:"at"`
	Prompt  string         `json:"prompt"`
	Steps   []RecalledStep `json:"steps,omitempty"`
	Shown   []string       `json:"pictures,omitempty"` // the pictures that came with the prompt, by name or kind
	Outcome Outcome        `json:"outcome"`
	Err     string         `json:"error,omitempty"`
	Images  []Picture      `json:"-"` // those pictures, for a front end that draws them; not part of the JSON
}

// RecalledStep is a piece of the answer, or a call with its result.
type RecalledStep struct {
	Tool    string `json:"tool,omitempty"` // "" for a piece of the answer
	Title   string `json:"title,omitempty"`
	Command string `json:"command,omitempty"` // as in [ToolStarted]
	Status  Status `json:"status,omitempty"`
	Exit    int    `json:"exit,omitempty"` // as in [ToolEnded]
	Job     string `json:"job,omitempty"`
	Text    string `json:"text"`
	Said    bool   `json:"said,omitempty"` // by the user, in the middle of the turn

	Model    string    `json:"model,omitempty"`    // the model that wrote it, as provider/model
	At       time.Time `json:"at,omitzero"`        // when it was written, if known
	Thinking string    `json:"thinking,omitempty"` // the model's reasoning before it
	Usage    RoundTrip `json:"usage,omitzero"`     // tokens and cost of the request for this answer
	Pictures []string  `json:"pictures,omitempty"` // labels of its pictures, by name or kind
	Source   Source    `json:"source,omitempty"`   // where a tool's text comes from
	Images   []Picture `json:"-"`                  // its pictures, as in [Recalled]
}
