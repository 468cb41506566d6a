package persistence

import (
	"bytes"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
)

// FirstTime reports whether a message is new to the user, and records it as seen. If the message
// cannot be recorded, FirstTime returns true again the next time.
func FirstTime(h *Home, about string) bool {
	if h.State == "" {
		return true
	}
	path, line := filepath.Join(h.State, "told"), strings.Join(strings.Fields(about), " ")
	known, err := store.ReadWhole(path, store.DocumentLimit)
	if err != nil {
		return true
	}
	for each := range bytes.Lines(known) {
		if string(bytes.TrimSpace(each)) == line {
			return false
		}
	}
	if store.MakeDir(h.State) == nil {
		_ = store.AppendTo(path, []byte(line+"\n"))
	}
	return true
}
