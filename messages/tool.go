package messages

import (
	"encoding/json"
	"fmt"
)

// ToolCall is a model's request to run a tool. Args are the arguments as the model wrote them. Only
// the tool kit decodes and checks them.
type ToolCall struct {
	ID   string
	Name string
	Args json.RawMessage
	// Opaque is data that must be returned unchanged, such as Gemini's thought signature. Only the
	// provider identified by Origin receives Opaque.
	Opaque json.RawMessage
	Origin string
}

// ToolResult answers one call. Text is what the model reads, for every status.
type ToolResult struct {
	Call   string `json:"call"` // the call's id
	Name   string `json:"name"` // the tool's name, which Ollama's native API needs
	Text   string `json:"text,omitempty"`
	Status Status `json:"status,omitempty"`
	// Empty marks a call that succeeded without a result: no match, or nothing new after a wait.
	// Pruning removes such results first. Providers do not receive this mark.
	Empty bool `json:"empty,omitempty"`
	// Exit is the exit code described at [ToolEnded]. Providers do not receive Exit, because Text
	// contains the exit code.
	Exit int `json:"exit,omitempty"`
	// Job is as in [ToolEnded]. Providers do not receive it.
	Job string `json:"job,omitempty"`
	// Pictures follow the text, for models that accept pictures.
	Pictures []Picture `json:"pictures,omitempty"`
}

// Status says how a tool call ended. A refusal and a timeout are different statuses, because the
// model must react to them differently.
type Status string

// How a call can end.
const (
	OK          Status = "ok"
	ToolError   Status = "error"       // the tool ran and reported an error
	Denied      Status = "denied"      // the user refused the call
	Forbidden   Status = "forbidden"   // a rule refused the call
	Interrupted Status = "interrupted" // the turn was cancelled
	TimedOut    Status = "timed out"
	Crashed     Status = "crashed"
)

// DescribeEnd describes for the user how a call ended. For exit and job, see [ToolEnded].
func (s Status) DescribeEnd(exit int, job string) string {
	if s == OK && job != "" {
		return "went to the background as job " + job
	}
	if s == OK && exit != 0 {
		return fmt.Sprintf("exit %d", exit)
	}
	return string(s)
}

// View is a tool's result for the user, if it differs from the text for the model.
type View struct {
	Kind ViewKind `json:"kind"`
	Text string   `json:"text"`
}

// ViewKind says how a front end may draw a view.
type ViewKind string

// The kinds of view.
const (
	Diff  ViewKind = "diff"  // unified diff
	Path  ViewKind = "path"  // the path of a new file
	Words ViewKind = "words" // Markdown text

	Answers ViewKind = "answers" // questions with the user's answers, one per line
)
