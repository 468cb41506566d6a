package messages

import (
	"encoding/json"
	"fmt"
)

// ToolCall is a model's wish to run a tool. Args is whatever the model wrote as
// arguments, decoded and checked only by the tool kit.
type ToolCall struct {
	ID   string
	Name string
	Args json.RawMessage
	// Opaque is data that the provider wants back unchanged with the call
	// (Gemini's thought signature). It is sent back only to the provider that
	// made it, named in Origin.
	Opaque json.RawMessage
	Origin string
}

// ToolResult answers one call. Text is what the model reads, for every status.
type ToolResult struct {
	Call   string `json:"call"` // its id
	Name   string `json:"name"` // the tool's name: native Ollama wants it back
	Text   string `json:"text,omitempty"`
	Status Status `json:"status,omitempty"`
	// Empty says that the call worked and brought nothing: no match, or nothing new when a
	// wait was over. It leaves the view before others do. Providers do not see this mark.
	Empty bool `json:"empty,omitempty"`
	// Exit is as in [ToolEnded]. Providers do not see it: the text says it.
	Exit int `json:"exit,omitempty"`
	// Job is as in [ToolEnded], and as little for providers.
	Job string `json:"job,omitempty"`
	// Pictures go to models that see, behind the text.
	Pictures []Picture `json:"pictures,omitempty"`
}

// Status is how a tool call ended. The model can tell them apart, because a refusal and a timeout
// need different next steps.
type Status string

// How a call can end.
const (
	OK          Status = "ok"
	ToolError   Status = "error"       // the tool ran and says why it could not
	Denied      Status = "denied"      // a person said no
	Forbidden   Status = "forbidden"   // policy said no
	Interrupted Status = "interrupted" // the turn was cancelled
	TimedOut    Status = "timed out"
	Crashed     Status = "crashed"
)

// Ended is how a call ended in words for people: with exit, which as job is as in [ToolEnded], the
// call went well, and what it ran did not.
func (s Status) Ended(exit int, job string) string {
	if s == OK && job != "" {
		return "went to the background as job " + job
	}
	if s == OK && exit != 0 {
		return fmt.Sprintf("exit %d", exit)
	}
	return string(s)
}

// View is a tool's result for people, where it differs from the text for the model.
type View struct {
	Kind ViewKind `json:"kind"`
	Text string   `json:"text"`
}

// ViewKind says how a front end may draw a view.
type ViewKind string

// The kinds of view.
const (
	Diff  ViewKind = "diff"  // unified diff
	Path  ViewKind = "path"  // a file that was made
	Words ViewKind = "words" // Markdown to read

	Answers ViewKind = "answers" // questions with the user's answers, one per line
)
