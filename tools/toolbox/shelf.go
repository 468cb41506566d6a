package toolbox

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"iter"
	"strings"
	"sync"
	"sync/atomic"

	"marvin/tools"
	"marvin/tools/internal/params"
)

// Source is a provider of tools outside Marvin: a server or a directory.
type Source struct {
	Name  string // unique, and shown to the user: "MCP server github"
	Tools []tools.Tool
}

// Shelf combines Marvin's own tools with the tools of sources. Sources can be added and dropped.
// Each turn uses one [Shelf.Snapshot]. A Shelf is safe for concurrent use.
type Shelf struct {
	base *Registry
	now  atomic.Pointer[Registry]

	looking, filling sync.Once
	reading          sync.Mutex // serializes reading of the stock
	stock            Stock

	mu      sync.Mutex
	sources map[string]Source
	// owners contains, for each assigned name, the identity of the tool that owns the name. Entries
	// stay when their source is dropped, so a name that the user permitted never becomes the name of
	// another tool.
	owners  map[string]string
	later   []Summary // summaries of sources in the stock that are not on the shelf yet
	holding bool      // true while the Stock adds sources; swap then makes no snapshots
}

// NewShelf returns a shelf with Marvin's own tools. The caller must not modify the given registry
// afterwards.
func NewShelf(base *Registry) *Shelf {
	shelf := &Shelf{base: base, sources: map[string]Source{}, owners: map[string]string{}}
	shelf.now.Store(base)
	return shelf
}

// CurrentSnapshot is like [Shelf.Snapshot], but does not load the stock. Tools of servers can be
// missing.
func (s *Shelf) CurrentSnapshot() *Registry { return s.now.Load() }

// Add puts a source's tools on the shelf and removes any earlier tools of that source. It returns
// notes about renamed tools.
func (s *Shelf) Add(source Source) (told []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(source)
}

// AddKnown is like [Shelf.Add], but does not replace a source. Tools already on the shelf are newer
// than the stock's tools.
func (s *Shelf) AddKnown(source Source) (told []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.sources[source.Name]; there {
		return nil
	}
	return s.add(source)
}

func (s *Shelf) add(source Source) (told []string) {
	kept := Source{Name: source.Name}
	for tool, owner := range source.owned() {
		name := s.freeName(owner, tool.Name)
		if name != tool.Name {
			told = append(told, fmt.Sprintf("%s has a tool called %s, but that name is already in use; here the tool is called %s", source.Name, tool.Name, name))
			tool = tool.WithName(name)
		}
		kept.Tools = append(kept.Tools, tool)
	}
	s.sources[source.Name] = kept
	s.swap()
	return told
}

// owned iterates over the tools of s. The string identifies the tool, and becomes the owner of the
// tool's name.
func (s Source) owned() iter.Seq2[tools.Tool, string] {
	return func(yield func(tools.Tool, string) bool) {
		times := map[string]int{}
		for _, tool := range s.Tools {
			times[tool.Name]++
			if !yield(tool, fmt.Sprintf("%s\x00%d\x00%s", s.Name, times[tool.Name], tool.Name)) {
				return
			}
		}
	}
}

// Drop removes the tools of a source.
func (s *Shelf) Drop(source string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sources, source)
	s.swap()
}

// freeName reserves and returns a name for a tool. If another tool has the wanted name, a number is
// appended.
func (s *Shelf) freeName(owner, wanted string) string {
	for number := 1; ; number++ {
		name := wanted
		if number > 1 {
			ending := fmt.Sprintf("_%d", number)
			name = wanted[:min(len(wanted), longestName-len(ending))] + ending
		}
		if s.owners[name] == "" && !s.base.takes(name) {
			s.owners[name] = owner
		}
		if s.owners[name] == owner {
			return name
		}
	}
}

// IsTaken reports whether a tool in the registry or a known tool of another agent has this name.
func (r *Registry) IsTaken(name string) bool { return r.takes(name) }

func (r *Registry) takes(name string) bool {
	_, taken := r.byName[name]
	_, meant := meanings()[name]
	return taken || meant
}

// longestName is the providers' limit on the length of a tool name.
const longestName = 64

// ForeignName joins parts into a tool name that every provider accepts. It cuts a long name and
// appends a hash of the whole name.
func ForeignName(parts ...string) string {
	var name strings.Builder
	for _, r := range params.Snake(strings.Join(parts, "_")) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			name.WriteRune(r)
		} else if text := name.String(); text != "" && !strings.HasSuffix(text, "_") {
			name.WriteByte('_')
		}
	}
	whole := cmp.Or(strings.TrimRight(name.String(), "_"), "tool")
	if len(whole) <= longestName {
		return whole
	}
	sum := fnv.New32a()
	sum.Write([]byte(whole))
	ending := fmt.Sprintf("_%08x", sum.Sum32())
	return whole[:longestName-len(ending)] + ending
}
