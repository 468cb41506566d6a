package tools

import (
	"context"
	"time"

	"marvin/messages"
)

// Task is a piece of work for a sub-agent: a conversation of its own with one prompt. It never has
// more permissions than its caller.
type Task struct {
	Name     string // for people
	Prompt   string
	Brought  string   // says, for people, which file content the prompt contains, such as "its ticket"; "" if it contains none
	Provider string   // "" for the caller's own provider
	Model    string   // "" for the caller's own model, or for the provider's default model if Provider is set
	Dir      string   // the absolute working directory; "" for the caller's directory
	Own      bool     // the sandbox confines the task to Dir: Dir was made for the task, or the user just allowed Dir
	Tools    []string // the tools that the task may use; nil allows all of the caller's tools
	ReadOnly bool
	Rounds   int // maximum number of rounds of tool calls; 0 for the default

	Fleet       bool   // a worker of the fleet runs the task, with its own Model and Dir if they are set
	Git, Commit string // the commit that a fleet worker checks out; "" for none

	// Program runs the task if the agent is an external program; otherwise it is nil. It gets the
	// task with the caller's limits, reports progress, and returns soon after ctx ends.
	Program func(ctx context.Context, task Task, say func(TaskProgress)) Report `json:"-"`
}

// AgentKind is a kind of sub-agent that a file describes. Its tool restrictions can only remove
// rights.
type AgentKind struct {
	Name     string
	Text     string   // the instructions for the sub-agent
	Model    string   // "" for the caller's own model
	Tools    []string // nil allows all of the caller's tools
	ReadOnly bool
	Project  bool // the file belongs to the project
}

// Report is the result of a task.
type Report struct {
	Outcome messages.Outcome
	Text    string // the answer, complete or partial
	Err     string // why the task did not complete
	Usage   messages.Usage
	Rounds  int
	Took    time.Duration
	Patch   string // changes made in another directory, as a patch for git apply
	// Unpriced means that the cost of the task is unknown.
	Unpriced bool `json:",omitempty"`
}

// TaskProgress describes the progress of a task that runs outside this Marvin's sessions.
type TaskProgress struct {
	Said   string `json:"-"` // what the agent wrote since the last report, for people
	Asks   bool   `json:"-"` // the agent waits for the user
	Title  string // title of the running call, for people
	Rounds int
	Usage  messages.Usage
}
