package tools

import (
	"context"
	"time"

	"marvin/messages"
)

// Task is work for a sub-agent. The sub-agent has its own conversation, receives one prompt, and
// never has more permissions than its caller.
type Task struct {
	Name   string // shown to users
	Prompt string

	// Brought describes the source of untrusted or private text in Prompt, for example "its
	// ticket". If Prompt contains no such text, Brought is "".
	Brought  string
	Provider string // "" means the caller's provider
	Model    string // "" means Provider's default model, or the caller's model if Provider is ""
	Dir      string // the absolute working directory; "" means the caller's directory

	// Own means that the sandbox confines the task to Dir.
	Own      bool
	Tools    []string // the tools that the task may use; nil allows all of the caller's tools
	ReadOnly bool
	Rounds   int // maximum number of tool-call rounds; 0 means the default

	Fleet       bool   // a fleet worker runs the task; if Model or Dir is "", the worker uses its own
	Git, Commit string // the repository and commit that a fleet worker checks out; "" for none

	// Program, if not nil, runs the task in an external program. The Task argument includes the
	// caller's restrictions. Program returns soon after ctx ends.
	Program func(ctx context.Context, task Task, report func(TaskProgress)) Report `json:"-"`
}

// AgentKind is a sub-agent definition from a file. The definition cannot add to the
// caller's rights.
type AgentKind struct {
	Name     string
	Text     string   // the instructions for the sub-agent
	Model    string   // "" means the caller's model
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
	Patch   string // a patch for "git apply", with the changes from another directory
	// Unpriced means that the cost of the task is unknown.
	Unpriced bool `json:",omitempty"`
}

// TaskProgress describes the progress of a task that runs outside this process's sessions.
type TaskProgress struct {
	Said   string `json:"-"` // the agent's new text since the last report, for display
	Asks   bool   `json:"-"` // the agent waits for the user
	Title  string // title of the running call, for display
	Rounds int
	Usage  messages.Usage
}
