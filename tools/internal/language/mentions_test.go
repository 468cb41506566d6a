package language

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A server opens the files of its kind that contain a name, and no others that it watches.
func TestFilesThatSayANameAreOfTheServersKind(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"b.txt": "the Kettle", "a.txt": "Kettle", "none.txt": "tea", "mark.cfg": "Kettle", "other.md": "Kettle", ".hidden/c.txt": "Kettle",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := &held{server: Server{Files: []string{"*.txt"}, Roots: []string{"mark.cfg"}}, ground: Ground{Root: root, Read: os.ReadFile}}
	want := []string{filepath.Join(root, "a.txt"), filepath.Join(root, "b.txt")}
	if got := mentions(t.Context(), s, "Kettle#2"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
