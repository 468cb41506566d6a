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

// ToolResult answers one call. Whatever the Status, the model receives Text.
type ToolResult struct {
	Call   string `json:"call"` // the call's id
	Name   string `json:"name"` // the tool's name, which Ollama's native API needs
	Text   string `json:"text,omitempty"`
	Status Status `json:"status,omitempty"`
	// Empty marks a call that succeeded without a result: no match, or nothing new after a wait.
	// Pruning removes such results first. Providers do not receive this mark.
	Empty bool `json:"empty,omitempty"`
	// Exit has the same meaning as in [ToolEnded]. Providers do not receive Exit, because Text
	// contains the exit code.
	Exit int `json:"exit,omitempty"`
	// Job is the background job that continues the call. Providers do not receive Job.
	Job string `json:"job,omitempty"`
	// Pictures follow Text. Models without vision receive descriptions of the pictures instead.
	Pictures []Picture `json:"pictures,omitempty"`
}

// Status describes how a tool call ended. A refusal and a timeout have different statuses, because
// the model must react differently.
type Status string

// The statuses of an ended call.
const (
	OK          Status = "ok"
	ToolError   Status = "error"       // the tool ran and reported an error
	Denied      Status = "denied"      // the user refused the call
	Forbidden   Status = "forbidden"   // a rule refused the call
	Interrupted Status = "interrupted" // the turn was cancelled
	TimedOut    Status = "timed out"
	Crashed     Status = "crashed"
)

// DescribeEnd returns text that tells the user how a call ended. [ToolEnded] explains the exit code
// and the job.
func (s Status) DescribeEnd(exit int, job string) string {
	if s == OK && job != "" {
		return "went to the background as job " + job
	}
	if s == OK && exit != 0 {
		return fmt.Sprintf("exit %d", exit)
	}
	return string(s)
}

// View is the version of a tool's result that the user sees instead of [ToolResult.Text].
type View struct {
	Kind ViewKind `json:"kind"`
	Text string   `json:"text"`
}

// ViewKind is the kind of text in a [View].
type ViewKind string

// The kinds of view.
const (
	Diff  ViewKind = "diff"  // unified diff
	Path  ViewKind = "path"  // the path of a new file
	Words ViewKind = "words" // Markdown text

	Answers ViewKind = "answers" // one question per line, each with the user's answer
)
