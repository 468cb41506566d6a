package box

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOnlyAnEmptyDirectoryIsPruned(t *testing.T) {
	root := tree(t, map[string]string{"full/f": "x", "file": "x", "empty/in/f": "x"})
	must(t, os.Remove(filepath.Join(root, "empty/in/f")))
	must(t, os.Symlink("empty", filepath.Join(root, "link")))
	dir := open(t, root)
	for _, name := range []string{"full", "file", "link", "link/in", "missing", "."} {
		dir.Prune(name)
	}
	for _, name := range []string{"full/f", "file", "link", "empty/in"} {
		if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir.Prune("empty/in")
	if _, err := os.Lstat(filepath.Join(root, "empty/in")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there: %v", err)
	}
}
