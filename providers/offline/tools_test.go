package offline_test

import (
	"net/http"
	"sync"
	"time"

	"marvin/persistence"
	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/bookmarks"
	"marvin/tools/coding"
	"marvin/tools/files"
	"marvin/tools/git"
	"marvin/tools/history"
	"marvin/tools/notes"
	"marvin/tools/places"
	"marvin/tools/profiles"
	"marvin/tools/shell"
	"marvin/tools/system"
	"marvin/tools/timers"
	"marvin/tools/toolbox"
	"marvin/tools/units"
)

// finder does the same as the finder in cmd/marvin.
type finder struct {
	registry *toolbox.Registry
	mode     tools.Mode
}

func (f finder) Find(request string, n int) []offline.Tool {
	var found []offline.Tool
	for _, hit := range f.registry.Search(request, f.mode, n) {
		found = append(found, plain(hit.Tool))
	}
	return found
}

func (f finder) Lookup(name string) (offline.Tool, bool) {
	tool, err := f.registry.Find(name, f.mode)
	return plain(tool), err == nil
}

func (f finder) TestCommand() string { return "go test ./..." }

func (f finder) Files() []string { return []string{"README.md", "main.go"} }

func (f finder) Has(path string) bool { return true }

func plain(tool tools.Tool) offline.Tool {
	if tool.Name == "" {
		return offline.Tool{}
	}
	schema, err := tool.Schema()
	if err != nil {
		panic(err)
	}
	return offline.Tool{Name: tool.Name, Doc: tool.Doc, Schema: schema, Examples: tool.Examples, Writes: tool.NeedsCompleteArgs(), Changes: tool.Writes || tool.Confirms}
}

// registry has Marvin's tools in their order, so that tests notice a change of examples or
// parameters. No tool runs.
var registry = sync.OnceValue(func() *toolbox.Registry {
	var r toolbox.Registry
	r.Add(files.Tools()...)
	r.Add(coding.Tools()...)
	r.Add(git.New().Tools()...)
	r.Add(shell.Tools()...)
	r.Add(notes.Tools()...)
	r.Add(units.New(http.DefaultClient).Tools()...)
	r.Add(timers.New(time.Now, nil).Tools()...)
	home := persistence.Open("/nowhere", time.Now)
	r.Add(places.New(home).Tools()...)
	r.Add(bookmarks.New(home).Tools()...)
	r.Add(history.New(home).Tools()...)
	r.Add(profiles.New(home).Tools()...)
	r.Add(system.New(home).Tools()...)
	r.Add(toolbox.FindTool(&r))
	return &r
})
