package main

import (
	"bytes"
	"os"

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

// TestCommand is how the project's tests are run, by the files that lie there. The
// Makefile first: who wrote one meant it to be used.
func (f finder) TestCommand() string {
	if f.dir == "" {
		return ""
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return ""
	}
	defer root.Close()
	if makefile, err := root.ReadFile("Makefile"); err == nil && bytes.Contains(append([]byte("\n"), makefile...), []byte("\ntest:")) {
		return "make test"
	}
	for _, way := range [][2]string{
		{"go.mod", "go test ./..."},
		{"Cargo.toml", "cargo test"},
		{"package.json", "npm test"},
		{"pyproject.toml", "pytest"},
		{"pytest.ini", "pytest"},
		{"setup.py", "pytest"},
		{"mix.exs", "mix test"},
		{"pom.xml", "mvn test"},
	} {
		if _, err := root.Stat(way[0]); err == nil {
			return way[1]
		}
	}
	return ""
}
