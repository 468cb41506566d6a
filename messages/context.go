package messages

// ShowContext asks for a [ContextShown].
type ShowContext struct{}

// ContextShown lists the contents of the context window, or the contents with which a conversation
// would begin now. It also lists items that were found but left out of the window. No model is
// asked.
type ContextShown struct {
	Parts []ContextPart `json:"parts"`
}

// ShowNeeds asks for a [NeedsShown].
type ShowNeeds struct{}

// NeedsShown says what a model must accept in order to continue the conversation.
type NeedsShown struct {
	Tokens   int      `json:"tokens"`          // approximate size so far; 0 before the first message
	Pictures int      `json:"pictures"`        // the number of pictures so far
	Bound    []string `json:"bound,omitempty"` // directories that only some providers may see
}

// ContextPart is an item in the context window, or an item that was left out. Kind is system,
// instructions, rule, sticky, skill, command, agent, tool, message or result. State is "loaded",
// "shortened", "shadowed", "waits" or "left out"; Why gives the reason for the state. Tokens is the
// present size, or 0 if the item is not in the window.
type ContextPart struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
	State  string `json:"state"`
	Why    string `json:"why"`
}
