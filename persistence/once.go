package persistence

import (
	"bytes"
	"path/filepath"
	"strings"
)

// FirstTime says whether something was never told to the user, and notes that it is told now.
// Where nothing can be noted, each time is the first.
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
		_ = appendTo(path, []byte(line+"\n")) // else it is told again
	}
	return true
}
