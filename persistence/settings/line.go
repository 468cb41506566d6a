package settings

import (
	"strings"

	"marvin/persistence/internal/store"
)

// LineOf returns the number of the first line of config.yaml that contains an entry. The number
// counts from 1; 0 means that no line contains the entry. White space does not count.
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
