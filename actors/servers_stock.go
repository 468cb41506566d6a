package actors

import (
	"maps"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/mcp"
)

// Tools of servers are on the shelf from their last run before any server starts.

// stock says what the shelf is filled with: what servers said they have.
func (s *System) stock() {
	entries := s.config.Others.now.servers()
	if len(entries) == 0 {
		return
	}
	client, inShort := s.serverClient(), stockInShort{}
	s.config.Tools.Fill(tools.Stock{
		Fill: func() { client.fill(entries, inShort.Told) },
		Open: func(source string) { inShort.Told = client.open(entries, source, inShort.Told) },
		Known: func() ([]tools.Summary, bool) {
			known := s.config.Home.Servers().Known(entries).Read(&inShort)
			client.tell(inShort.Told)
			return inShort.Sources, known
		},
		Seek: client.discover,
	})
}

// stock fills the shelf with what servers offered.
type stockInShort struct {
	Sources []tools.Summary `json:"sources"`
	Told    []string        `json:"told,omitempty"` // what is wrong with them, for people
}

// stockInShort is a summary of a stock, stored for starts without tool calls.
func (d serverClient) fill(entries map[string]persistence.Server, told []string) {
	known, inShort := d.config.Home.Servers().Known(entries), stockInShort{}
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

// fill reads what servers offered last time, and reports problems not reported before. It stores a
// summary for the next start.
func (d serverClient) open(entries map[string]persistence.Server, source string, told []string) []string {
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
func (d serverClient) stock(name string, entry persistence.Server) {
	_, problems := d.stocked(name, entry)
	d.tell(problems)
}

func (d serverClient) stocked(name string, entry persistence.Server) (short tools.Summary, problems []string) {
	if entry.Off {
		return tools.Summary{}, nil
	}
	manifest, known, err := mcp.Known(d.config.Home, name, entry)
	if err != nil {
		problems = []string{err.Error()}
	}
	if !known {
		return tools.Summary{}, problems
	}
	return d.shelve(name, entry, manifest, d.config.Tools.AddKnown)
}

// shelve puts the tools of a server on the shelf, and returns what is wrong with some of
// them, for people. It does nothing if the entry is not the one that holds any more.
func (d serverClient) shelve(name string, entry persistence.Server, manifest mcp.Manifest, add func(tools.Source) []string) (short tools.Summary, problems []string) {
	source, problems := mcp.Shelved(name, entry, manifest, d)
	problems = append(problems, d.config.Others.now.whileItHolds(name, entry, func() []string { return add(source) })...)
	return d.config.Tools.Summary(source), append(problems, manifest.Left...)
}

// shelve puts what the server has on the shelf.
func (s *server) shelve(c actor.Context) {
	client := s.jobsClient(c)
	_, problems := client.shelve(s.name, s.entry, s.manifest, s.config.Tools.Add)
	client.tell(problems)
}

func (d serverClient) tell(problems []string) {
	for _, problem := range problems {
		d.root.Send(d.table, brokenTool{problem})
	}
}
