package extensions

import (
	"errors"
	"strings"

	"marvin/persistence"
	"marvin/persistence/customtools"
	"marvin/tools"
	"marvin/tools/custom"
	"marvin/tools/toolbox"
)

// Tools that the user wrote: how they come on the shelf, and the commands to make and check
// them.

// NewShelf is a shelf with the program's tools, the user's own, and those of the project that
// they accepted. What is wrong with some of those is for people, and so are the tools that
// the project offers beyond.
func NewShelf(registry *toolbox.Registry, home *persistence.Home, dir string) (*toolbox.Shelf, []customtools.Offer, []error) {
	shelf := toolbox.NewShelf(registry)
	sources, offers, problems := ToolSources(registry, home, dir)
	for _, source := range sources {
		if len(source.Tools) == 0 {
			continue
		}
		for _, told := range shelf.Add(source) {
			problems = append(problems, errors.New(told))
		}
	}
	return shelf, offers, problems
}

// ToolSources are the user's own tools, and those of the project that they accepted;
// either may be empty.
func ToolSources(registry *toolbox.Registry, home *persistence.Home, dir string) ([]toolbox.Source, []customtools.Offer, []error) {
	own, problems := custom.Load(customtools.Dir(home))
	sources := []toolbox.Source{{Name: OwnTools, Tools: own}}
	known := registry
	if len(own) > 0 {
		shelf := toolbox.NewShelf(registry)
		shelf.Add(sources[0])
		known = shelf.Known()
	}
	accepted, offers, wrong := projectTools(home, dir, known)
	return append(sources, toolbox.Source{Name: ProjectToolsTitle, Tools: accepted}), offers, append(problems, wrong...)
}

// OwnTools is what people read as the source of tools that they wrote.
const OwnTools = "Your own tools"

func LoadTool(folder string) (tools.Tool, error) {
	own, err := customtools.Read(folder)
	if err != nil {
		return tools.Tool{}, err
	}
	return custom.Make(own)
}

// Summary is a short description of a tool: the first sentence of its documentation.
func Summary(tool tools.Tool) string {
	sentence, _, _ := strings.Cut(tool.Doc, ". ")
	return tools.Visible(strings.TrimSuffix(sentence, "."))
}
