package host

import (
	"os"
	"path/filepath"
	"testing"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
)

func TestEditorSaysWhatUserChanged(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "below")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a.txt": "one\ntwo\n", "b.bin": "two\x00\xff"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	set := map[string]string{"EDITOR": "sed -i s/two/2/", "PATH": os.Getenv("PATH")}
	editing := workplace{parts: &app.App{World: cli.World{Getenv: func(name string) string { return set[name] }, Environ: os.Environ()}}}
	for _, want := range []string{"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", ""} {
		if got, err := editing.EditAt("a.txt", below, 2); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	if got, err := editing.EditAt("b.bin", dir, 1); err != nil || got != "" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := editing.EditAt("gone.txt", dir, 1); err == nil {
		t.Error("a file that is gone was opened")
	}
}
