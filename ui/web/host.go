package web

import (
	"context"
	"time"

	"marvin/messages"
	"marvin/ui"
)

// Host gives the page access to conversations. Implementations must be safe for concurrent use.
type Host interface {
	// ListRunning returns the running conversations.
	ListRunning(ctx context.Context) ([]messages.Live, error)
	// ListStored returns the stored conversations, newest first.
	ListStored() ([]StoredSession, error)
	// ReadStored returns a stored conversation and its turns.
	ReadStored(id string) (StoredSession, []messages.Recalled, error)
	// Open opens a window on a running conversation. Other windows show the given name next to answers
	// from this window.
	Open(ctx context.Context, id, name string, role messages.WindowRole) (Window, error)
	// Complete returns the completions of the last word of a prompt.
	Complete(ctx context.Context, id, text string) (Completions, error)
	// Answer answers a question on behalf of the named window, and waits until the answer is accepted.
	Answer(ctx context.Context, id, name string, answer messages.Answer) error
	// Start starts a conversation, or continues a stored one, and returns its id.
	Start(ctx context.Context, begin StartRequest) (string, error)
	// Stop ends a running conversation.
	Stop(ctx context.Context, id string) error
}

// Window connects a page to a conversation that runs in another process.
type Window interface {
	ui.Client
	// Type sends a line as if the user had typed it in the terminal.
	Type(id, line string)
	Close()
}

// Completions contains the possible completions of a word.
type Completions struct {
	Word  string       `json:"word"`
	Items []Completion `json:"items"`
}

// Completion is a possible completion of a word. The field Note describes the completion.
type Completion struct {
	Item string `json:"item"`
	Note string `json:"note,omitempty"`
}

// StoredSession is a conversation on disk.
type StoredSession struct {
	ID, Title, Dir string
	Updated        time.Time
	Cost           float64
}

// StartRequest is a request to start a conversation.
type StartRequest struct {
	Prompt string `json:"prompt"`
	Dir    string `json:"dir"`
	Resume string `json:"resume"` // the id of a stored conversation
}
