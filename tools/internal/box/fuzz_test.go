package box

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// For any path, only files below the directory are written and read.
func FuzzPath(f *testing.F) {
	for _, name := range []string{
		"a.txt", "../outside/a", "link/a", "sub/../../outside/a", "/proc/self/root/tmp/a", "sub//./a", ".git/config", "a\x00b", "-rf", "~", "sub/loop/loop/a",
		"link", "file/a", "...", "sub/\u202ea", "away/secret", "./link/../link/secret",
	} {
		f.Add(name)
	}
	root := f.TempDir()
	inside, outside := filepath.Join(root, "inside"), filepath.Join(root, "outside")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(inside, "sub"), 0o700), os.Mkdir(outside, 0o700),
		os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600), os.WriteFile(filepath.Join(inside, "file"), []byte("open"), 0o600),
		os.Symlink(outside, filepath.Join(inside, "link")), os.Symlink("../outside", filepath.Join(inside, "away")), os.Symlink(".", filepath.Join(inside, "sub", "loop")),
	} {
		if err != nil {
			f.Fatal(err)
		}
	}
	dir, err := Open(inside)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { dir.Close() })
	f.Fuzz(func(t *testing.T, name string) {
		batch := dir.Batch()
		if content, err := batch.Read(name); err == nil && string(content) == "secret" {
			t.Errorf("%q reads what is outside", name)
		}
		if batch.Create(name, []byte("new")) == nil && batch.Commit(t.Context()) == nil {
			defer os.RemoveAll(filepath.Join(inside, "made"))
		}
		found := 0
		if err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && filepath.Dir(path) != inside {
				if rel, failed := filepath.Rel(inside, path); failed != nil || !filepath.IsLocal(rel) {
					found++
				}
			}
			return err
		}); err != nil || found != 1 {
			t.Errorf("%q: %d files are outside, %v", name, found, err)
		}
	})
}
