package language

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/box"
)

// The real gopls formats a file only if the file still has the content that was written.
func TestOnlyWhatWasWrittenIsFormatted(t *testing.T) {
	written := "package a\n\nfunc  f( ) {\n}\n"
	env, servers := project(t, map[string]string{"go.mod": "module a\n\ngo 1.24\n", "a.go": written})
	path := filepath.Join(env.Dir, "a.go")
	session, err := servers.Server(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, written+"\n// mine\n")
	if text, err := Format(t.Context(), t.Context(), env, session, File{Path: path, Content: []byte(written)}); !errors.Is(err, box.ErrChanged) || text != "" {
		t.Errorf("%q, %v", text, err)
	}
	if now, _ := os.ReadFile(path); string(now) != written+"\n// mine\n" {
		t.Errorf("what a person wrote meanwhile is now %q", now)
	}
	write(t, path, written)
	text, err := Format(t.Context(), t.Context(), env, session, File{Path: path, Content: []byte(written)})
	if err != nil || !strings.HasPrefix(text, "Formatted a.go with gopls, which changed 1 line:\n") || !strings.Contains(text, "\n+func f() {\n") {
		t.Errorf("%q, %v", text, err)
	}
	now, _ := os.ReadFile(path)
	if string(now) != "package a\n\nfunc f() {\n}\n" {
		t.Errorf("%q", now)
	}
	if text, err := Format(t.Context(), t.Context(), env, session, File{Path: path, Content: now}); text != "" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
