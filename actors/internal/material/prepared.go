package material

import (
	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Prepared is what was read from the user's and the project's files. If the deadline passes first,
// Prepared contains no files.
type Prepared struct {
	Reading    int
	Parts      prompt.Parts
	Late       bool // the deadline passed: the parts contain no files
	Notices    []string
	Trust      conv.Trust
	Unapproved *Unapproved          // the question about the files; nil without a question
	Found      *Found               // all files that were found; nil after the deadline
	Specs      []providers.ToolSpec // the schema of the tool that reads skills, if there are skills
	Others     []File               // in a dry run: the files that still need the user's consent
	Brought    bool                 // files are used without a question
	Bound      []string             // private directories that contain the working directory under another name
}

// Describe makes the schemas for a context window of the given size, in tokens.
func Describe(list []tools.Tool, window int) ToolsDescribed {
	message := ToolsDescribed{Window: window}
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

// ToolsDescribed is the message with the schemas of tools, sent by the task that made the schemas.
type ToolsDescribed struct {
	Specs    []providers.ToolSpec
	Problems []string
	Window   int // the tools were chosen for this context window
}
