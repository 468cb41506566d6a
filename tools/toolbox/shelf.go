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

// Source is where tools come from that are not part of the program: a server, a folder.
type Source struct {
	Name  string // unique, for people: "MCP server github"
	Tools []tools.Tool
}

// Shelf holds the tools of the program and those of sources, which come and go. A turn
// takes one look ([Shelf.Now]) and keeps to what it saw. It is safe for concurrent use.
type Shelf struct {
	base *Registry
	now  atomic.Pointer[Registry]

	looking, filling sync.Once
	reading          sync.Mutex // the stock is read by one at a time
	stock            Stock

	mu      sync.Mutex
	sources map[string]Source
	// owners are the names that were given out, with the tool of the source that each
	// belongs to. They stay when a source goes: what a person allowed by a name never comes
	// to mean the tool of another one.
	owners  map[string]string
	later   []Summary // what the stock is known to be, until it is on the shelf
	holding bool      // the stock comes; there is a snapshot of it as a whole
}

// NewShelf makes a shelf of the program's own tools, which must not change any more.
func NewShelf(base *Registry) *Shelf {
	shelf := &Shelf{base: base, sources: map[string]Source{}, owners: map[string]string{}}
	shelf.now.Store(base)
	return shelf
}

// Known is what there is before anybody looked: it fills nothing, and what servers offer may
// be missing.
func (s *Shelf) Known() *Registry { return s.now.Load() }

// Add puts the tools of a source on the shelf, replacing its earlier ones. It returns notes about
// renamed tools.
func (s *Shelf) Add(source Source) (told []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(source)
}

// AddKnown is Add for tools that were kept: what came of the source meanwhile is newer.
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
		name := s.name(owner, tool.Name)
		if name != tool.Name {
			told = append(told, fmt.Sprintf("%s has a tool called %s, which is the name of another one; it is called %s here", source.Name, tool.Name, name))
			tool = tool.Called(name)
		}
		kept.Tools = append(kept.Tools, tool)
	}
	s.sources[source.Name] = kept
	s.swap()
	return told
}

// owned are the tools of a source with what each is known by as the owner of its name.
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

// Drop takes the tools of a source away.
func (s *Shelf) Drop(source string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sources, source)
	s.swap()
}

// name is what the tool of an owner is called: what it calls itself, unless that is taken.
func (s *Shelf) name(owner, wanted string) string {
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

// Takes says whether a name is one of the program's own tools, or means one.
func (r *Registry) Takes(name string) bool { return r.takes(name) }

// takes says whether a name is one of the program's own tools, or means one.
func (r *Registry) takes(name string) bool {
	_, taken := r.byName[name]
	_, meant := meanings()[name]
	return taken || meant
}

// longestName is what providers take as the name of a tool.
const longestName = 64

// ForeignName joins parts to one name, with letters that every provider accepts. A long one is cut,
// with a hash of the rest.
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
