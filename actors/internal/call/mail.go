package call

import (
	"marvin/actors/internal/conv"
	"marvin/messages"
	"marvin/tools"
)

// Ended is a worker's one report.
type Ended struct {
	Position int
	Event    messages.ToolEnded
	Result   messages.ToolResult
	Effect   Effect
}

// Effect is what a call changes beyond its result.
type Effect struct {
	Dir     string         // the new working directory
	Chosen  bool           // a person agreed to it
	Profile string         // the new profile
	Compact bool           // summarize the conversation before the model is asked again
	Exit    bool           // leave once the answer is out
	Offer   []string       // tools to offer from the next request
	Spent   messages.Usage // by sub-agents
	Own     bool           // nothing in the result is private or from strangers
	Tainted string         // the tool by which words of strangers came in
	Plan    *conv.Plan     // the new one
	Origin  messages.Origin
	shown   []messages.Picture
	// problems are of the files that it wrote, and of those that it broke.
	problems []messages.CodeProblem
	Undo     *tools.Inverse // what takes it back
}

// closing is how a call ended.
type closing struct {
	status  messages.Status
	text    string
	view    *messages.View
	changed Effect
}
