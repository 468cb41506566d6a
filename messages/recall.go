package messages

import "time"

// Resumed says that a conversation goes on that was kept, behind what was said in it.
type Resumed struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Turns   int       `json:"turns"`             // so far
	Left    time.Time `json:"left"`              // when somebody was last in it
	Earlier bool      `json:"earlier,omitempty"` // not all turns were told
	From    string    `json:"from,omitempty"`    // the conversation of which it is a copy, or with whose summary it begins
}

// Recalled is a turn of a conversation that goes on, as it was. It changes no sum, and
// nothing of it runs again.
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
