package messages

// Op is what a front end asks of a session.
//
//sumtype:decl
type Op interface{ op() }

// Prompt asks for an answer. With a turn already running it joins the queue; one that
// steers goes into the next request of that turn, if there is one.
type Prompt struct {
	Text     string `json:"text"`
	Provider string `json:"provider,omitempty"` // asked for this prompt only
	Model    string `json:"model,omitempty"`    // the same; "" is the provider's own choice
	Steer    bool   `json:"steer,omitempty"`
	// Pictures are shown with the text. A prompt that has some is asked in a turn of its own.
	Pictures []Picture `json:"pictures,omitempty"`
	// By are the pieces of the text with their authors; see [Ask] and [Say]. A prompt without
	// them names no host: a program that speaks for the user says so with [Say].
	By []Authored `json:"-"`
	// Parts are calls made before the model is asked, as if it had made them: a command file may
	// contain the output of a program. Their results come before the prompt.
	Parts *PromptParts `json:"-"`
}

// PromptParts are the parts of a prompt other than its text; most prompts have none.
type PromptParts struct {
	Calls []ToolCall
	Ran   string // what the user ran since the last prompt, and what it printed
}

// Cancel ends a turn politely: what was said so far is kept. With neither of the two
// that is the running one. Request names a prompt by the id of its request: one that
// waits is taken back.
type Cancel struct {
	Turn    string `json:"turn,omitempty"`
	Request string `json:"request,omitempty"`
}

// Answer replies to an [Asked] event with one of its choices. With a [No], Text tells the
// model what to do instead, or what to change in its plan.
type Answer struct {
	Ask    string         `json:"ask"`
	Choice Choice         `json:"choice"`
	Text   string         `json:"text,omitempty"`
	Chosen []Chosen       `json:"chosen,omitempty"` // of a choice: for each question, in order
	Values map[string]any `json:"values,omitempty"` // of a form: string, float64 or bool, by field
	Mode   Approval       `json:"mode,omitempty"`   // of a plan: how it is carried out; edits if empty
	Digest string         `json:"digest,omitempty"` // of the question as it was shown; empty holds for any
	By     string         `json:"-"`                // the window that answers; empty for the only one
}

// Settled returns the event that reports the answer.
func (a Answer) Settled() Answered {
	return Answered{Ask: a.Ask, Choice: a.Choice, Text: a.Text, Chosen: a.Chosen, Values: a.Values, Mode: a.Mode, By: a.By}
}

// Attend says that the user is looking at a question with a deadline: its time starts over.
type Attend struct {
	Ask string `json:"ask"`
}

// ListGrants asks for a [Granted].
type ListGrants struct{}

// ListSent asks for a [Notice] that says what left the machine, by turn, host and file.
type ListSent struct{}

// Revoke withdraws a grant: such calls need approval again.
type Revoke struct {
	Grant int `json:"grant"`
}

// SetDir makes Path (absolute, existing) the working directory of the
// conversation: the root of every file tool.
type SetDir struct {
	Path string `json:"path"`
}

// SetMode switches coding mode on or off from the next turn.
type SetMode struct {
	Coding bool `json:"coding"`
}

// SetApproval changes the approval mode for later calls, also in the running turn and its
// sub-agents. Open questions remain open.
type SetApproval struct {
	Mode Approval `json:"mode"`
}

// SetModel selects another model from the next turn. An empty Provider is the present one, an empty
// Model the provider's default.
//
// Effort is how long the model thinks: off, minimal, low, medium, high, xhigh or max; auto leaves
// it to the model, and empty leaves it unchanged.
type SetModel struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	Effort   string `json:"effort,omitempty"`
}

// SetProfile switches the conversation to an existing profile from the next turn: its preferences,
// places and history. The conversation stays; permissions for the session do not.
type SetProfile struct {
	Name string `json:"name"`
}

// Compact summarizes the older part of the conversation now, or within the running
// turn before the model is asked again.
type Compact struct {
	Focus string `json:"focus,omitempty"` // what the summary must keep above all
}

// Clear cancels the running turn and begins a new conversation without the earlier messages. Stored
// conversations stay.
type Clear struct{}

// Rename changes what people see the conversation called among those that are kept.
type Rename struct {
	Title string `json:"title"`
}

// Undo restores files that tools wrote in a turn, or applies the changes again. The user is asked
// first. An empty Turn is the last one with something to undo; Path limits it to one file, given by
// its path or the end of it.
type Undo struct {
	Turn string `json:"turn,omitempty"`
	Path string `json:"path,omitempty"`
	Redo bool   `json:"redo,omitempty"`
}

// Background moves running calls to the background as jobs: all that allow it, or the one with the
// id. Each of these calls ends with a result that names its job.
type Background struct {
	Call string `json:"call,omitempty"`
}

// Quit closes the session after the running turn was cancelled.
type Quit struct{}

func (Prompt) op()        {}
func (Cancel) op()        {}
func (Answer) op()        {}
func (Attend) op()        {}
func (ListGrants) op()    {}
func (ShowContext) op()   {}
func (ShowNeeds) op()     {}
func (ListSent) op()      {}
func (Revoke) op()        {}
func (SetDir) op()        {}
func (SetMode) op()       {}
func (SetApproval) op()   {}
func (SetModel) op()      {}
func (SetProfile) op()    {}
func (Compact) op()       {}
func (Clear) op()         {}
func (Rename) op()        {}
func (Undo) op()          {}
func (ListChanges) op()   {}
func (TakeBack) op()      {}
func (Quit) op()          {}
func (Resume) op()        {}
func (Fork) op()          {}
func (ListTree) op()      {}
func (ListArtifacts) op() {}
func (Background) op()    {}
func (VisitAgent) op()    {}
func (Branch) op()        {}
func (Label) op()         {}
func (Rewind) op()        {}
func (Aside) op()         {}
func (Handoff) op()       {}
