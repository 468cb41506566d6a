//go:build unix

package language

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestServerInitialization(t *testing.T) {
	for _, one := range []struct {
		what              string
		server            Server
		how               string
		options           string // "" for none
		configured        string // "" for no word about it
		resolves, exactly bool
	}{
		{"nothing", Server{}, "well", "", "", false, false},
		{"what the table says", Server{Init: json.RawMessage(`{"a":1}`)}, "well pull", `{"a":1}`, "", false, true},
		{"the user's settings", Server{Settings: map[string]any{"b": 2}}, "well resolves", `{"b":2}`, `{"settings":{"b":2}}`, true, false},
		{"both", Server{Init: json.RawMessage(`{"a":1}`), Settings: map[string]any{"b": 2}, Exact: "pull"}, "well", `{"a":1}`, `{"settings":{"b":2}}`, false, true},
	} {
		root := realDir(t)
		s, err := playedAs(t, one.server, root, one.how)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.conn.call(limited(t, patience), "played/nothing", nil, nil); err != nil { // its log messages came before the reply
			t.Fatal(err)
		}
		said := s.Log()
		for _, want := range []string{`"clientInfo":{"name":"marvin","version":"1.2.3"}`, `"rootUri":"` + uriOf(root) + `"`, `"rootPath":"` + root + `"`, `"workspaceFolders":[{"name":"` + filepath.Base(root) + `"`} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: it was not told %s: %s", one.what, want, said)
			}
		}
		if strings.Contains(said, "initializationOptions") != (one.options != "") || !strings.Contains(said, `"initializationOptions":`+one.options) && one.options != "" {
			t.Errorf("%s: its options in %s", one.what, said)
		}
		if strings.Contains(said, "configured ") != (one.configured != "") || !strings.Contains(said, "configured "+one.configured) && one.configured != "" {
			t.Errorf("%s: its configuration in %s", one.what, said)
		}
		if s.able.resolvesCodeActions != one.resolves || s.asksExactly() != one.exactly || s.Name() != "played" || s.Root() != root || s.PID() <= 0 {
			t.Errorf("%s: %+v", one.what, s.able)
		}
	}
	if _, err := playedIn(t, t.TempDir(), "utf-8"); err == nil || !strings.Contains(err.Error(), `the language server played did not start: it uses the position encoding "utf-8", which Marvin did not offer`) {
		t.Errorf("%v", err)
	}
	if _, err := Start(t.Context(), Server{Name: "none", Command: []string{"none"}}, Ground{Root: t.TempDir(), Program: "/none/none"}); err == nil || !strings.HasPrefix(err.Error(), "the language server none was not started: ") {
		t.Errorf("%v", err)
	}
}

// A server is first asked to exit. Its report is ignored if it exited before the report was
// complete.
func TestAServerIsAskedToEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "end")
	s, root := plays(t, "well", "PID_FILE="+file)
	s.grace = patience // a program with the race detector takes a second to exit
	s.Close()
	s.Close()
	if said, err := os.ReadFile(file); err != nil || string(said) != "it was asked to end" {
		t.Errorf("%q, %v", said, err)
	}
	if report, err := s.Check(t.Context(), []File{{put(t, root, "a.txt", "bad\n"), []byte("bad\n")}}); err == nil || !strings.Contains(err.Error(), "it ended with code 0") || len(report.Files) > 0 {
		t.Errorf("after its end: %+v, %v", report, err)
	}
	s, root = plays(t, "pull leaves")
	report, err := s.Check(t.Context(), []File{{put(t, root, "a.txt", "bad\n"), []byte("bad\n")}})
	if err == nil || !strings.Contains(err.Error(), "it ended with code 6") || len(report.Files) > 0 {
		t.Errorf("it ended while it was listened to: %+v, %v", report, err)
	}
}

// Files of another kind and binary files are not formatted, and a formatted file must not become
// empty.
func TestFilesThatAreNotFormatted(t *testing.T) {
	s, root := plays(t, "formats")
	for _, one := range []struct{ name, content, wrong string }{
		{"a.bin", "x", "this language server cannot do that: played has no formatting"},
		{"a.txt", "\x00", "a.txt is not UTF-8 text or is larger than 4 MiB, so no language server reads it"},
		{"b.txt", "   \n  ", ""},
	} {
		after, err := s.Format(limited(t, patience), File{Path: put(t, root, one.name, one.content), Content: []byte(one.content)})
		if err != nil && err.Error() != one.wrong || err == nil && (one.wrong != "" || string(after) != "\n") {
			t.Errorf("%s: %q, %v", one.name, after, err)
		}
	}
}
