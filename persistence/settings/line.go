package settings

import (
	"strings"

	"marvin/persistence/internal/store"
)

// LineOf is the line of config.yaml, counted from 1, that first has an entry; 0 if none
// has it as it is written.
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
