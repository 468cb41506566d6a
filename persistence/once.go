package persistence

import (
	"bytes"
	"path/filepath"
	"strings"
)

// FirstTime reports whether the user has never seen a message, and records it. If that is
// impossible, each time is the first.
func (h *Home) FirstTime(about string) bool {
	if h.State == "" {
		return true
	}
	path, line := filepath.Join(h.State, "told"), strings.Join(strings.Fields(about), " ")
	known, err := readWhole(path, documentLimit)
	if err != nil {
		return true
	}
	for each := range bytes.Lines(known) {
		if string(bytes.TrimSpace(each)) == line {
			return false
		}
	}
	if makeDir(h.State) == nil {
		_ = appendTo(path, []byte(line+"\n")) // otherwise it is shown again
	}
	return true
}
