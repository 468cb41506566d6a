package settings

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestHostileThemeFiles(t *testing.T) {
	themes := ThemeFiles{store.Open(t.TempDir(), storetest.Now)}
	storetest.Put(t, themes.Path("mine"), "accent #123456\n")
	storetest.Put(t, themes.Path("large"), strings.Repeat("accent #123456\n", 10<<20/15))
	storetest.Must(t, syscall.Mkfifo(themes.Path("pipe"), 0o600))
	storetest.Must(t, os.Mkdir(themes.Path("directory"), 0o700))
	storetest.Must(t, os.Symlink(themes.Path("circle"), themes.Path("circle")))
	storetest.Put(t, themes.Path("Name With Spaces"), "accent #123456\n")

	if text, err := themes.Read("mine"); err != nil || text != "accent #123456\n" {
		t.Errorf("got %q, %v", text, err)
	}
	for name, says := range map[string]string{
		"large": "more than the limit of 65536", "pipe": "not a regular file",
		"directory": "not a regular file", "circle": "too many levels of symbolic links",
	} {
		text, err := themes.Read(name)
		if err == nil || text != "" || errors.Is(err, ErrNoTheme) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %d bytes, %v", name, len(text), err)
		}
	}
	for _, name := range []string{"", "none", "../mine", "/etc/passwd", "Name With Spaces", "-mine"} {
		if text, err := themes.Read(name); text != "" || !errors.Is(err, ErrNoTheme) {
			t.Errorf("%q: got %q, %v", name, text, err)
		}
	}
	if names := strings.Join(themes.Names(), " "); names != "circle directory large mine pipe" {
		t.Errorf("got %s", names)
	}
}
