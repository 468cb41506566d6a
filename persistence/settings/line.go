package settings

import (
	"strings"

	"marvin/persistence/internal/store"
)

// LineOf returns the 1-based number of the first line in config.yaml that contains the given text.
// White space is ignored. If no line matches or the file is unreadable, LineOf returns 0.
func LineOf(h *store.Home, entry string) int {
	data, err := store.ReadWritten(h.Path("config.yaml"), store.DocumentLimit)
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
