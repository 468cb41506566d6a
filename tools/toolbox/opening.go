package toolbox

import (
	"slices"
	"strings"
)

// A source with known tool names is loaded only when one of its tools is needed.

// openTool loads each source that has a tool with the given name. The name can be in another
// agent's notation, such as "mcp__server__tool".
func openTool(r *Registry, name string) *Registry {
	if r.rest == nil {
		return r
	}
	spelled := ForeignName(name)
	return openIf(r, func(tool string) bool { return tool == name || tool == spelled })
}

// openRequested loads each source that has a tool whose name matches the request. At least half of
// the words in the name, not counting the prefix "mcp", must occur in the request.
func openRequested(r *Registry, request string) *Registry {
	if r.rest == nil {
		return r
	}
	said := words(request)
	return openIf(r, func(tool string) bool {
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

// openIf loads each source that has a tool whose name satisfies wanted. If the tool names of a
// source are unknown, openIf loads all sources.
func openIf(r *Registry, wanted func(tool string) bool) *Registry {
	var open []string
	for _, source := range r.later {
		switch {
		case source.Tools == 0:
		case source.Names == "" || r.shelf.stock.Open == nil:
			return r.loadAll()
		case slices.ContainsFunc(strings.Fields(source.Names), wanted):
			open = append(open, source.Name)
		}
	}
	if open == nil {
		return r
	}
	return r.shelf.open(open)
}

// open fetches sources from the stock and returns the updated snapshot.
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

// promised returns true if only a summary of the source is known. If so, it deletes the summary, so
// that the source is loaded only once, even if loading fails.
func (s *Shelf) promised(source string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.later)
	s.later = slices.DeleteFunc(slices.Clone(s.later), func(short Summary) bool { return short.Name == source })
	return len(s.later) < before
}
