package messages

import "time"

// Event is a message from a session to its front ends.
//
//sumtype:decl
type Event interface{ eventName() string }

// Envelope is an event with its metadata. In each session, Seq starts at 1 and determines the order
// of the events. The field At is only for display.
type Envelope struct {
	Seq     uint64
	Session string
	Turn    string // empty if the event is not part of a turn
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
	// Approval is the approval mode. It is empty if the mode is "auto" and there is no user, because
	// older programs that read the events do not expect the field.
	Approval Approval `json:"approval,omitempty"`
	Effort   string   `json:"effort,omitempty"` // the thinking effort; "" if the model decides
}

// TurnStarted says that work on a prompt began.
type TurnStarted struct {
	Prompt  string `json:"prompt"`
	Request string `json:"request,omitempty"` // the id of the request that began the turn
	Aside   bool   `json:"aside,omitempty"`   // the turn is not part of the conversation
	// Pictures contains the labels of the prompt's pictures, such as "[picture 1: a.png 800x600]".
	Pictures []string `json:"pictures,omitempty"`
	// Images are the pictures themselves, for a front end that draws them. They are not part of the
	// JSON.
	Images []Picture `json:"-"`
}

// Text is the next piece of the answer.
type Text struct {
	Chunk string `json:"chunk"`
}

// Thinking is the next piece of the model's reasoning, which is not part of the answer.
type Thinking struct {
	Chunk string `json:"chunk"`
}

// ToolsCalled announces a round of tool calls. Names contains the tool name of each call, in the
// order of the calls.
type ToolsCalled struct {
	Names []string `json:"names"`
	Calls []string `json:"-"` // the ids of the calls, in the order of Names
}

// ToolStarted reports that a tool call is now running. Title is one short line for the user, such
// as "read_file main.go", without control characters. If Title shows only a part of the command,
// Command contains up to 16 KiB of the command.
type ToolStarted struct {
	Call    string `json:"call"`
	Name    string `json:"name"`
	Title   string `json:"title"`
	Command string `json:"command,omitempty"`
	// Paths contains the absolute paths that the call reads or writes, if they are known before it
	// runs.
	Paths []string `json:"paths,omitempty"`
}

// ToolOutput contains lines of output from a running call.
type ToolOutput struct {
	Call  string `json:"call"`
	Chunk string `json:"chunk"`
}

// ToolEnded reports how a call ended. Summary is one line for the user, by default the first line
// of the result. Text is the result for the model; View, if present, is the result for the user.
// Title and Command are set only for a call that never began, because such a call has no
// [ToolStarted]. If the call succeeded but its program reported a failure, Exit is the program's
// exit code.
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
	// Problems contains the errors and warnings in the files that the call changed. It also contains
	// the errors and warnings that the call caused in other files. Text lists the same problems.
	Problems []CodeProblem `json:"problems,omitempty"`
	// Images are the result's pictures, for a front end that draws them. They are not part of the
	// JSON.
	Images []Picture `json:"-"`
}

// Answered tells every front end to close a question. The fields Ask through Mode repeat the
// [Answer], with defaults for missing values.
type Answered struct {
	Ask    string         `json:"ask"`
	Choice Choice         `json:"choice"`
	Text   string         `json:"text,omitempty"`
	Chosen []Chosen       `json:"chosen,omitempty"`
	Values map[string]any `json:"values,omitempty"`
	Mode   Approval       `json:"mode,omitempty"`
	// Default is set if the time limit passed, or if the user declined a choice or a form.
	Default bool `json:"default,omitempty"`
	// By is the name of the window that answered. It is empty if nobody answered, or if the answer
	// came from the window that receives this event.
	By string `json:"by,omitempty"`
}

// PlanChanged carries the conversation's new plan, which replaces the previous plan. A plan without
// steps means that the conversation has no plan.
type PlanChanged struct {
	Plan Plan `json:"plan"`
}

// Granted contains the permissions that apply in this conversation. The session sends Granted
// whenever the permissions change, and in reply to [ListGrants].
type Granted struct {
	Grants []Grant `json:"grants"`
}

// Grant is a permission that the user gave with [Always]. Its number is never reused.
type Grant struct {
	Number int    `json:"number"`
	Covers string `json:"covers"` // a description of the calls that the grant allows
}

// Refused gives the reason why a request from another process was not carried out. Request is empty
// if the request had no id.
type Refused struct {
	Request string `json:"request"`
	Err     string `json:"error"`
}

// Steered reports that the next request of the running turn contains a prompt that was waiting.
type Steered struct {
	Request string `json:"request,omitempty"`
	Prompt  string `json:"prompt"`
}

// Withdrawn reports that a waiting prompt will not be sent.
type Withdrawn struct {
	Request string `json:"request,omitempty"`
	Prompt  string `json:"prompt"`
}

// Notice contains text for the user. Notices are not part of the conversation.
type Notice struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
}

// Waiting gives the reason for a pause in the answer. The zero Waiting means that the answer
// continues.
type Waiting struct {
	Why   string    `json:"why"`
	Until time.Time `json:"until,omitzero"` // when the next request to the model begins
	Since time.Time `json:"since,omitzero"` // when the last data of an unfinished answer arrived
}

// ModelChanged reports a switch to another model. If Why is empty, the switch takes effect with the
// next turn. Otherwise Why is the reason, and the new model continues the running turn. If Stays is
// set, the new model also answers later turns.
type ModelChanged struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Why      string `json:"why"`
	Stays    bool   `json:"stays,omitempty"`
}

// EffortChanged reports the thinking effort for the next turn and all later turns. Effort is one of
// the values in [SetModel], or "" if the model decides.
type EffortChanged struct {
	Effort string `json:"effort"`
	Takes  string `json:"takes"` // the effort that the current model receives; "" if none
}

// Cleared tells front ends to clear the screen. If Why is empty, a new conversation begins.
// Otherwise the conversation's earlier turns follow.
type Cleared struct {
	Why ClearedWhy `json:"why,omitempty"`
}

// ClearedWhy is the reason to show a conversation again from its beginning.
type ClearedWhy string

// The reasons to show a conversation again from its beginning.
const (
	ClearedResume ClearedWhy = "resume" // another conversation continues; a [Resumed] event follows
	ClearedBranch ClearedWhy = "branch" // the [Branch] op succeeded; a [Resumed] event follows
	ClearedRewind ClearedWhy = "rewind" // the [Rewind] op succeeded; a [Rewound] event follows
	// The [Handoff] op succeeded. A [Resumed] event follows if the new conversation is stored.
	ClearedHandoff ClearedWhy = "handoff"
	ClearedBehind  ClearedWhy = "behind" // the window fell behind; all recorded events follow
)

// ModeChanged reports a change of the working directory, coding mode, profile or approval mode.
// Every field contains its current value. Approval has the same form as in [Opened].
type ModeChanged struct {
	Dir      string   `json:"dir,omitempty"`
	Coding   bool     `json:"coding"`
	Profile  string   `json:"profile,omitempty"`
	Approval Approval `json:"approval,omitempty"`
}

// Compacted reports that a summary replaced older messages. Before and After are in tokens.
type Compacted struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// UsageChanged carries the session's totals so far. Context describes the conversation after the
// last answer. Context.Limit is 0 while the limit is unknown.
type UsageChanged struct {
	Usage   Usage   `json:"usage"`
	Context Context `json:"context,omitzero"`
}

// Context is the size of the conversation in tokens. If Used reaches Limit, Marvin sends no more
// requests to the model.
type Context struct {
	Used  int `json:"used"`
	Limit int `json:"limit"`
}

// TurnEnded reports that a turn is over. Text is the whole answer. If Exit is true, the model
// called exit_app and the front end should quit.
type TurnEnded struct {
	Outcome Outcome `json:"outcome"`
	Text    string  `json:"text"`
	Usage   Usage   `json:"usage"`
	Err     string  `json:"error,omitempty"`
	Exit    bool    `json:"exit,omitempty"`
	Stop    Stop    `json:"stop,omitempty"` // the limit or filter that ended the turn early, if any
}

// Closed is the last event of a session.
type Closed struct{}

func (Artifacts) eventName() string     { return "artifacts" }
func (Opened) eventName() string        { return "opened" }
func (TurnStarted) eventName() string   { return "turn_started" }
func (Text) eventName() string          { return "text" }
func (Thinking) eventName() string      { return "thinking" }
func (ToolsCalled) eventName() string   { return "tools_called" }
func (ToolStarted) eventName() string   { return "tool_started" }
func (ToolOutput) eventName() string    { return "tool_output" }
func (ToolEnded) eventName() string     { return "tool_ended" }
func (AgentChanged) eventName() string  { return "agent_changed" }
func (AgentShown) eventName() string    { return "agent" }
func (Diagnosed) eventName() string     { return "diagnosed" }
func (Asked) eventName() string         { return "asked" }
func (Answered) eventName() string      { return "answered" }
func (PlanChanged) eventName() string   { return "plan_changed" }
func (Granted) eventName() string       { return "grants" }
func (ContextShown) eventName() string  { return "context" }
func (NeedsShown) eventName() string    { return "needs" }
func (Changes) eventName() string       { return "changes" }
func (EffortChanged) eventName() string { return "effort_changed" }
func (Refused) eventName() string       { return "refused" }
func (Steered) eventName() string       { return "steered" }
func (Withdrawn) eventName() string     { return "withdrawn" }
func (Notice) eventName() string        { return "notice" }
func (Waiting) eventName() string       { return "waiting" }
func (ModelChanged) eventName() string  { return "model_changed" }
func (Cleared) eventName() string       { return "cleared" }
func (ModeChanged) eventName() string   { return "mode_changed" }
func (Compacted) eventName() string     { return "compacted" }
func (UsageChanged) eventName() string  { return "usage_changed" }
func (TurnEnded) eventName() string     { return "turn_ended" }
func (Recalled) eventName() string      { return "recalled" }
func (Resumed) eventName() string       { return "resumed" }
func (Closed) eventName() string        { return "closed" }
func (Tree) eventName() string          { return "tree" }
func (Rewound) eventName() string       { return "rewound" }
