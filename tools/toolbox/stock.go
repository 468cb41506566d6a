package toolbox

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"marvin/tools"
)

// Stock is what a shelf is filled with of servers that said before what they have.
type Stock struct {
	// Fill puts it on the shelf, with [Shelf.AddKnown].
	Fill func()
	// Known says in short what Fill would bring, or false if only Fill can tell. With it
	// Fill waits for the first who asks for one of those tools: a prompt that needs none of
	// them does not pay for reading them, which takes 6 ms for 160 tools. Nil tells nothing.
	Known func() ([]Summary, bool)
	// Open puts one source of it on the shelf, for who wants a tool that only this one has.
	Open func(source string)
	// Seek looks for tools that are not known yet, for a limited time. Nil finds nothing.
	Seek func(ctx context.Context, say func(line string))
}

// Summary describes a source whose tools were not read yet.
type Summary struct {
	Name  string `json:"name"`
	Tools int    `json:"tools"`
	Reads int    `json:"reads"` // how many of them only read
	// Names are those of its tools, with blanks between them; "" if they are not known.
	Names string `json:"names,omitempty"`
}

// Summary says in short what a source that is on the shelf has. It knows no names if one of
// its tools had to be called something else: what that is depends on who came before.
func (s *Shelf) Summary(source Source) Summary {
	short := Summarize(source)
	s.mu.Lock()
	defer s.mu.Unlock()
	for tool, owner := range source.owned() {
		if s.owners[tool.Name] != owner {
			short.Names = ""
		}
	}
	return short
}

// Summarize says in short what a source has.
func Summarize(source Source) Summary {
	short := Summary{Name: source.Name, Tools: len(source.Tools), Names: strings.Join(toolNames(source.Tools), " ")}
	for _, tool := range source.Tools {
		if !tool.Writes {
			short.Reads++
		}
	}
	return short
}

// count is how many of its tools a mode has that names none.
func (s Summary) count(mode tools.Mode) int {
	if mode.ReadOnly {
		return s.Reads
	}
	return s.Tools
}

// Fill sets the content of the shelf. The first reader loads it, so that a start without tool calls
// does not wait. It is called before any reader.
func (s *Shelf) Fill(stock Stock) { s.stock = stock }

// Now is a snapshot, which never changes. It includes stock tools known only by a summary, which
// are read on demand.
func (s *Shelf) Now() *Registry {
	s.looking.Do(func() {
		if s.stock.Known != nil {
			if later, known := s.stock.Known(); known {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.later = later
				s.swap()
				return
			}
		}
		s.fill()
	})
	return s.now.Load()
}

// Filled puts the stock on the shelf, if it is not there, and returns what there is then.
func (s *Shelf) Filled() *Registry {
	s.looking.Do(func() {}) // who looks later finds it there
	return s.fill()
}

func (s *Shelf) fill() *Registry {
	s.filling.Do(func() {
		if s.stock.Fill == nil {
			return
		}
		s.reading.Lock()
		defer s.reading.Unlock()
		s.mu.Lock()
		s.later, s.holding = nil, true
		s.mu.Unlock()
		s.stock.Fill()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.holding = false
		s.swap()
	})
	return s.now.Load()
}

// Seek replaces what looks for tools that are not known yet, at any time.
func (s *Shelf) Seek(seek func(ctx context.Context, say func(line string))) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stock.Seek = seek
	s.swap()
}

// sought is what there is once it was looked for more.
func (r *Registry) sought(ctx context.Context, say func(line string)) *Registry {
	if r.shelf == nil {
		return r
	}
	r.shelf.mu.Lock()
	seek := r.shelf.stock.Seek
	r.shelf.mu.Unlock()
	if seek != nil {
		seek(ctx, say)
	}
	return r.shelf.Now()
}

// swap makes a new snapshot. Sources follow the program's own tools in the order of their names,
// whenever they came: the model's view does not depend on timing.
func (s *Shelf) swap() {
	if s.holding {
		return
	}
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
	if s.later != nil {
		s.promise(next)
	}
	s.now.Store(next)
}

// promise adds to a snapshot the sources of the stock that are not on the shelf yet.
func (s *Shelf) promise(next *Registry) {
	for _, source := range s.later {
		if _, there := s.sources[source.Name]; !there {
			next.later, next.sources = append(next.later, source), append(next.sources, source.Name)
		}
	}
	if next.later != nil {
		slices.Sort(next.sources)
		next.rest = sync.OnceValue(s.fill)
	}
}

// whole is the registry with the tools that were not read yet.
func (r *Registry) whole() *Registry {
	if r.rest == nil {
		return r
	}
	return r.rest()
}

// present are the tools of a mode that were read.
func (r *Registry) present(mode tools.Mode) []tools.Tool {
	return slices.DeleteFunc(slices.Clone(r.tools), func(t tools.Tool) bool { return !mode.Offers(t) })
}

// deciding is the registry by which it is decided what a conversation begins with: where it
// begins with the core tools, those of others do not matter.
func (r *Registry) deciding(mode tools.Mode) *Registry {
	if r.rest != nil && (mode.Only != nil || r.counted(mode) <= OfferLimit+1) { // find_tools may be one of them
		return r.whole()
	}
	return r
}

// Count is how many tools a mode has.
func (r *Registry) Count(mode tools.Mode) int {
	if mode.Only != nil {
		r = r.whole()
	}
	count := r.counted(mode)
	for _, source := range r.later {
		count += source.count(mode)
	}
	return count
}

// counted is how many tools of a mode were read.
func (r *Registry) counted(mode tools.Mode) (count int) {
	for i := range r.tools {
		if mode.Offers(r.tools[i]) {
			count++
		}
	}
	return count
}
