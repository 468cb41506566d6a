package language

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/tools"
	"marvin/tools/internal/box"
	lsp "marvin/tools/internal/language"
	"marvin/tools/internal/toolstest"
)

func TestServerEditIsWrittenWhole(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, row := range []struct {
		what    string
		ctx     context.Context
		changes [][3]string
		apply   bool
		text    string
		is      error
		a       string // content of a.go afterwards
	}{
		{"nothing", t.Context(), nil, true, "Nothing would change.", nil, "one\n"},
		{"shown", t.Context(), [][3]string{{"a.go", "one\n", "two\n"}}, false, "This would change 1 file. Nothing has been written yet; to make the changes, repeat the call with \"apply\": true.\na.go (+1 -1)\n--- a/a.go\n+++ b/a.go\n@@ -1,1 +1,1 @@\n-one\n+two\n", nil, "one\n"},
		{"written", t.Context(), [][3]string{{"a.go", "one\n", "two\n"}, {"sub/b.go", "b\n", "b\nc\n"}}, true, "Changed 2 files.\na.go (+1 -1)\nsub/b.go (+1 -0)\n", nil, "two\n"},
		{"another file", t.Context(), [][3]string{{"a.go", "one\n", "two\n"}, {"sub/b.go", "old\n", "new\n"}}, true, "! sub/b.go: " + box.ErrChanged.Error() + "; nothing was changed", box.ErrChanged, "one\n"},
		{"no file", t.Context(), [][3]string{{"a.go", "one\n", "two\n"}, {"none.go", "", "new\n"}}, true, "! none.go: ", fs.ErrNotExist, "one\n"},
		{"outside", t.Context(), [][3]string{{"a.go", "one\n", "two\n"}, {"../c.go", "", "new\n"}}, true, "! ROOT/../c.go is outside the working directory; nothing was changed", nil, "one\n"},
		{"stopped", stopped, [][3]string{{"a.go", "one\n", "two\n"}}, true, "! ", context.Canceled, "one\n"},
		{"stopped before it is shown", stopped, [][3]string{{"a.go", "one\n", "two\n"}}, false, "This would change 1 file. ", nil, "one\n"},
	} {
		root := tools.ResolveLinks(t.TempDir())
		write(t, filepath.Join(root, "a.go"), "one\n")
		write(t, filepath.Join(root, "sub/b.go"), "b\n")
		var changes []lsp.Edited
		for _, one := range row.changes {
			changes = append(changes, lsp.Edited{Path: root + "/" + one[0], Before: one[1], After: one[2]})
		}
		env := tools.Env{Dir: root, Root: root, Seen: &tools.Stamps{}, Now: time.Now}
		output, err := propose(row.ctx, env, changes, row.apply)
		got := output.Text
		if err != nil {
			got = "! " + strings.ReplaceAll(err.Error(), root, "ROOT")
		}
		if !strings.HasPrefix(got, row.text) || err == nil && row.what != "stopped before it is shown" && got != row.text || row.is != nil && !errors.Is(err, row.is) {
			t.Errorf("%s: %q, want %q", row.what, got, row.text)
		}
		if (output.View != nil) != (err == nil && changes != nil) {
			t.Errorf("%s: shown to people is %+v", row.what, output.View)
		}
		if content, err := os.ReadFile(filepath.Join(root, "a.go")); err != nil || string(content) != row.a {
			t.Errorf("%s: a.go holds %q, %v", row.what, content, err)
		}
		toolstest.NothingOpen(t, root, row.what)
		env.Dir, env.Root = "", ""
		if _, err := propose(t.Context(), env, changes, row.apply); (err != nil) != (changes != nil) {
			t.Errorf("%s, without a directory: %v", row.what, err)
		}
	}
}

// A missing program is looked up again after some time, and so is one that was removed.
func TestWhenAProgramIsLookedForAgain(t *testing.T) {
	dir, now := tools.ResolveLinks(t.TempDir()), time.Unix(1_700_000_000, 0)
	set, environ := &Set{Now: func() time.Time { return now }}, []string{"PATH=" + dir}
	server := Server{Name: "one", Command: []string{"one-server", "--stdio"}}
	look := func(want string) {
		t.Helper()
		if path, err := set.Program(server, environ); path != want || (err == nil) != (want != "") {
			t.Errorf("at %d: %q, %v", now.Unix(), path, err)
		}
	}
	look("")
	write(t, filepath.Join(dir, "one-server"), "#!/bin/sh\n")
	now = now.Add(lookupInterval - 1)
	look("")
	now = now.Add(1)
	look(filepath.Join(dir, "one-server"))
	if err := os.Remove(filepath.Join(dir, "one-server")); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	look(filepath.Join(dir, "one-server")) // a program that was found is not looked up again
	if _, err := set.Program(Server{Name: "bare"}, environ); err == nil || err.Error() != "Marvin does not know the language server bare, and config.yaml gives no command for it; add \"command:\" and \"files:\" to its entry under \"languages:\"" {
		t.Error(err)
	}
	root := t.TempDir()
	write(t, filepath.Join(root, "a"), "text")
	write(t, filepath.Join(root, "big"), strings.Repeat("x", 5<<20+1))
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"a": 4, "big": 5 << 20, "none": -1, "link": -1, "../x": -1} {
		content, err := read(root, filepath.Join(root, name))
		if (err != nil) != (want < 0) || err == nil && len(content) != want {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
	}
	if _, err := read(filepath.Join(root, "none"), filepath.Join(root, "none/a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a root that is gone: %v", err)
	}
	if _, err := read("relative", "/absolute"); err == nil {
		t.Error("a path is relative to none")
	}
	toolstest.NothingOpen(t, root, "to read")
	files := []File{{Path: filepath.Join(root, "a.none")}, {Path: filepath.Join(root, "b.none")}, {Path: "/elsewhere/a.none"}, {Path: "relative"}}
	if parts := set.Parts(files, Ground{Environ: environ, Top: root}); len(parts) != 1 || len(parts[0].Files) != 2 || parts[0].Wish.Program != "" {
		t.Errorf("%+v", parts)
	}
}

func TestTheMistakesOfAForm(t *testing.T) {
	large := strings.Repeat(" ", largestSyntax-1) + "{"
	for _, row := range [][3]string{
		{"a.json", "{", "1: unexpected end of JSON input"},
		{"a.json", "{\n\"a\": 1,\n}", "3: invalid character '}' looking for beginning of object key string"},
		{"a.json", "{}", ""},
		{"a.json", " \n", ""},
		{"a.json", "{ // x", ""},
		{"a.json", "{ /* x", ""},
		{"tsconfig.base.json", "{", ""},
		{"jsconfig.json", "{", ""},
		{"a.json", large, "1: unexpected end of JSON input"},
		{"a.json", large + "{", ""},
		{"a.yaml", "a: 1\nb: [", "2:"},
		{"a.yml", "a: [", "1:"},
		{"a.yaml", "a: [ {{ x }}", ""},
		{"a.yaml", "a: 1\n", ""},
		{"a.txt", "{", ""},
		{"json", "{", ""},
	} {
		var got []string
		for _, one := range syntax([]File{{Path: "/top/sub/" + row[0], Content: []byte(row[1])}, {Path: "/top/gone.json"}}, "/top") {
			got = append(got, fmt.Sprintf("%d: %s", one.Line, one.Text))
			if one.Path != "sub/"+row[0] {
				t.Errorf("it is called %s", one.Path)
			}
		}
		if said := strings.Join(got, "|"); said != row[2] && !(strings.HasSuffix(row[2], ":") && strings.HasPrefix(said, row[2])) {
			t.Errorf("%s %.40q: %q, want %q", row[0], row[1], said, row[2])
		}
	}
}
