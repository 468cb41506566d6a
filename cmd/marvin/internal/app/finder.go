package app

import (
	"marvin/cmd/marvin/internal/workfiles"
	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Finder gives the built-in assistant access to the tool registry.
type Finder struct {
	Registry *toolbox.Shelf
	Mode     tools.Mode
	Dir      string // the project's directory
}

func (f Finder) Find(request string, n int) []offline.Tool {
	var found []offline.Tool
	for _, hit := range toolbox.SearchNamed(f.Registry.Snapshot(), request, f.Mode, n) {
		if tool, ok := f.Lookup(hit.Tool.Name); ok {
			found = append(found, tool)
		}
	}
	return found
}

func (f Finder) Lookup(name string) (offline.Tool, bool) {
	tool, ok := toolbox.TryFind(f.Registry.Snapshot(), name, f.Mode)
	if !ok {
		return offline.Tool{}, false
	}
	schema, err := tool.Schema()
	if err != nil {
		return offline.Tool{}, false
	}
	return offline.Tool{Name: tool.Name, Doc: tool.Doc, Schema: schema, Examples: tool.Examples, Writes: tool.NeedsCompleteArgs(), Changes: tool.Writes || tool.Confirms}, true
}

// TestCommand guesses the command that runs the project's tests.
func (f Finder) TestCommand() string { return workfiles.TestCommand(f.Dir) }

// Files returns the names of files in f.Dir; see [workfiles.Files].
func (f Finder) Files() []string { return workfiles.Files(f.Dir) }

// Has reports whether a path exists in the project.
func (f Finder) Has(path string) bool { return workfiles.Has(f.Dir, path) }
