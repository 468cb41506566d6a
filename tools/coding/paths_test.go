package coding_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"marvin/tools/coding"
)

// EachPath visits the files that git tracks or would track. Without git it visits all files except
// those that every listing omits.
func TestEachPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.go", "b/c.go", "b/ignored.log", "node_modules/x/y.js", ".gitignore"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("*.log\nnode_modules\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list := func(most int) (names []string) {
		t.Helper()
		err := coding.EachPath(t.Context(), dir, os.Environ(), func(path []byte) bool {
			names = append(names, string(path))
			return len(names) < most
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		return names
	}
	if got := list(100); !slices.Equal(got, []string{".gitignore", "a.go", "b/c.go", "b/ignored.log"}) {
		t.Errorf("without git: %q", got)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "a.go"}} {
		command := exec.Command("git", args...)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	if got := list(100); !slices.Equal(got, []string{".gitignore", "a.go", "b/c.go"}) {
		t.Errorf("with git: %q", got)
	}
	if got := list(2); len(got) != 2 {
		t.Errorf("enough is %q", got)
	}
}
