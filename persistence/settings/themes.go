package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
)

// ErrNoTheme means that the person has no theme of a name.
var ErrNoTheme = errors.New("there is no such theme")

// largestTheme is far more than the dozen lines of a theme.
const largestTheme = 64 << 10

// ThemeFiles are the themes of the person's own.
type ThemeFiles struct{ *store.Home }

// Path is where a theme of the person's own is, or would be.
func (h ThemeFiles) Path(name string) string { return h.Home.Path("themes", name+".theme") }

// Read returns the text of the user's own theme. [ErrNoTheme] means there is none; a file that is
// not a regular file, or is too large, is another error.
func (h ThemeFiles) Read(name string) (string, error) {
	if h.State == "" || !themeName(name) {
		return "", ErrNoTheme
	}
	path := h.Path(name)
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return "", ErrNoTheme
	}
	text, err := store.ReadWritten(path, largestTheme)
	if err != nil {
		return "", fmt.Errorf("read the theme: %w", err)
	}
	return string(text), nil
}

// Names are those of all, sorted.
func (h ThemeFiles) Names() (names []string) {
	if h.State == "" {
		return nil
	}
	entries, _ := os.ReadDir(filepath.Dir(h.Path("any"))) // one that is not there has none
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), ".theme"); ok && themeName(name) {
			names = append(names, name)
		}
	}
	return names
}
