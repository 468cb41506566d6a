package main

import (
	"marvin/cmd/marvin/internal/workfiles"
	"marvin/providers/offline"
	"marvin/tools"
)

// finder shows the registry to the offline provider, which knows no tools.
type finder struct {
	registry *tools.Shelf
	mode     tools.Mode
	dir      string // of the project
}

func (f finder) Find(request string, n int) []offline.Tool {
	var found []offline.Tool
	for _, hit := range tools.SearchNamed(f.registry.Now(), request, f.mode, n) {
		if tool, ok := f.Lookup(hit.Tool.Name); ok {
			found = append(found, tool)
		}
	}
	return found
}

func (f finder) Lookup(name string) (offline.Tool, bool) {
	tool, ok := tools.Has(f.registry.Now(), name, f.mode)
	if !ok {
		return offline.Tool{}, false
	}
	schema, err := tool.Schema()
	if err != nil {
		return offline.Tool{}, false
	}
	return offline.Tool{Name: tool.Name, Doc: tool.Doc, Schema: schema, Examples: tool.Examples, Writes: tool.Exacting(), Changes: tool.Writes || tool.Confirms}, true
}

// TestCommand is how the project's tests are run, by the files that lie there.
func (f finder) TestCommand() string { return workfiles.TestCommand(f.dir) }

// Files are names of files in the directory of the project.
func (f finder) Files() []string { return workfiles.Files(f.dir) }

// Has says whether something is there under a path of the project.
func (f finder) Has(path string) bool { return workfiles.Has(f.dir, path) }
