package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app/apptest"
	"marvin/ui/command"
	"marvin/ui/slash"
)

// Paths are completed as a user types them: hidden entries only after their dot, directories with a
// slash, relative to the home directory, the conversation's directory or the start directory.
func TestPathsThatAreCompleted(t *testing.T) {
	p, _ := apptest.AtHome(t, nil)
	dir := t.TempDir()
	for _, name := range []string{"a.go", "ab.go", ".hidden", "docs/x", "docs/deep/y"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755), os.WriteFile(filepath.Join(dir, name), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("docs", filepath.Join(dir, "link")), os.Symlink("nowhere", filepath.Join(dir, "loose")), os.Mkdir(filepath.Join(p.World.Home, "many"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for i := range mostCompletions + 1 {
		if err := os.WriteFile(filepath.Join(p.World.Home, "many", fmt.Sprintf("f%03d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list := func(kind slash.Kind, dir, prefix string) string {
		var all []string
		for _, one := range Complete(p, kind, dir, prefix) {
			all = append(all, one.Item)
		}
		return strings.Join(all, " ")
	}
	for _, row := range [][3]string{
		{dir, "", "a.go ab.go docs/ link/ loose"},
		{dir, "a", "a.go ab.go"},
		{dir, ".", ".hidden"},
		{dir, "docs/", "docs/deep/ docs/x"},
		{dir, "docs/d", "docs/deep/"},
		{dir, "none/", ""},
		{dir, dir + "/do", dir + "/docs/"},
		{dir, "~/bi", "~/bin/"},
		{"", "bi", "bin/"},
		{dir, "z", ""},
	} {
		if got := list(slash.KindPath, row[0], row[1]); got != row[2] {
			t.Errorf("%q: %s, want %s", row[1], got, row[2])
		}
	}
	if got := list(slash.KindFolder, dir, ""); got != "docs/ link/" {
		t.Error(got)
	}
	if got := Complete(p, slash.KindPath, "", "many/"); len(got) != mostCompletions || got[199].Item != "many/f199" {
		t.Errorf("%d are listed", len(got))
	}
	if got := list(slash.KindProfile, dir, "de"); got != "default" && got != "" {
		t.Error(got)
	}
	if got := list(slash.KindMode, dir, "a"); got != "ask auto all" && !strings.HasPrefix(got, "a") {
		t.Error(got)
	}
	if got := list(slash.KindLevel, dir, ""); got != strings.Join(command.Levels(), " ") {
		t.Error(got)
	}
	if found := filesNamed(&p.Found, p, p.World.Home, "a"); found != nil {
		t.Errorf("all of the home is read: %q", found)
	}
	if found := filesNamed(&p.Found, p, "/", "a"); found != nil {
		t.Errorf("all there is is read: %q", found)
	}
}
