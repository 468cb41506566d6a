package lineedit

import "strings"

// History is what was sent before, oldest first, and the draft that was being written
// when one began to look back.
type History struct {
	entries []string
	back    int // how many steps back; 0 is the draft
	draft   string
}

// historyDepth is how many entries are kept.
const historyDepth = 1000

// Add remembers an entry as the newest, once.
func (h *History) Add(text string) {
	h.back = 0
	if strings.TrimSpace(text) == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == text {
		return
	}
	h.entries = append(h.entries, text)
	if len(h.entries) > historyDepth {
		h.entries = h.entries[1:]
	}
}

// Older is the entry before; present is what is being edited now.
func (h *History) Older(present string) (string, bool) {
	if h.back >= len(h.entries) {
		return "", false
	}
	if h.back == 0 {
		h.draft = present
	}
	h.back++
	return h.entries[len(h.entries)-h.back], true
}

// Newer is the entry after, and in the end the draft.
func (h *History) Newer() (string, bool) {
	if h.back == 0 {
		return "", false
	}
	h.back--
	if h.back == 0 {
		return h.draft, true
	}
	return h.entries[len(h.entries)-h.back], true
}

// Search finds the newest entry that contains text and lies more than skip matches
// back; with "" there is none.
func (h *History) Search(text string, skip int) (string, bool) {
	if text == "" {
		return "", false
	}
	seen := map[string]bool{}
	for i := len(h.entries) - 1; i >= 0; i-- {
		entry := h.entries[i]
		if seen[entry] || !strings.Contains(strings.ToLower(entry), strings.ToLower(text)) {
			continue
		}
		if seen[entry] = true; skip == 0 {
			return entry, true
		}
		skip--
	}
	return "", false
}
