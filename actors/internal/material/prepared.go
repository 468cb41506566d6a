package material

import (
	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Prepared comes from the goroutine that reads the user's and the project's files, or
// from the deadline of that reading.
type Prepared struct {
	Reading    int
	Parts      prompt.Parts
	Late       bool // parts are only those that no file says
	Notices    []string
	Trust      conv.Trust
	Unapproved *Unapproved          // files to ask the user about first
	Found      *Found               // what was looked at; nil after the deadline
	Specs      []providers.ToolSpec // of tools that come with the files
	Others     []File               // those of them to ask about first
	Brought    bool                 // files are used without a question
	Bound      []string             // private directories that the working directory lies in under another name
}

// Describe makes the schemas for a window of so many tokens.
func Describe(list []tools.Tool, window int) Described {
	message := Described{Window: window}
	for _, tool := range list {
		told := tool.Outline
		if toolbox.SmallWindow(window) {
			told = tool.Short
		}
		doc, schema, err := told()
		if err != nil {
			message.Problems = append(message.Problems, err.Error())
			continue
		}
		message.Specs = append(message.Specs, providers.ToolSpec{Name: tool.Name, Doc: doc, Schema: schema})
	}
	return message
}

// Described comes from the goroutine that makes the schemas of the tools.
type Described struct {
	Specs    []providers.ToolSpec
	Problems []string
	Window   int // the window they were chosen for
}
