package persistence

import (
	"bytes"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
)

// FirstTime reports whether the user has never seen a message, and records that the user has now
// seen it. If it cannot be recorded, FirstTime always returns true.
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
		_ = store.AppendTo(path, []byte(line+"\n")) // if this fails, the message is shown again
	}
	return true
}
