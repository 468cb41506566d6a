package lineedit

import "strings"

// History contains the sent inputs, oldest first. It also keeps the draft while the user browses
// the sent inputs.
type History struct {
	entries []string
	back    int // number of steps back from the draft; 0 is the draft
	draft   string
}

// historyDepth is the maximum number of entries.
const historyDepth = 1000

// Add adds text as the newest entry. It ignores blank text and a repetition of the newest entry.
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

// Older moves back by one entry and returns that entry, or false if there is no older entry. The
// first step back stores the draft for [History.Newer].
func (h *History) Older(draft string) (string, bool) {
	if h.back >= len(h.entries) {
		return "", false
	}
	if h.back == 0 {
		h.draft = draft
	}
	h.back++
	return h.entries[len(h.entries)-h.back], true
}

// Newer moves forward by one entry and returns that entry. The draft follows the newest entry.
// After the draft, Newer returns false.
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

// Search returns the newest entry that contains the given text, after skipping the given number of
// distinct matches. The search ignores case. If text is "", nothing matches.
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
