package actors

import (
	"marvin/actors/internal/prompt"
	"marvin/providers"
	"marvin/tools"
)

// prepared comes from the goroutine that reads the user's and the project's files, or
// from the deadline of that reading.
type prepared struct {
	reading    int
	parts      prompt.Parts
	late       bool // parts are only those that no file says
	notices    []string
	trust      trust
	unapproved *unapproved          // files to ask the user about first
	found      *brought             // what was looked at; nil after the deadline
	specs      []providers.ToolSpec // of tools that come with the files
	others     []broughtFile        // those of them to ask about first
	brought    bool                 // files are used without a question
	bound      []string             // private directories that the working directory lies in under another name
}

// describe makes the schemas for a window of so many tokens.
func describe(list []tools.Tool, window int) described {
	message := described{window: window}
	for _, tool := range list {
		told := tool.Outline
		if tools.SmallWindow(window) {
			told = tool.Short
		}
		doc, schema, err := told()
		if err != nil {
			message.problems = append(message.problems, err.Error())
			continue
		}
		message.specs = append(message.specs, providers.ToolSpec{Name: tool.Name, Doc: doc, Schema: schema})
	}
	return message
}

// described comes from the goroutine that makes the schemas of the tools.
type described struct {
	specs    []providers.ToolSpec
	problems []string
	window   int // the window they were chosen for
}
