package messages

import "time"

// Resumed says that a stored conversation continues.
type Resumed struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Turns   int       `json:"turns"`             // so far
	Left    time.Time `json:"left"`              // when it was last used
	Earlier bool      `json:"earlier,omitempty"` // not all turns follow
	From    string    `json:"from,omitempty"`    // the conversation it was copied from, or whose summary it begins with
}

// Recalled is an earlier turn of a resumed conversation. It changes no totals, and none of its
// calls run again.
type Recalled struct {
	At      time.Time      `json:"at"`
	Prompt  string         `json:"prompt"`
	Steps   []RecalledStep `json:"steps,omitempty"`
	Shown   []string       `json:"pictures,omitempty"` // the pictures that came with the prompt, by name or kind
	Outcome Outcome        `json:"outcome"`
	Err     string         `json:"error,omitempty"`
	Images  []Picture      `json:"-"` // those pictures, for a front end that draws them; they go over no wire
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
	Said    bool   `json:"said,omitempty"` // by the person, in the middle of the turn

	Model    string    `json:"model,omitempty"`    // that spoke, as provider/model
	At       time.Time `json:"at,omitzero"`        // when it was said, where that is known
	Thinking string    `json:"thinking,omitempty"` // what the model thought before it
	Usage    RoundTrip `json:"usage,omitzero"`     // of the question that it answers
	Pictures []string  `json:"pictures,omitempty"` // what came with it, by name or kind
	Source   Source    `json:"source,omitempty"`   // of the words of a tool
	Images   []Picture `json:"-"`                  // what came with it, as in [Recalled]
}
