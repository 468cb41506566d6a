package messages

// ShowContext asks for a [ContextShown].
type ShowContext struct{}

// ContextShown lists the items in the context window and the items that were left out. Before a
// conversation begins, Parts lists what the window would contain. No model is asked for the list.
type ContextShown struct {
	Parts []ContextPart `json:"parts"`
}

// ShowNeeds asks for a [NeedsShown].
type ShowNeeds struct{}

// NeedsShown lists the requirements that a model must meet to continue the conversation.
type NeedsShown struct {
	Tokens   int      `json:"tokens"`          // approximate size so far; 0 before the first message
	Pictures int      `json:"pictures"`        // the number of pictures so far
	Bound    []string `json:"bound,omitempty"` // directories that only some providers may see
}

// ContextPart is an item that is in the context window, or an item that was left out.
//
// Kind is one of "system", "instructions", "rule", "sticky", "skill", "command", "agent",
// "addition", "document", "fact", "tool", "message" and "result". State is one of "loaded",
// "shortened", "shadowed", "waits", "left out" and "off". Why gives the reason for the state.
// Tokens is the size of the item; it is 0 for most items that are not in the window.
type ContextPart struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
	State  string `json:"state"`
	Why    string `json:"why"`
}
