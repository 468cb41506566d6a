package persistence

import (
	"os"
	"path/filepath"
	"strings"
)

// ConfigLine is the line of config.yaml, counted from 1, that first has an entry; 0 if none
// has it as it is written.
func (h *Home) ConfigLine(entry string) int {
	data, err := readWhole(h.path("config.yaml"), documentLimit)
	if err != nil {
		return 0
	}
	squeezed := func(text string) string { return strings.Join(strings.Fields(text), "") }
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		if strings.Contains(squeezed(line), squeezed(entry)) {
			return number
		}
	}
	return 0
}

// AnywhereAccepted says whether a tool of that name was accepted in any project, or is one
// of the user's own that cannot be used now.
func (b BroughtTools) AnywhereAccepted(name string) bool {
	if b.Home.State == "" || !isToolName(name) {
		return false
	}
	if _, err := os.Stat(filepath.Join(b.Home.ToolsDir(), name)); err == nil {
		return true
	}
	found, err := filepath.Glob(filepath.Join(b.Home.ToolsDir(), ".accepted", "*", "*", name))
	return err == nil && len(found) > 0
}
