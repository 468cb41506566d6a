package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
)

// A directory argument is relative to the home directory (~), to the conversation's directory, or
// to the start directory. A name that begins with ~ and other letters is not the home directory.
func TestUserDirectoryArgument(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"home/sub", "work/sub", "started/only", "work/~sub"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "work/file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	host := workplace{parts: &app.App{World: cli.World{Home: filepath.Join(top, "home"), Dir: filepath.Join(top, "started")}}}
	for _, row := range []struct{ path, dir, want string }{
		{"~", "work", "home"},
		{"~/sub", "work", "home/sub"},
		{`"~/sub/"`, "work", "home/sub"},
		{"~sub", "work", "work/~sub"},
		{"sub", "work", "work/sub"},
		{"'sub/..'", "work", "work"},
		{"..", "work/sub", "work"},
		{filepath.Join(top, "home"), "work", "home"},
		{"only", "", "started/only"},
		{"missing", "work", "there is no directory " + filepath.Join(top, "work/missing") + "; make it"},
		{"file", "work", "is a file; give its directory: " + filepath.Join(top, "work")},
		{"file/x", "work", "change the directory: "},
	} {
		dir := ""
		if row.dir != "" {
			dir = filepath.Join(top, row.dir)
		}
		switch got, err := host.Directory(row.path, dir); {
		case err != nil:
			if !strings.Contains(err.Error(), row.want) {
				t.Errorf("%s from %s: %v", row.path, row.dir, err)
			}
		case got != filepath.Join(top, row.want):
			t.Errorf("%s from %s: %s, want %s", row.path, row.dir, got, row.want)
		}
	}
	host.parts.World.Home = ""
	if got, err := host.Directory("~/sub", filepath.Join(top, "work")); err == nil {
		t.Errorf("without a home: %s", got)
	}
}
