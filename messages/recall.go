package messages

import "time"

// Resumed reports that the session continues a stored conversation.
type Resumed struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Turns   int       `json:"turns"`             // the number of turns so far
	Left    time.Time `json:"left"`              // when the conversation was last used
	Earlier bool      `json:"earlier,omitempty"` // the oldest turns were not recalled
	// From is the ID of the conversation from which this one was forked or continued, or "".
	From string `json:"from,omitempty"`
}

// Recalled is an earlier turn of a resumed conversation. It does not change the usage totals, and
// its calls do not run again.
type Recalled struct {
	At      time.Time      `json:"at"`
	Prompt  string         `json:"prompt"`
	Steps   []RecalledStep `json:"steps,omitempty"`
	Shown   []string       `json:"pictures,omitempty"` // labels of the pictures in the prompt
	Outcome Outcome        `json:"outcome"`
	Err     string         `json:"error,omitempty"`
	Images  []Picture      `json:"-"` // the pictures themselves; not part of the JSON
}

// RecalledStep is a piece of the answer, a call with its result, or a message that the user sent
// during the turn.
type RecalledStep struct {
	Tool    string `json:"tool,omitempty"` // "" for a piece of the answer
	Title   string `json:"title,omitempty"`
	Command string `json:"command,omitempty"` // as in [ToolStarted]
	Status  Status `json:"status,omitempty"`
	Exit    int    `json:"exit,omitempty"` // as in [ToolEnded]
	Job     string `json:"job,omitempty"`
	Text    string `json:"text"`
	Said    bool   `json:"said,omitempty"` // Text is a message that the user sent during the turn

	Model    string    `json:"model,omitempty"`    // the model that wrote Text, as provider/model
	At       time.Time `json:"at,omitzero"`        // when Text was written, if known
	Thinking string    `json:"thinking,omitempty"` // the model's reasoning before Text
	Usage    RoundTrip `json:"usage,omitzero"`     // the request that produced Text
	Pictures []string  `json:"pictures,omitempty"` // labels of the pictures
	Source   Source    `json:"source,omitempty"`   // where a tool's text comes from
	Images   []Picture `json:"-"`                  // the pictures themselves; not part of the JSON
}
