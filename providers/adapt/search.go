package adapt

import (
	"fmt"
	"slices"
	"strings"
)

// search finds which of the tools of others a server refuses if its refusal names none. All of
// them are left out then. Each of the next questions offers some again: twice as many after a
// success, half as many after a refusal. So a question takes one further request at most.
type search struct {
	suspects []string
	size     int  // how many are offered next
	busy     bool // a question offers some now
}

// begin adds tools that are left out. One alone is the one that is refused.
func (s *search) begin(suspects []string) {
	if len(suspects) > 1 {
		s.suspects = suspects
		s.size = len(suspects) / 2
	}
}

// probe returns the tools that the next question leaves out, and those that it offers again.
func (h *Host) probe(out []string) (left, tried []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.search.busy || len(h.search.suspects) == 0 {
		return out, nil
	}
	h.search.busy = true
	tried = slices.Clone(h.search.suspects[:min(h.search.size, len(h.search.suspects))])
	return slices.DeleteFunc(out, func(name string) bool { return slices.Contains(tried, name) }), tried
}

// giveBack ends a probe without a result.
func (h *Host) giveBack(tried []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = h.search.busy && len(tried) == 0
}

// accepts notes that the server took tools that were left out, and says so to the user.
func (h *Host) accepts(tried []string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = false
	h.search.size *= 2
	h.drop(tried)
	h.known.tools = slices.DeleteFunc(h.known.tools, func(name string) bool { return slices.Contains(tried, name) })
	return fmt.Sprintf("%s, %s accepts these foreign tools, which Marvin offers again: %s", h.Provider, h.Model, strings.Join(tried, ", "))
}

// refuses notes that the server refused some tools. One alone stays left out.
func (h *Host) refuses(tried []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = false
	h.search.size = max(1, len(tried)/2)
	if len(tried) == 1 {
		h.drop(tried)
	}
}

// drop takes tools from those that are under suspicion.
func (h *Host) drop(tried []string) {
	h.search.suspects = slices.DeleteFunc(h.search.suspects, func(name string) bool { return slices.Contains(tried, name) })
}
