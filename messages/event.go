package messages

import "time"

// Event is what a session tells its front ends.
//
//sumtype:decl
type Event interface{ event() }

// Envelope is one event with its place in the conversation. Seq grows by one
// from 1 in each session and is the only order to rely on; At is for people.
type Envelope struct {
	Seq     uint64
	Session string
	Turn    string // empty outside a turn
	At      time.Time
	Event   Event
}

// Opened is the first event of a session.
type Opened struct {
	Profile  string `json:"profile"`
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Dir      string `json:"dir,omitempty"`
	Coding   bool   `json:"coding"`
	// Approval is the approval mode. It is empty for auto without a user to ask, which is what a
	// program expects that starts Marvin for one answer.
	Approval Approval `json:"approval,omitempty"`
	Effort   string   `json:"effort,omitempty"` // how long models think; empty is as each does by itself
}

// TurnStarted says that work on a prompt began.
type TurnStarted struct {
	Prompt  string `json:"prompt"`
	Request string `json:"request,omitempty"` // the id of the request that asked for it
	Aside   bool   `json:"aside,omitempty"`   // it is not part of the conversation
	// Pictures are labels of those that came with the prompt, such as [picture 1: a.png 800x600].
	Pictures []string `json:"pictures,omitempty"`
	// Images are the pictures themselves, for a front end that draws them. They go over no wire.
	Images []Picture `json:"-"`
}

// Text is the next piece of the answer.
type Text struct {
	Chunk string `json:"chunk"`
}

// Thinking is the next piece of the model's reasoning, never part of the answer.
type Thinking struct {
	Chunk string `json:"chunk"`
}

// ToolsCalled opens a round of tool calls: the names in call order, duplicates kept.
type ToolsCalled struct {
	Names []string `json:"names"`
	Calls []string `json:"-"` // their ids, in the same order
}

// ToolStarted says that a call got its slot and runs. Title is one short line
// for people ("read_file main.go"), already free of control characters. Command is the whole
// command, of at most 16 KiB, where Title cuts that short.
type ToolStarted struct {
	Call    string `json:"call"`
	Name    string `json:"name"`
	Title   string `json:"title"`
	Command string `json:"command,omitempty"`
	// Paths are the files and directories that the call reads or writes, absolute, as far as
	// that is known before it runs.
	Paths []string `json:"paths,omitempty"`
}

// ToolOutput is progress of a running call, as lines for people.
type ToolOutput struct {
	Call  string `json:"call"`
	Chunk string `json:"chunk"`
}

// ToolEnded says how a call ended. Summary is the result in a line for people, which is its
// first one where the tool has none that says more; Text is the whole result as the model
// reads it; View, when present, is the same for people. Title and Command are there for a call
// that never began, as no ToolStarted says what it would have done. Exit is the exit code of the program
// that a call ran, where the call went well and that program reports a failure; else 0.
type ToolEnded struct {
	Call    string        `json:"call"`
	Name    string        `json:"name"`
	Status  Status        `json:"status"`
	Summary string        `json:"summary"`
	Text    string        `json:"text"`
	View    *View         `json:"view,omitempty"`
	Exit    int           `json:"exit,omitempty"`
	Job     string        `json:"job,omitempty"` // the background job that continues the call
	Took    time.Duration `json:"took_ns"`
	Title   string        `json:"title,omitempty"`
	Command string        `json:"command,omitempty"` // as in [ToolStarted]
	// Problems are what language servers say of the files that the call changed, and of
	// others that it broke. Text has them, too.
	Problems []CodeProblem `json:"problems,omitempty"`
	// Images are pictures of the result, for a front end that draws them. They go over no wire.
	Images []Picture `json:"-"`
}

// Answered says that a question is settled, so that every front end can close it. Text is what to
// do instead, if a no came with such words. The other fields are as in [Answer], with defaults
// filled in; Default means that the default applies because there was no answer.
type Answered struct {
	Ask     string         `json:"ask"`
	Choice  Choice         `json:"choice"`
	Text    string         `json:"text,omitempty"`
	Chosen  []Chosen       `json:"chosen,omitempty"`
	Values  map[string]any `json:"values,omitempty"`
	Mode    Approval       `json:"mode,omitempty"`
	Default bool           `json:"default,omitempty"`
	By      string         `json:"by,omitempty"` // the window that answered; empty for one's own, or without an answer
}

// PlanChanged says that the model has another plan, or, without steps, none any more. The
// plan is the conversation's and stays as it is until the next one.
type PlanChanged struct {
	Plan Plan `json:"plan"`
}

// Granted lists what is allowed in this conversation without another question, whenever
// that changes and when it is asked for.
type Granted struct {
	Grants []Grant `json:"grants"`
}

// Grant is a permission that the user gave with [Always]. Its number is never reused.
type Grant struct {
	Number int    `json:"number"`
	Covers string `json:"covers"` // in words
}

// Refused says why a request from elsewhere was not done. Requests that a front end
// makes without an id are answered by an empty one.
type Refused struct {
	Request string `json:"request"`
	Err     string `json:"error"`
}

// Steered says that the words of a prompt, which waited while a turn ran, went into that
// turn: the model has them with its next request.
type Steered struct {
	Request string `json:"request,omitempty"`
	Prompt  string `json:"prompt"`
}

// Withdrawn says that a prompt which waited for its turn will not be asked.
type Withdrawn struct {
	Request string `json:"request,omitempty"`
	Prompt  string `json:"prompt"`
}

// Notice is a line for people that is not part of the conversation.
type Notice struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
}

// Waiting says that nothing arrives at present, and why. Until is when the model will be asked
// again; Since is when its unfinished answer stopped. Without both, and without a Why, the answer
// continues.
type Waiting struct {
	Why   string    `json:"why"`
	Until time.Time `json:"until,omitzero"`
	Since time.Time `json:"since,omitzero"`
}

// ModelChanged says that another model answers. Without a Why the user chose it, and it answers
// from the next turn. With a Why the rest of this turn comes from it and a notice says so; if Stays
// is set, it answers later turns as well.
type ModelChanged struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Why      string `json:"why"`
	Stays    bool   `json:"stays,omitempty"`
}

// EffortChanged says how long models think from the next turn: one of the words of [SetModel];
// empty leaves it to the model. Takes is the effort that the present model receives instead; empty
// if it receives none.
type EffortChanged struct {
	Effort string `json:"effort"`
	Takes  string `json:"takes"`
}

// Cleared says that another conversation replaces the one on the screen: a new one, or, with a Why,
// one whose [Recalled] events follow.
type Cleared struct {
	Why ClearedWhy `json:"why,omitempty"`
}

// ClearedWhy is why a conversation is shown again from its beginning.
type ClearedWhy string

// The reasons to show a conversation again from its beginning.
const (
	ClearedResume  ClearedWhy = "resume"  // another one continues; Resumed follows
	ClearedBranch  ClearedWhy = "branch"  // another branch of it does; Resumed follows
	ClearedRewind  ClearedWhy = "rewind"  // it is where it was before a prompt; Rewound follows
	ClearedHandoff ClearedWhy = "handoff" // a new one begins with a summary; if it is stored, Resumed follows
	ClearedBehind  ClearedWhy = "behind"  // this window read too slowly; everything follows again
)

// ModeChanged says that the working directory, coding mode, profile or approval mode is
// another one. It carries all of them, the last as [Opened] does.
type ModeChanged struct {
	Dir      string   `json:"dir,omitempty"`
	Coding   bool     `json:"coding"`
	Profile  string   `json:"profile,omitempty"`
	Approval Approval `json:"approval,omitempty"`
}

// Compacted says that older messages were summarized; sizes are in tokens.
type Compacted struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// UsageChanged carries the sums of the session so far. Context is the size of the
// conversation after the last answer; its Limit is 0 as long as that is not known.
type UsageChanged struct {
	Usage   Usage   `json:"usage"`
	Context Context `json:"context,omitzero"`
}

// Context is how much of a model's window the conversation takes, in tokens. At Limit
// nothing more is sent.
type Context struct {
	Used  int `json:"used"`
	Limit int `json:"limit"`
}

// TurnEnded closes a turn. Text repeats the whole answer, so that a listener need not have seen
// every chunk. Exit asks the front end to quit (the model called exit_app).
type TurnEnded struct {
	Outcome Outcome `json:"outcome"`
	Text    string  `json:"text"`
	Usage   Usage   `json:"usage"`
	Err     string  `json:"error,omitempty"`
	Exit    bool    `json:"exit,omitempty"`
	Stop    Stop    `json:"stop,omitempty"` // of an incomplete turn: what stopped it, where that has a name
}

// Closed is the last event of a session.
type Closed struct{}

func (Artifacts) event()     {}
func (Opened) event()        {}
func (TurnStarted) event()   {}
func (Text) event()          {}
func (Thinking) event()      {}
func (ToolsCalled) event()   {}
func (ToolStarted) event()   {}
func (ToolOutput) event()    {}
func (ToolEnded) event()     {}
func (AgentChanged) event()  {}
func (AgentShown) event()    {}
func (Diagnosed) event()     {}
func (Asked) event()         {}
func (Answered) event()      {}
func (PlanChanged) event()   {}
func (Granted) event()       {}
func (ContextShown) event()  {}
func (NeedsShown) event()    {}
func (Changes) event()       {}
func (EffortChanged) event() {}
func (Refused) event()       {}
func (Steered) event()       {}
func (Withdrawn) event()     {}
func (Notice) event()        {}
func (Waiting) event()       {}
func (ModelChanged) event()  {}
func (Cleared) event()       {}
func (ModeChanged) event()   {}
func (Compacted) event()     {}
func (UsageChanged) event()  {}
func (TurnEnded) event()     {}
func (Recalled) event()      {}
func (Resumed) event()       {}
func (Closed) event()        {}
func (Tree) event()          {}
func (Rewound) event()       {}
