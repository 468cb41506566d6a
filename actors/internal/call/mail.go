package call

import (
	"marvin/actors/internal/conv"
	"marvin/messages"
	"marvin/tools"
)

// CallReport is the single report that a worker sends to its turn when the call ends.
type CallReport struct {
	Position int
	Event    messages.ToolEnded
	Result   messages.ToolResult
	Effect   Effect
}

// Effect holds a call's changes to the conversation, and facts about the call's result.
type Effect struct {
	Dir     string         // the new working directory
	Chosen  bool           // the user agreed to the directory
	Profile string         // the new profile
	Compact bool           // the conversation is summarized before the next request
	Exit    bool           // Marvin exits after the answer
	Offer   []string       // tools that become available with the next request
	Spent   messages.Usage // the total usage of the call's sub-agents
	Own     bool           // the result contains no private or untrusted text
	Tainted string         // the tool that brought untrusted text
	Plan    *conv.Plan     // the new plan
	Origin  messages.Origin
	shown   []messages.Picture
	// problems are the errors in the files that the call wrote, and the errors that the call caused
	// in other files.
	problems []messages.CodeProblem
	Undo     *tools.Inverse // the call that reverses this one
}

// callEnd holds what a worker reports at the end of its call.
type callEnd struct {
	status  messages.Status
	text    string
	view    *messages.View
	changed Effect
}
