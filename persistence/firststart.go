package persistence

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence/internal/store"
)

// FirstStart records whether Marvin has already been started in full-screen mode.
type FirstStart struct{ *Home }

// Pending returns true for a new user: there is no recorded full-screen start, and no
// configuration, login, project setting, profile or conversation. Pending ignores runs with
// --non-interactive, because new users often try such runs first. Without a home directory, Pending
// returns false.
func (f FirstStart) Pending() bool {
	if f.State == "" || f.Data == "" {
		return false
	}
	for _, name := range []string{"started", "config.yaml", "logins.json", "choices.json", "profiles"} {
		if _, err := os.Lstat(f.Home.Path(name)); err == nil {
			return false
		}
	}
	entries, err := os.ReadDir(filepath.Join(f.Data, "sessions"))
	return errors.Is(err, os.ErrNotExist) || err == nil && !slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		return !strings.HasPrefix(entry.Name(), ".")
	})
}

// Record stores the date of the first start.
func (f FirstStart) Record() error {
	return f.Write(f.Home.Path("started"), []byte(f.Now().Format("2006-01-02")+"\n"), store.Lasting)
}
