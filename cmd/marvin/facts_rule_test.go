package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/facts"
)

func TestARuleIsAddedToTheRepositorysFileAfterALook(t *testing.T) {
	root := t.TempDir()
	below := filepath.Join(root, "pkg")
	for _, dir := range []string{below, filepath.Join(root, ".git")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(root, "AGENTS.md")
	if err := os.WriteFile(path, []byte("# Rules\n\n- Use tabs"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, diff, err := facts.AddRule(below, "run make test", false)
	if text, _ := os.ReadFile(path); err != nil || !strings.Contains(diff, "\n+- run make test\n") || strings.Contains(string(text), "make") {
		t.Fatalf("%v %s\n%s", err, diff, text)
	}
	if _, _, err := facts.AddRule(below, "run make test", true); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "# Rules\n\n- Use tabs\n- run make test\n" {
		t.Fatalf("%q", text)
	}
	outside := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, path); err != nil {
		t.Skip(err)
	}
	if _, _, err := facts.AddRule(below, "run make test", true); err == nil {
		t.Fatal("a link led out of the repository")
	}
}
