package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
)

// ErrNoTheme is the error of [ThemeFiles.Read] if the theme does not exist.
var ErrNoTheme = errors.New("there is no such theme")

// largestTheme is the maximum size of a theme file in bytes. A typical theme has a dozen lines.
const largestTheme = 64 << 10

// ThemeFiles reads the user's own themes.
type ThemeFiles struct{ *store.Home }

// Path returns the path of the named theme, which need not exist.
func (h ThemeFiles) Path(name string) string { return h.Home.Path("themes", name+".theme") }

// Read returns the text of one of the user's themes. It returns [ErrNoTheme] if there is no such
// theme, and another error if the file is too large or not a regular file.
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

// Names returns the names of the user's themes, sorted.
func (h ThemeFiles) Names() (names []string) {
	if h.State == "" {
		return nil
	}
	entries, _ := os.ReadDir(filepath.Dir(h.Path("any"))) // a missing directory has no themes
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), ".theme"); ok && themeName(name) {
			names = append(names, name)
		}
	}
	return names
}
