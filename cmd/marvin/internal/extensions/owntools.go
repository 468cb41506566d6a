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

// NewShelf returns a shelf with Marvin's tools, the user's custom tools and the accepted tools of
// the project. It also returns the project's offers, and the problems to report to the user.
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

// ToolSources returns the user's tools and the project's accepted tools, each as one source. A
// source can be empty.
func ToolSources(registry *toolbox.Registry, home *persistence.Home, dir string) ([]toolbox.Source, []customtools.Offer, []error) {
	own, problems := custom.Load(customtools.Dir(home))
	sources := []toolbox.Source{{Name: OwnTools, Tools: own}}
	known := registry
	if len(own) > 0 {
		shelf := toolbox.NewShelf(registry)
		shelf.Add(sources[0])
		known = shelf.CurrentSnapshot()
	}
	accepted, offers, wrong := projectTools(home, dir, known)
	return append(sources, toolbox.Source{Name: ProjectToolsTitle, Tools: accepted}), offers, append(problems, wrong...)
}

// OwnTools is the heading above the user's tools.
const OwnTools = "Your own tools"

func LoadTool(folder string) (tools.Tool, error) {
	own, err := customtools.Read(folder)
	if err != nil {
		return tools.Tool{}, err
	}
	return custom.Make(own)
}

// Summary returns a short description of a tool: the first sentence of its documentation.
func Summary(tool tools.Tool) string {
	sentence, _, _ := strings.Cut(tool.Doc, ". ")
	return tools.Visible(strings.TrimSuffix(sentence, "."))
}
