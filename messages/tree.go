package messages

import "time"

// Ops and events about whole stored conversations: which one continues, and on which branch. None
// of them waits for a turn: they are refused while one runs.

// Resume replaces this conversation by another stored one. Cleared, each turn as Recalled, and
// Resumed follow.
type Resume struct {
	ID string `json:"id"`
}

// Fork continues with a copy of a conversation (this one if ID is empty) and leaves the original
// unchanged.
type Fork struct {
	ID string `json:"id,omitempty"`
}

// ListTree asks for a [Tree].
type ListTree struct{}

// Branch continues after a turn of this conversation, given by its number in [Tree]. Later messages
// are kept as a branch.
type Branch struct {
	Entry int64 `json:"entry"`
}

// Label gives a turn a name, the last one if Entry is 0. An empty text takes it away.
type Label struct {
	Text  string `json:"text"`
	Entry int64  `json:"entry,omitempty"`
}

// Rewind returns to the point before a prompt: the last one, or earlier ones as Prompts counts.
// Later messages are kept as a branch. Again sends the same prompt once more; otherwise Rewound
// returns it for editing.
type Rewind struct {
	Prompts int  `json:"prompts,omitempty"` // 0 is 1
	Again   bool `json:"again,omitempty"`
}

// Aside asks something beside the conversation: its model knows what was said so far, has
// the tools that only read, and remembers neither the question nor the answer.
type Aside struct {
	Text string `json:"text"`
}

// Handoff begins a new conversation with a summary of this one, which the model writes first.
type Handoff struct {
	Focus string `json:"focus,omitempty"` // what matters most
}

// Tree is what a conversation that is kept has, branches and all, in the order in which it
// was said.
type Tree struct {
	Turns []TreeTurn `json:"turns"`
}

// TreeTurn is a prompt with all that followed from it.
type TreeTurn struct {
	Entry   int64     `json:"entry"`            // what [Branch] and [Label] name it by
	Parent  int64     `json:"parent,omitempty"` // the turn before it; 0 for a first one
	At      time.Time `json:"at"`
	Prompt  string    `json:"prompt"`
	Label   string    `json:"label,omitempty"`
	Outcome Outcome   `json:"outcome,omitempty"` // "" if Marvin ended in it
	Current bool      `json:"current,omitempty"` // it is on the current branch
}

// Rewound says that the conversation is where it was before a prompt.
type Rewound struct {
	Prompt string `json:"prompt"`
	Again  bool   `json:"again,omitempty"` // and that is asked once more
}
