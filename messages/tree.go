package messages

import "time"

// Ops and events about whole stored conversations: which one continues, and on which branch. None
// of them waits for a turn: they are refused while one runs.

// Resume goes on with another conversation that is kept, in the place of this one: Cleared,
// each turn as Recalled, and Resumed are told.
type Resume struct {
	ID string `json:"id"`
}

// Fork goes on with a copy of a conversation, of this one if the ID is empty, and leaves the
// other as it is.
type Fork struct {
	ID string `json:"id,omitempty"`
}

// ListTree asks for a [Tree].
type ListTree struct{}

// Branch goes on behind a turn of this conversation, which has the number in [Tree]. What was
// said since stays, as a branch.
type Branch struct {
	Entry int64 `json:"entry"`
}

// Label gives a turn a name, the last one if Entry is 0. An empty text takes it away.
type Label struct {
	Text  string `json:"text"`
	Entry int64  `json:"entry,omitempty"`
}

// Rewind goes back to before a prompt: the last one, or as many before it as Prompts says
// besides 1. What was said since stays, as a branch. Again asks the same once more; otherwise
// Rewound has its words, to be changed.
type Rewind struct {
	Prompts int  `json:"prompts,omitempty"` // 0 is 1
	Again   bool `json:"again,omitempty"`
}

// Aside asks something beside the conversation: its model knows what was said so far, has
// the tools that only read, and remembers neither the question nor the answer.
type Aside struct {
	Text string `json:"text"`
}

// Handoff begins a new conversation with what its model has to know of this one, which the
// model writes down first.
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
	Current bool      `json:"current,omitempty"` // it is part of what goes on
}

// Rewound says that the conversation is where it was before a prompt.
type Rewound struct {
	Prompt string `json:"prompt"`
	Again  bool   `json:"again,omitempty"` // and that is asked once more
}
