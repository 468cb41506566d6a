package language

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestProposalsOfAServer(t *testing.T) {
	s := &Session{held: *unread(t)}
	root := s.ground.Root
	put(t, root, "a.txt", "one two\n")
	put(t, root, "b.txt", "one\n")
	put(t, root, "held.txt", "one\n")
	put(t, root, "no.txt", "\x00")
	if _, err := s.put(filepath.Join(root, "held.txt"), "another\n"); err != nil {
		t.Fatal(err)
	}
	edit := func(from, to int, text string) string {
		return fmt.Sprintf(`{"range":{"start":{"line":0,"character":%d},"end":{"line":0,"character":%d}},"newText":%q}`, from, to, text)
	}
	changes := func(name string, edits ...string) string {
		return fmt.Sprintf(`%q:[%s]`, uriOf(filepath.Join(root, name)), strings.Join(edits, ","))
	}
	document := func(name string, edits ...string) string {
		return fmt.Sprintf(`{"textDocument":{"uri":%q},"edits":[%s]}`, uriOf(filepath.Join(root, name)), strings.Join(edits, ","))
	}
	many := func(files int) string {
		all := make([]string, files)
		for n := range all {
			all[n] = changes(fmt.Sprint("none", n))
		}
		return `{"changes":{` + strings.Join(all, ",") + `}}`
	}
	for _, one := range []struct{ what, proposed, want, wrong string }{
		{"nothing", `{}`, "", ""},
		{"two files", `{"changes":{` + changes("b.txt", edit(0, 3, "1")) + `,` + changes("a.txt", edit(4, 7, "2"), edit(0, 3, "1")) + `}}`, "a.txt 2 1 2\n|b.txt 1 1\n", ""},
		{"a file twice", `{"documentChanges":[` + document("a.txt", edit(0, 3, "1")) + `,` + document("a.txt", edit(4, 7, "2")) + `]}`, "a.txt 2 1 2\n", ""},
		{"both forms, of which the newer counts", `{"changes":{` + changes("b.txt", edit(0, 3, "1")) + `},"documentChanges":[` + document("a.txt", edit(0, 3, "1")) + `]}`, "a.txt 1 1 two\n", ""},
		{"what is so already", `{"changes":{` + changes("b.txt", edit(0, 3, "one")) + `}}`, "", ""},
		{"a file outside", `{"changes":{"file:///etc/passwd":[]}}`, "", `the change would also write "file:///etc/passwd", which is outside the project; nothing was changed`},
		{"what is no file", `{"documentChanges":[{"textDocument":{"uri":"untitled:x"}}]}`, "", `the change would also write "untitled:x", which is outside the project; nothing was changed`},
		{"a file that it would rename", `{"documentChanges":[{"kind":"rename"}]}`, "", "the change would also rename a file, which Marvin does not allow a language server to do; make this part of the change yourself"},
		{"a file that is gone", `{"changes":{` + changes("none.txt") + `}}`, "", "no such file or directory"},
		{"what is no text", `{"changes":{` + changes("no.txt") + `}}`, "", "no.txt is not UTF-8 text or is larger than 4 MiB, so no language server reads it"},
		{"a file that it holds otherwise", `{"changes":{` + changes("held.txt") + `}}`, "", "held.txt: another program changed the file during the call"},
		{"edits that overlap", `{"changes":{` + changes("a.txt", edit(0, 3, "1"), edit(2, 4, "2")) + `}}`, "", "a.txt: the server's edits overlap"},
		{"a place before the file", `{"changes":{` + changes("a.txt", `{"range":{"start":{"line":-1,"character":0},"end":{"line":9,"character":0}},"newText":"gone"}`) + `}}`, "", "a.txt: nothing was changed, because the server wants to edit line -1, column 0, which does not exist"},
		{"a place before a line", `{"changes":{` + changes("a.txt", edit(-4, 3, "gone")) + `}}`, "", "a.txt: nothing was changed, because the server wants to edit line 0, column -4, which does not exist"},
		{"more than a file may have", `{"changes":{` + changes("a.txt", edit(0, 3, strings.Repeat("x", 3<<20)), edit(4, 7, strings.Repeat("x", 3<<20))) + `}}`, "", "a.txt: nothing was changed, because the file would be larger than 4 MiB after the server's edits"},
		{"as many files as may be", many(500), "", "no such file or directory"},
		{"one more", many(501), "", "the change would write 501 files; the limit is 500 at once"},
	} {
		var proposed workspaceEdit
		if err := json.Unmarshal([]byte(one.proposed), &proposed); err != nil {
			t.Fatal(err)
		}
		all, err := s.applyEdit(proposed)
		var got []string
		for _, each := range all {
			before, _ := os.ReadFile(each.Path)
			if each.Before != string(before) {
				t.Errorf("%s: before it was %q", one.what, each.Before)
			}
			got = append(got, fmt.Sprintf("%s %d %s", filepath.Base(each.Path), each.Spots, each.After))
		}
		if text := strings.Join(got, "|"); text != one.want || (err != nil) != (one.wrong != "") || err != nil && !strings.HasSuffix(err.Error(), one.wrong) {
			t.Errorf("%s: %q, %v", one.what, text, err)
		}
	}
}

func TestCodeActions(t *testing.T) {
	s := &Session{held: *unread(t)}
	path := put(t, s.ground.Root, "a.txt", "one\n🦊 two\nthree\n")
	s.able.CodeAction = json.RawMessage("true")
	edit := `{"changes":{"` + uriOf(path) + `":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}},"newText":"1"}]}}`
	offers := `[{"title":"  Mend\n it ","kind":"quickfix","edit":` + edit + `},7,{"kind":"quickfix","edit":{}},{"title":"Not now","disabled":{"reason":"no"},"edit":{}},{"title":"Later","data":5},{"title":"Run","command":{}}]`
	said := peers(t, s, func(one message) message {
		switch {
		case one.Method == "textDocument/codeAction":
			return message{ID: one.ID, Result: json.RawMessage(offers)}
		case one.Method == "codeAction/resolve" && strings.Contains(string(one.Params), "Later"):
			return message{ID: one.ID, Result: json.RawMessage(`{"title":"Later","edit":` + edit + `}`)}
		case one.Method == "codeAction/resolve":
			return message{ID: one.ID, Result: one.Params}
		}
		return message{}
	})
	about := func() (asked string) {
		for one := range said {
			if one.Method == "textDocument/codeAction" {
				return string(one.Params)
			}
		}
		return ""
	}
	titles := func(at Place) (titles []string, all []Action) {
		all, err := s.Actions(t.Context(), at)
		for _, one := range all {
			titles = append(titles, one.Title)
		}
		if err != nil {
			titles = append(titles, err.Error())
		}
		return titles, all
	}
	if got, all := titles(Place{Path: path, Line: 2}); !slices.Equal(got, []string{"Mend it"}) || all[0].Kind != "quickfix" {
		t.Errorf("without what is to be asked for: %q", got)
	}
	if got := about(); !strings.Contains(got, `"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":6}}`) || !strings.Contains(got, `"diagnostics":[]`) {
		t.Errorf("of a line it is asked %s", got)
	}
	s.able.resolvesCodeActions = true
	s.mu.Lock()
	doc := s.documents[path]
	doc.known, doc.proven = true, []diagnostic{{Message: "before", Range: at(0, 0)}, {Message: "across", Range: span{position{0, 0}, position{1, 0}}}, {Message: "in it", Range: at(1, 0)}, {Message: "behind", Range: at(2, 0)}}
	s.mu.Unlock()
	got, all := titles(Place{Path: path, Line: 2, Name: "two"})
	if !slices.Equal(got, []string{"Mend it", "Later", "Run"}) {
		t.Fatalf("with them: %q", got)
	}
	if got := about(); !strings.Contains(got, `"range":{"start":{"line":1,"character":3},"end":{"line":1,"character":3}}`) ||
		strings.Contains(got, "before") || strings.Contains(got, "behind") || !strings.Contains(got, "across") || !strings.Contains(got, "in it") {
		t.Errorf("of a name it is asked %s", got)
	}
	for i, want := range []string{"1\n🦊 two\nthree\n", "1\n🦊 two\nthree\n", ""} {
		changes, err := s.Apply(t.Context(), all[i])
		if want == "" {
			if !errors.Is(err, ErrCannot) || !strings.Contains(err.Error(), `"Run" is a command that the server runs itself, so Marvin cannot show its effect beforehand`) {
				t.Errorf("%+v, %v", changes, err)
			}
		} else if err != nil || len(changes) != 1 || changes[0].After != want {
			t.Errorf("%s: %+v, %v", all[i].Title, changes, err)
		}
	}
	s.mu.Lock()
	doc.known = false
	s.mu.Unlock()
	titles(Place{Path: path, Line: 4})
	if got := about(); !strings.Contains(got, `"diagnostics":[]`) {
		t.Errorf("a stale problem is included: %s", got)
	}
	for line, want := range map[int]string{0: "there is no such place: the file has 4 lines", 5: "there is no such place: the file has 4 lines"} {
		if got, _ := titles(Place{Path: path, Line: line}); !slices.Equal(got, []string{want}) {
			t.Errorf("line %d: %q", line, got)
		}
	}
	if got, _ := titles(Place{Path: path, Line: 1, Name: "none"}); len(got) != 1 || !strings.Contains(got[0], `does not contain "none"`) {
		t.Errorf("%q", got)
	}
}
