package toolbox

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"marvin/tools"
)

// Stock provides the tools that servers offered in earlier sessions.
type Stock struct {
	// Fill calls [Shelf.AddKnown] for the sources in the stock.
	Fill func()
	// Known returns summaries of the sources that Fill would add, or false if there are no
	// summaries. With summaries, Fill runs only when a tool from the stock is needed. For 160
	// tools, this saves 6 ms per prompt. Known can be nil.
	Known func() ([]Summary, bool)
	// Open adds one source to the shelf when a tool of that source is needed. If Open is nil, Fill
	// adds all sources.
	Open func(source string)
	// Seek, if not nil, discovers tools that are not on the shelf, and stops after a time limit.
	Seek func(ctx context.Context, say func(line string))
}

// Summary describes a source whose tools have not been read yet.
type Summary struct {
	Name  string `json:"name"`
	Tools int    `json:"tools"`
	Reads int    `json:"reads"` // the number of read-only tools
	// Names contains the tool names, separated by spaces, or "" if the names are unknown.
	Names string `json:"names,omitempty"`
}

// Summary summarizes a source on the shelf. If one of the tools was renamed, the summary omits the
// tool names, because a new name depends on the order in which sources were added.
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

// Summarize returns a summary that contains the names of the source's tools.
func Summarize(source Source) Summary {
	short := Summary{Name: source.Name, Tools: len(source.Tools), Names: strings.Join(toolNames(source.Tools), " ")}
	for _, tool := range source.Tools {
		if !tool.Writes {
			short.Reads++
		}
	}
	return short
}

// count computes the number of the source's tools in a mode. mode.Only must be nil.
func (s Summary) count(mode tools.Mode) int {
	if mode.ReadOnly {
		return s.Reads
	}
	return s.Tools
}

// Fill sets the shelf's stock, which is loaded on first use. Fill must be called before any method
// that reads from the shelf.
func (s *Shelf) Fill(stock Stock) { s.stock = stock }

// Snapshot returns an immutable registry of the current tools. If the stock has summaries, its
// tools are loaded when they are needed.
func (s *Shelf) Snapshot() *Registry {
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

// Load makes sure that the whole stock is on the shelf, and returns a snapshot.
func (s *Shelf) Load() *Registry {
	s.looking.Do(func() {}) // from here on, Snapshot does not load the stock
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

// Seek replaces the stock's Seek function. Unlike [Shelf.Fill], Seek can be called at any time.
func (s *Shelf) Seek(seek func(ctx context.Context, say func(line string))) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stock.Seek = seek
	s.swap()
}

// seekMore calls the stock's Seek function and returns the resulting snapshot.
func (r *Registry) seekMore(ctx context.Context, say func(line string)) *Registry {
	if r.shelf == nil {
		return r
	}
	r.shelf.mu.Lock()
	seek := r.shelf.stock.Seek
	r.shelf.mu.Unlock()
	if seek != nil {
		seek(ctx, say)
	}
	return r.shelf.Snapshot()
}

// swap creates a new snapshot. Marvin's own tools come first, then the sources in alphabetical
// order, so that the order does not depend on when the sources were added.
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
		s.addUnloaded(next)
	}
	s.now.Store(next)
}

// addUnloaded adds the summaries of unloaded sources to a snapshot, so that the sources can be
// loaded later.
func (s *Shelf) addUnloaded(next *Registry) {
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

// loadAll loads all sources and returns the registry with their tools.
func (r *Registry) loadAll() *Registry {
	if r.rest == nil {
		return r
	}
	return r.rest()
}

func (r *Registry) present(mode tools.Mode) []tools.Tool {
	return slices.DeleteFunc(slices.Clone(r.tools), func(t tools.Tool) bool { return !mode.Offers(t) })
}

// offerRegistry returns the registry from which the first tools of a conversation are chosen. It
// loads all sources if mode.Only is set, or if at most [OfferLimit] of the mode's tools are loaded.
// With more tools, a conversation begins with the core tools.
func (r *Registry) offerRegistry(mode tools.Mode) *Registry {
	// One of the counted tools may be find_tools.
	if r.rest != nil && (mode.Only != nil || r.counted(mode) <= OfferLimit+1) {
		return r.loadAll()
	}
	return r
}

// Count returns the number of tools in a mode.
func (r *Registry) Count(mode tools.Mode) int {
	if mode.Only != nil {
		r = r.loadAll()
	}
	count := r.counted(mode)
	for _, source := range r.later {
		count += source.count(mode)
	}
	return count
}

func (r *Registry) counted(mode tools.Mode) (count int) {
	for i := range r.tools {
		if mode.Offers(r.tools[i]) {
			count++
		}
	}
	return count
}
