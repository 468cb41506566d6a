package actors_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/files"
	"marvin/tools/language"
)

// formatting is a Go project with the real gopls. call returns the result of a call in it.
func formatting(t *testing.T, format bool) (tree workplace, call func(name string, args any) string) {
	t.Helper()
	if _, err := exec.LookPath("gopls"); err != nil {
		t.Skip(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module a\n\ngo 1.24\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree = atWork(t, actorstest.Setup{
		Dir: dir, Environ: os.Environ(), Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAll},
		Tuning: actors.Tuning{Problems: actorstest.Patience}, Lsp: &language.Set{Format: format, Now: time.Now},
	}, files.Tools()...)
	return tree, func(name string, args any) string {
		t.Helper()
		encoded, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		prompt, err := json.Marshal([]modeltest.Call{{Name: name, Args: json.RawMessage(encoded)}})
		if err != nil {
			t.Fatal(err)
		}
		turn := tree.Prompt(string(prompt))
		ended := actorstest.TurnEvents[messages.ToolEnded](turn)
		if len(ended) != 1 || ended[0].Status != messages.OK {
			t.Fatalf("%s: %s", name, actorstest.Lines(turn.Events))
		}
		return ended[0].Text
	}
}

func TestWrittenFilesAreFormatted(t *testing.T) {
	tree, call := formatting(t, true)
	path := filepath.Join(tree.dir, "a.go")
	made := call("create_file", createArgs{Path: "a.go", Content: "package a\n\n\n\nfunc  f( ) {\n  g()\n}\n"})
	for _, part := range []string{"Created a.go", "Formatted a.go with gopls, which changed", "\n+func f() {\n", "a.go:4:2: error: undefined: g"} {
		if !strings.Contains(made, part) {
			t.Errorf("%q is not in %s", part, made)
		}
	}
	if now, _ := os.ReadFile(path); string(now) != "package a\n\nfunc f() {\n\tg()\n}\n" {
		t.Errorf("%q", now)
	}
	mended := call("apply_patch", replaceArgs{Path: "a.go", Old: "\tg()\n", New: "      f(   )\n"})
	if now, _ := os.ReadFile(path); string(now) != "package a\n\nfunc f() {\n\tf()\n}\n" || !strings.Contains(mended, "Formatted a.go") || strings.Contains(mended, "changed since") {
		t.Errorf("%q after %s", now, mended)
	}
	broken := call("append_file", createArgs{Path: "a.go", Content: "func  h( {\n"})
	if now, _ := os.ReadFile(path); !strings.HasSuffix(string(now), "func  h( {\n") || strings.Contains(broken, "Formatted") {
		t.Errorf("%q after %s", now, broken)
	}
	for _, want := range []string{"package a\n\nfunc f() {\n\tf()\n}\n", "package a\n\nfunc f() {\n\tg()\n}\n", ""} {
		tree.Client.Send(messages.Undo{})
		tree.Client.Send(messages.Answer{Ask: actorstest.ReadUntil[messages.Asked](tree.Tree).Ask, Choice: messages.Yes})
		notice := actorstest.ReadUntil[messages.Notice](tree.Tree)
		if now, _ := os.ReadFile(path); string(now) != want || !strings.Contains(notice.Text, "Undone: 1 file") {
			t.Errorf("%q instead of %q after %q", now, want, notice.Text)
		}
	}
}

func TestNothingIsFormattedUnasked(t *testing.T) {
	tree, call := formatting(t, false)
	content := "package a\n\nfunc  f( ) {\n}\n"
	said := call("create_file", createArgs{Path: "a.go", Content: content})
	if now, _ := os.ReadFile(filepath.Join(tree.dir, "a.go")); string(now) != content || strings.Contains(said, "Formatted") {
		t.Errorf("%q after %s", now, said)
	}
}
