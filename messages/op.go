package messages

// Op is a request that a front end sends to a session.
//
//sumtype:decl
type Op interface{ opName() string }

// Prompt is an [Op] that asks for an answer. A prompt that arrives during a turn is queued. If
// Steer is set, the prompt instead joins the turn's next request, if there is one.
type Prompt struct {
	Text     string `json:"text"`
	Provider string `json:"provider,omitempty"` // the provider for this prompt only
	Model    string `json:"model,omitempty"`    // the model for this prompt only; "" means the provider's default
	Steer    bool   `json:"steer,omitempty"`
	// Pictures are shown with the text. A prompt with pictures gets a turn of its own.
	Pictures []Picture `json:"pictures,omitempty"`
	// By is the list of pieces in Text, each with its author. [Ask] and [Say] set both fields.
	By    []Authored   `json:"-"`
	Parts *PromptParts `json:"-"`
}

// PromptParts contains tool calls and command output that accompany a prompt.
type PromptParts struct {
	// Calls run before the first request to the model; their results precede the prompt. A command
	// file can thus include a program's output.
	Calls []ToolCall
	Ran   string // the commands that the user ran since the last prompt, and their output
}

// Cancel ends the running turn and keeps the text so far. If Turn is set, Cancel ends only the turn
// with that id. If Request is set, Cancel ends the turn that the request began, or withdraws the
// request's waiting prompt.
type Cancel struct {
	Turn    string `json:"turn,omitempty"`
	Request string `json:"request,omitempty"`
}

// Answer is the reply to an [Asked] event. If Choice is [No], Text tells the model what to do
// instead, or what to change in the plan.
type Answer struct {
	Ask    string         `json:"ask"`
	Choice Choice         `json:"choice"`
	Text   string         `json:"text,omitempty"`
	Chosen []Chosen       `json:"chosen,omitempty"` // one answer per question, in order
	Values map[string]any `json:"values,omitempty"` // a form's values, by field name
	Mode   Approval       `json:"mode,omitempty"`   // for a plan: the mode for the work; "" is "edits"
	// Digest is the [Asked.Fingerprint] of the question that the user saw. If Digest is empty,
	// Marvin does not check whether the question has changed.
	Digest string `json:"digest,omitempty"`
	By     string `json:"-"` // the window that answered; "" if the conversation cannot have several windows
}

// ToEvent returns the [Answered] event for the answer.
func (a Answer) ToEvent() Answered {
	return Answered{Ask: a.Ask, Choice: a.Choice, Text: a.Text, Chosen: a.Chosen, Values: a.Values, Mode: a.Mode, By: a.By}
}

// Attend restarts the countdown to a question's deadline, because the user is looking at the
// question.
type Attend struct {
	Ask string `json:"ask"`
}

// ListGrants asks for a [Granted] event.
type ListGrants struct{}

// ListSent asks for a [Notice] about the data that left this machine. For each turn, the Notice
// lists the hosts and the files.
type ListSent struct{}

// Revoke withdraws the [Grant] with the given number.
type Revoke struct {
	Grant int `json:"grant"`
}

// SetDir changes the conversation's working directory, which is the root for all file tools. Path
// must be absolute and must exist.
type SetDir struct {
	Path string `json:"path"`
}

// SetMode switches coding mode on or off. The switch takes effect with the next turn.
type SetMode struct {
	Coding bool `json:"coding"`
}

// SetApproval changes the approval mode for later calls, including calls in the running turn and
// its sub-agents. Pending questions still need an answer.
type SetApproval struct {
	Mode Approval `json:"mode"`
}

// SetModel selects the model for the next turn and all later turns. An empty Provider keeps the
// current provider. An empty Model selects the provider's default.
//
// Effort controls how long the model thinks: "off", "minimal", "low", "medium", "high", "xhigh" or
// "max". If Effort is "auto", the model decides. An empty Effort keeps the current effort.
type SetModel struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	Effort   string `json:"effort,omitempty"`
}

// SetProfile switches to an existing profile for the next turn and all later turns. The switch
// removes the permissions that the user gave for the session.
type SetProfile struct {
	Name string `json:"name"`
}

// Compact summarizes the older part of the conversation. During a turn, Compact takes effect before
// the next request.
type Compact struct {
	Focus string `json:"focus,omitempty"` // the most important subject of the summary
}

// Clear cancels the running turn and begins a new, empty conversation. It deletes no stored
// conversations.
type Clear struct{}

// Rename changes the conversation's title.
type Rename struct {
	Title string `json:"title"`
}

// Undo reverts the changes that tools made in a turn, if the user agrees. If Redo is true, Undo
// instead applies the reverted changes again.
type Undo struct {
	Turn string `json:"turn,omitempty"` // "" means the last turn that can be undone or redone
	// Path, if set, limits Undo to files whose paths end with the elements of Path.
	Path string `json:"path,omitempty"`
	Redo bool   `json:"redo,omitempty"`
}

// Background makes a running call continue as a background job. An empty Call means every running
// call that can become a job. The result of each such call names the job.
type Background struct {
	Call string `json:"call,omitempty"`
}

// Quit cancels the running turn and closes the session.
type Quit struct{}

func (Prompt) opName() string        { return "prompt" }
func (Cancel) opName() string        { return "cancel" }
func (Answer) opName() string        { return "answer" }
func (Attend) opName() string        { return "attend" }
func (ListGrants) opName() string    { return "list_grants" }
func (ShowContext) opName() string   { return "show_context" }
func (ShowNeeds) opName() string     { return "show_needs" }
func (ListSent) opName() string      { return "list_sent" }
func (Revoke) opName() string        { return "revoke" }
func (SetDir) opName() string        { return "set_dir" }
func (SetMode) opName() string       { return "set_mode" }
func (SetApproval) opName() string   { return "set_approval" }
func (SetModel) opName() string      { return "set_model" }
func (SetProfile) opName() string    { return "set_profile" }
func (Compact) opName() string       { return "compact" }
func (Clear) opName() string         { return "clear" }
func (Rename) opName() string        { return "rename" }
func (Undo) opName() string          { return "undo" }
func (ListChanges) opName() string   { return "list_changes" }
func (TakeBack) opName() string      { return "take_back" }
func (Quit) opName() string          { return "quit" }
func (Resume) opName() string        { return "resume" }
func (Fork) opName() string          { return "fork" }
func (ListTree) opName() string      { return "list_tree" }
func (ListArtifacts) opName() string { return "list_artifacts" }
func (Background) opName() string    { return "background" }
func (VisitAgent) opName() string    { return "visit_agent" }
func (Branch) opName() string        { return "branch" }
func (Label) opName() string         { return "label" }
func (Rewind) opName() string        { return "rewind" }
func (SideQuestion) opName() string  { return "aside" }
func (Handoff) opName() string       { return "handoff" }
