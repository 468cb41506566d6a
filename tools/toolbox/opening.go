package toolbox

import (
	"slices"
	"strings"
)

// Sources of the stock are read one by one where their names tell which of them is wanted.

// opened is the registry with the source that has a tool of that name, also as other agents
// spell it. Where not all names are known every source is read.
func opened(r *Registry, name string) *Registry {
	if r.rest == nil {
		return r
	}
	spelled := ForeignName(name)
	return openedIf(r, func(tool string) bool { return tool == name || tool == spelled })
}

// requested is the registry with the sources that have a tool whose name shares at least half of
// its words with the request. The first word does not count: it is always mcp.
func requested(r *Registry, request string) *Registry {
	if r.rest == nil {
		return r
	}
	said := words(request)
	return openedIf(r, func(tool string) bool {
		_, name, _ := strings.Cut(tool, "_")
		all, met := words(name), 0
		for _, word := range all {
			if slices.Contains(said, word) {
				met++
			}
		}
		return met > 0 && 2*met >= len(all)
	})
}

// openedIf is the registry with the sources that have a tool with such a name.
func openedIf(r *Registry, wanted func(tool string) bool) *Registry {
	var open []string
	for _, source := range r.later {
		switch {
		case source.Tools == 0:
		case source.Names == "" || r.shelf.stock.Open == nil:
			return r.whole()
		case slices.ContainsFunc(strings.Fields(source.Names), wanted):
			open = append(open, source.Name)
		}
	}
	if open == nil {
		return r
	}
	return r.shelf.open(open)
}

// open puts sources of the stock on the shelf.
func (s *Shelf) open(sources []string) *Registry {
	s.reading.Lock()
	defer s.reading.Unlock()
	for _, source := range sources {
		if s.promised(source) {
			s.stock.Open(source)
		}
	}
	return s.now.Load()
}

// promised says whether a source is known in short only. One that is opened is not asked for
// again, also if nothing of it could be read.
func (s *Shelf) promised(source string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.later)
	s.later = slices.DeleteFunc(slices.Clone(s.later), func(short Summary) bool { return short.Name == source })
	return len(s.later) < before
}
