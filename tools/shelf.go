package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Source is where tools come from that are not part of the program: a server, a folder.
type Source struct {
	Name  string // unique, for people: "MCP server github"
	Tools []Tool
}

// Shelf holds the tools of the program and those of sources, which come and go. A turn
// takes one look ([Shelf.Now]) and keeps to what it saw. It is safe for concurrent use.
type Shelf struct {
	base *Registry
	now  atomic.Pointer[Registry]

	filling sync.Once
	fill    func()
	seek    func(ctx context.Context, say func(line string))

	mu      sync.Mutex
	sources map[string]Source
	// owners are the names that were given out, with the tool of the source that each
	// belongs to. They stay when a source goes: what a person allowed by a name never comes
	// to mean the tool of another one.
	owners map[string]string
}

// NewShelf makes a shelf of the program's own tools, which must not change any more.
func NewShelf(base *Registry) *Shelf {
	shelf := &Shelf{base: base, sources: map[string]Source{}, owners: map[string]string{}}
	shelf.now.Store(base)
	return shelf
}

// Fill says what puts tools on the shelf that are known already. It is done by whoever looks
// first, so that a start that needs no tools does not wait for it. Both functions are set
// before anybody looks; seek may be nil. It looks for tools that are not known yet, for as
// long as somebody who searches can wait.
func (s *Shelf) Fill(fill func(), seek func(ctx context.Context, say func(line string))) {
	s.fill, s.seek = fill, seek
}

// Now is what there is. What it returns never changes.
func (s *Shelf) Now() *Registry {
	s.filling.Do(func() {
		if s.fill != nil {
			s.fill()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.seek != nil {
			s.swap()
		}
	})
	return s.now.Load()
}

// Seek replaces what looks for tools that are not known yet, at any time.
func (s *Shelf) Seek(seek func(ctx context.Context, say func(line string))) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seek = seek
	s.swap()
}

// Known is what there is before anybody looked: it fills nothing, and what servers offer may
// be missing.
func (s *Shelf) Known() *Registry { return s.now.Load() }

// sought is what there is once it was looked for more.
func (r *Registry) sought(ctx context.Context, say func(line string)) *Registry {
	if r.shelf == nil {
		return r
	}
	r.shelf.mu.Lock()
	seek := r.shelf.seek
	r.shelf.mu.Unlock()
	if seek != nil {
		seek(ctx, say)
	}
	return r.shelf.Now()
}

// Add puts the tools of a source on the shelf, in place of those that it had before. What
// it returns is for people: which tools had to be called something else.
func (s *Shelf) Add(source Source) (told []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := Source{Name: source.Name}
	times := map[string]int{}
	for _, tool := range source.Tools {
		times[tool.Name]++
		name := s.name(fmt.Sprintf("%s\x00%d\x00%s", source.Name, times[tool.Name], tool.Name), tool.Name)
		if name != tool.Name {
			told = append(told, fmt.Sprintf("%s has a tool called %s, which is the name of another one; it is called %s here", source.Name, tool.Name, name))
			tool = tool.called(name)
		}
		kept.Tools = append(kept.Tools, tool)
	}
	s.sources[source.Name] = kept
	s.swap()
	return told
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
		if s.owners[name] == "" && !s.base.takes(name) { // guard: a name of a tool never means another one
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

// swap makes another snapshot. Sources stand behind the program's own tools and in the
// order of their names, whenever they came: what a model sees does not hang on who was
// first.
func (s *Shelf) swap() {
	next := &Registry{shelf: s, tools: slices.Clone(s.base.tools), byName: maps.Clone(s.base.byName), own: len(s.base.tools), undoing: s.base.undoing}
	if next.byName == nil {
		next.byName = map[string]int{}
	}
	if at, ok := next.byName[findName]; ok {
		search := FindTool(next)
		search.Section = next.tools[at].Section
		next.tools[at] = search
	}
	for _, name := range slices.Sorted(maps.Keys(s.sources)) {
		next.section = name
		next.Add(s.sources[name].Tools...)
		next.sources = append(next.sources, name)
	}
	s.now.Store(next)
}

// longestName is what providers take as the name of a tool.
const longestName = 64

// ForeignName makes one name of several parts, of the letters that every provider takes.
// What is too long is cut, with a mark of what the rest was.
func ForeignName(parts ...string) string {
	var name strings.Builder
	for _, r := range snake(strings.Join(parts, "_")) {
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

// called is a tool under another name.
func (t Tool) called(name string) Tool {
	decode := t.decode
	t.Name = name
	t.decode = func(raw json.RawMessage) (Call, error) {
		call, err := decode(raw)
		if err != nil {
			return Call{}, err
		}
		tool := *call.Tool
		tool.Name = name
		call.Tool = &tool
		return call, nil
	}
	return t
}
