package material

import (
	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Prepared is the result of [Gather].
type Prepared struct {
	Reading    int
	Parts      prompt.Parts
	Late       bool // reading the files timed out or panicked
	Notices    []string
	Trust      conv.Trust
	Unapproved *Unapproved          // the files that the user must approve; nil if there are none
	Found      *Found               // all files that were found; nil if Late is set
	Specs      []providers.ToolSpec // the schema of the read_skill tool, or nil
	Others     []File               // the files that need the user's consent; set only in a dry run
	Brought    bool                 // project files are used although the user was never asked
	// Bound lists the private directories that contain the working directory. A private directory
	// is recognized even after a rename.
	Bound []string
}

// Describe returns the schemas of the tools. If the context window, measured in tokens, is small,
// the descriptions are short.
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

// ToolsDescribed is the result of [Describe]. The task that calls Describe sends it as a message.
type ToolsDescribed struct {
	Specs    []providers.ToolSpec
	Problems []string
	Window   int // the size of the context window when the tools were chosen
}
