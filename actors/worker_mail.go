package actors

import (
	"marvin/messages"
	"marvin/tools"
)

// callEnded is a worker's one report.
type callEnded struct {
	position int
	event    messages.ToolEnded
	result   messages.ToolResult
	effect   effect
}

// effect is what a call changes beyond its result.
type effect struct {
	dir     string         // the new working directory
	chosen  bool           // a person agreed to it
	profile string         // the new profile
	compact bool           // summarise the conversation before the model is asked again
	exit    bool           // leave once the answer is out
	offer   []string       // tools to offer from the next request
	spent   messages.Usage // by sub-agents
	own     bool           // nothing in the result is private or from strangers
	tainted string         // the tool by which words of strangers came in
	plan    *plan          // the new one
	origin  messages.Origin
	shown   []messages.Picture
	// problems are of the files that it wrote, and of those that it broke.
	problems []messages.CodeProblem
	undo     *tools.Inverse // what takes it back
}
