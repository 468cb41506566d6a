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
	Brought  string   // what the prompt holds of files, for people: "its ticket"; "" if nothing
	Provider string   // "" for the caller's
	Model    string   // "" for the caller's, or the provider's own if Provider is set
	Dir      string   // absolute; "" for the caller's
	Own      bool     // Dir was made or allowed for it, and the sandbox holds to that
	Tools    []string // the tools that it may use; nil for all of its caller's
	ReadOnly bool
	Rounds   int // of tools; 0 for the usual limit

	Fleet       bool   // a worker of the fleet does it; Model and Dir, if any, are its own
	Git, Commit string // what such a worker checks out to work in; "" for nothing

	// Program does the task if the agent is a program of others; nil for all others. It gets the
	// task with the limits of its caller, reports progress, and returns soon after ctx ends.
	Program func(ctx context.Context, task Task, say func(Doing)) Report `json:"-"`
}

// AgentKind is a kind of sub-agent that a file describes. Its policy only takes away.
type AgentKind struct {
	Name     string
	Text     string   // what it is and how it works
	Model    string   // "" for the caller's
	Tools    []string // nil for all of its caller's
	ReadOnly bool
	Project  bool // the project brought it
}

// Report is what became of a task.
type Report struct {
	Outcome messages.Outcome
	Text    string // its answer, or what there is of it
	Err     string // why it did not complete
	Usage   messages.Usage
	Rounds  int
	Took    time.Duration
	Patch   string // what was changed elsewhere, as git apply takes it
	// Unpriced means that its cost is unknown.
	Unpriced bool `json:",omitempty"`
}

// Doing is how far a task is that no session of this Marvin does.
type Doing struct {
	Said   string `json:"-"` // by the agent since the last report, for people
	Asks   bool   `json:"-"` // it waits for the user
	Title  string // of the call that runs, for people
	Rounds int
	Usage  messages.Usage
}
