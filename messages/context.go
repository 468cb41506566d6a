package messages

// ShowContext asks for a [ContextShown].
type ShowContext struct{}

// ContextShown lists what is in the window of the conversation, or would be if it began
// now, and what was found and is not in it. No model is asked for that.
type ContextShown struct {
	Parts []ContextPart `json:"parts"`
}

// ShowNeeds asks for a [NeedsShown].
type ShowNeeds struct{}

// NeedsShown says what a model must be able to take in to go on with the conversation.
type NeedsShown struct {
	Tokens   int      `json:"tokens"`          // of what was said, about; 0 before anything was
	Pictures int      `json:"pictures"`        // that were shown
	Bound    []string `json:"bound,omitempty"` // directories of which only some providers may be told
}

// ContextPart is one thing in the window, or one that was left out of it. Its kind is
// system, instructions, rule, sticky, skill, command, agent, tool, message or result; its
// state is loaded, shortened, shadowed, waits or left out, and Why says more. Tokens are
// what it takes now, 0 for what is not in the window.
type ContextPart struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
	State  string `json:"state"`
	Why    string `json:"why"`
}
