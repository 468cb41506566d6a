package messages

import "time"

// While a turn runs, a session refuses [Resume], [Fork], [Branch], [Label] and [Rewind].

// Resume switches to another conversation. The session sends a [Cleared], one [Recalled] for each
// turn, and a [Resumed].
type Resume struct {
	ID string `json:"id"`
}

// Fork continues with a copy of a conversation and leaves the original unchanged. An empty ID means
// the current conversation.
type Fork struct {
	ID string `json:"id,omitempty"`
}

// ListTree asks for a [Tree].
type ListTree struct{}

// Branch continues this conversation after an earlier turn. Entry is that turn's number in [Tree].
// Later messages are kept as a branch.
type Branch struct {
	Entry int64 `json:"entry"`
}

// Label sets the name of a turn. An Entry of 0 means the last turn. An empty Text removes the name.
type Label struct {
	Text  string `json:"text"`
	Entry int64  `json:"entry,omitempty"`
}

// Rewind takes the conversation back to the point before a prompt. Later messages become a branch.
// If Again is set, Marvin sends the prompt once more; otherwise, the user can edit it (see
// [Rewound]).
type Rewind struct {
	Prompts int  `json:"prompts,omitempty"` // how many prompts to go back; 0 means 1
	Again   bool `json:"again,omitempty"`
}

// SideQuestion asks a question outside the conversation. The model knows the conversation so far,
// and can use only read-only tools. Neither the question nor the answer is remembered.
type SideQuestion struct {
	Text string `json:"text"`
}

// Handoff begins a new conversation with a summary of this one. The model writes the summary first.
type Handoff struct {
	Focus string `json:"focus,omitempty"` // the most important subject of the summary
}

// Tree lists the turns of all branches of a stored conversation, oldest first.
type Tree struct {
	Turns []TreeTurn `json:"turns"`
}

// TreeTurn is a prompt and the turn that answered it.
type TreeTurn struct {
	Entry   int64     `json:"entry"`            // the turn's number; see [Branch] and [Label]
	Parent  int64     `json:"parent,omitempty"` // the entry of the previous turn; 0 for a first turn
	At      time.Time `json:"at"`
	Prompt  string    `json:"prompt"`
	Label   string    `json:"label,omitempty"`
	Outcome Outcome   `json:"outcome,omitempty"` // "" if no outcome was recorded
	Current bool      `json:"current,omitempty"` // the turn is on the current branch
}

// Rewound reports that the conversation has returned to the point before Prompt.
type Rewound struct {
	Prompt string `json:"prompt"`
	Again  bool   `json:"again,omitempty"` // Marvin sends the prompt again
}
