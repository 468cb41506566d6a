package mcpservers

import (
	"maps"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/persistence/settings"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

// Marvin stores each server's tools. Before a server starts, toolbox.Shelf offers the tools from an
// earlier session.

// StockShelf registers the functions that fill the shelf with the servers' stored tools.
func (d Client) StockShelf() {
	entries := d.deps.Others.Servers()
	if len(entries) == 0 {
		return
	}
	inShort := stockInShort{}
	d.deps.Tools.Fill(toolbox.Stock{
		Fill: func() { d.fill(entries, inShort.Told) },
		Open: func(source string) { inShort.Told = d.shelveStored(entries, source, inShort.Told) },
		Known: func() ([]toolbox.Summary, bool) {
			known := settings.ServersOf(d.deps.Home).Known(entries).Read(&inShort)
			d.tell(inShort.Told)
			return inShort.Sources, known
		},
		Seek: d.discover,
	})
}

// stockInShort summarizes the stored tools of all servers. Marvin reads the tools on demand.
type stockInShort struct {
	Sources []toolbox.Summary `json:"sources"`
	Told    []string          `json:"told,omitempty"` // problems with the stored tools
}

// fill adds the stored tools of all servers to the shelf and reports new problems. It also caches a
// summary of these tools.
func (d Client) fill(entries map[string]settings.Server, told []string) {
	known, inShort := settings.ServersOf(d.deps.Home).Known(entries), stockInShort{}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		short, problems := d.stocked(name, entries[name])
		inShort.Told = append(inShort.Told, problems...)
		if short.Name != "" {
			inShort.Sources = append(inShort.Sources, short)
		}
	}
	known.Keep(inShort)
	d.tell(untold(inShort.Told, told))
}

// shelveStored adds one server's stored tools to the shelf and reports new problems. It returns all
// problems reported so far.
func (d Client) shelveStored(entries map[string]settings.Server, source string, told []string) []string {
	for name, entry := range entries {
		if mcp.SourceName(name) == source {
			_, problems := d.stocked(name, entry)
			problems = untold(problems, told)
			d.tell(problems)
			told = slices.Concat(told, problems)
		}
	}
	return told
}

func untold(problems, told []string) []string {
	return slices.DeleteFunc(problems, func(problem string) bool { return slices.Contains(told, problem) })
}

// stock puts the stored tools of a server on the shelf and reports problems.
func (d Client) stock(name string, entry settings.Server) {
	_, problems := d.stocked(name, entry)
	d.tell(problems)
}

func (d Client) stocked(name string, entry settings.Server) (short toolbox.Summary, problems []string) {
	if entry.Off {
		return toolbox.Summary{}, nil
	}
	manifest, known, err := mcp.ReadManifest(d.deps.Home, name, entry)
	if err != nil {
		problems = []string{err.Error()}
	}
	if !known {
		return toolbox.Summary{}, problems
	}
	return d.shelve(name, entry, manifest, d.deps.Tools.AddKnown)
}

// shelve puts a server's tools on the shelf if entry is still the server's configuration.
func (d Client) shelve(name string, entry settings.Server, manifest mcp.Manifest, add func(toolbox.Source) []string) (short toolbox.Summary, problems []string) {
	source, problems := mcp.NewSource(name, entry, manifest, d)
	problems = append(problems, d.deps.Others.IfUnchanged(name, entry, func() []string { return add(source) })...)
	return d.deps.Tools.Summary(source), append(problems, manifest.Left...)
}

// shelve puts the server's current tools on the shelf.
func (s *server) shelve(c actor.Context) {
	client := s.client(c)
	_, problems := client.shelve(s.name, s.entry, s.manifest, s.deps.Tools.Add)
	client.tell(problems)
}

func (d Client) tell(problems []string) {
	for _, problem := range problems {
		d.root.Send(d.table, brokenTool{problem})
	}
}
