package mcpservers

import (
	"maps"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/persistence/settings"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

// Tools of servers are on the shelf from their last run before any server starts.

// StockShelf says what the shelf is filled with: what servers said they have.
func (d Client) StockShelf() {
	entries := d.deps.Others.Servers()
	if len(entries) == 0 {
		return
	}
	inShort := stockInShort{}
	d.deps.Tools.Fill(toolbox.Stock{
		Fill: func() { d.fill(entries, inShort.Told) },
		Open: func(source string) { inShort.Told = d.open(entries, source, inShort.Told) },
		Known: func() ([]toolbox.Summary, bool) {
			known := settings.ServersOf(d.deps.Home).Known(entries).Read(&inShort)
			d.tell(inShort.Told)
			return inShort.Sources, known
		},
		Seek: d.discover,
	})
}

// stockInShort is a summary of a stock, stored for starts without tool calls.
type stockInShort struct {
	Sources []toolbox.Summary `json:"sources"`
	Told    []string          `json:"told,omitempty"` // what is wrong with them, for people
}

// fill reads what servers offered last time, and reports problems not reported before. It stores a
// summary for the next start.
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

// open reads what one server offered last time, reports problems not reported before, and returns
// all problems reported so far.
func (d Client) open(entries map[string]settings.Server, source string, told []string) []string {
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

// stock puts what a server said the last time on the shelf, if that is known, and tells what
// is wrong with it.
func (d Client) stock(name string, entry settings.Server) {
	_, problems := d.stocked(name, entry)
	d.tell(problems)
}

func (d Client) stocked(name string, entry settings.Server) (short toolbox.Summary, problems []string) {
	if entry.Off {
		return toolbox.Summary{}, nil
	}
	manifest, known, err := mcp.Known(d.deps.Home, name, entry)
	if err != nil {
		problems = []string{err.Error()}
	}
	if !known {
		return toolbox.Summary{}, problems
	}
	return d.shelve(name, entry, manifest, d.deps.Tools.AddKnown)
}

// shelve puts the tools of a server on the shelf, and returns what is wrong with some of
// them, for people. It does nothing if the entry is not the one that holds any more.
func (d Client) shelve(name string, entry settings.Server, manifest mcp.Manifest, add func(toolbox.Source) []string) (short toolbox.Summary, problems []string) {
	source, problems := mcp.NewSource(name, entry, manifest, d)
	problems = append(problems, d.deps.Others.WhileItHolds(name, entry, func() []string { return add(source) })...)
	return d.deps.Tools.Summary(source), append(problems, manifest.Left...)
}

// shelve puts what the server has on the shelf.
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
