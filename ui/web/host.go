package web

import (
	"context"
	"time"

	"marvin/messages"
	"marvin/ui"
)

// Host is what the page shows and changes. All methods may be called at the same time.
type Host interface {
	// Live lists the conversations that run.
	Live(ctx context.Context) ([]messages.Live, error)
	// StoredSession lists the conversations on the disk, the last one first.
	Kept() ([]StoredSession, error)
	// Tell reads the turns of a conversation from the disk.
	Tell(id string) (StoredSession, []messages.Recalled, error)
	// Open opens a window on a conversation that runs. Other windows see its name where it answers.
	Open(ctx context.Context, id, name string, role messages.WindowRole) (Window, error)
	// Complete lists what the last word of a prompt may become.
	Complete(ctx context.Context, id, text string) (Completions, error)
	// Answer answers a question in the name of a window, and waits until that counts.
	Answer(ctx context.Context, id, name string, answer messages.Answer) error
	// Start begins a conversation, or continues one from the disk, and returns its id.
	Start(ctx context.Context, begin Begin) (string, error)
	// Stop ends a conversation that runs.
	Stop(ctx context.Context, id string) error
}

// Window is a window on a conversation in another process.
type Window interface {
	ui.Client
	// Type sends a line as the user would type it in the terminal.
	Type(id, line string)
	Close()
}

// Completions are what the last word of a prompt may become.
type Completions struct {
	Word  string       `json:"word"`
	Items []Completion `json:"items"`
}

// Completion is one of them, with a note about it.
type Completion struct {
	Item string `json:"item"`
	Note string `json:"note,omitempty"`
}

// StoredSession is a conversation on the disk.
type StoredSession struct {
	ID, Title, Dir string
	Updated        time.Time
	Cost           float64
}

// Begin says how a conversation begins.
type Begin struct {
	Prompt string `json:"prompt"`
	Dir    string `json:"dir"`
	Resume string `json:"resume"` // the id of a kept one
}
