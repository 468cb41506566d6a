package files

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
)

func TestAChangeIsShownBeforeItIsMade(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(path, []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shown := func(tool tools.Tool, args map[string]any) string {
		t.Helper()
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		call, err := tool.Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		return call.Change(tools.Env{Dir: dir, Coding: true, Seen: &tools.Stamps{}})
	}
	diff := shown(patchTool(), map[string]any{"path": "a.txt", "old_str": "two", "new_str": "2"})
	if !strings.Contains(diff, "--- a/a.txt\n+++ b/a.txt\n") || !strings.Contains(diff, "-two\n+2\n") {
		t.Errorf("an edit is shown as %q", diff)
	}
	if diff = shown(createTool(), map[string]any{"path": "b.txt", "content": "new\n"}); !strings.Contains(diff, "--- /dev/null\n+++ b/b.txt\n") || !strings.Contains(diff, "+new\n") {
		t.Errorf("a new file is shown as %q", diff)
	}
	if diff = shown(patchTool(), map[string]any{"path": "a.txt", "old_str": "four", "new_str": "4"}); diff != "" {
		t.Errorf("an edit that will fail is shown as %q", diff)
	}
	if diff = shown(createTool(), map[string]any{"path": "c.txt", "content": strings.Repeat("long\n", 30_000)}); diff != "" {
		t.Errorf("a change that no one can read is shown, %d bytes", len(diff))
	}
	if content, err := os.ReadFile(path); err != nil || string(content) != "one\ntwo\nthree\n" {
		t.Errorf("showing changed the file: %q %v", content, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.txt")); err == nil {
		t.Error("showing made the file")
	}
}

func TestAPatchIsCalledByItsFiles(t *testing.T) {
	for args, want := range map[string]string{
		`{"patch":"*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n@@\n-x\n+y\n*** Delete File: gone\n*** Add File: new\n+z\n*** End Patch\n"}`: "apply_patch a.go → b.go, gone, new",
		`{"path":"a.go","old_str":"x","new_str":"y"}`: "apply_patch a.go x y",
		`{"patch":"no patch at all"}`:                 "apply_patch no patch at all",
	} {
		call, err := patchTool().Decode(json.RawMessage(args))
		if err != nil || call.Title != want {
			t.Errorf("%s is called %q, want %q; %v", args, call.Title, want, err)
		}
	}
}
