package language

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answering returns a session with a server that sends these replies, by method.
func answering(t *testing.T, able string, answers map[string]string) (*Session, chan message) {
	t.Helper()
	s := &Session{held: *unread(t)}
	if err := json.Unmarshal([]byte(able), &s.able); err != nil {
		t.Fatal(err)
	}
	said := peers(t, s, func(one message) message {
		if answer, ok := answers[one.Method]; ok {
			return message{ID: one.ID, Result: json.RawMessage(answer)}
		}
		if len(one.ID) > 0 {
			return message{ID: one.ID, Error: &rpcError{codeNoMethod, "not played: " + one.Method}}
		}
		return message{}
	})
	return s, said
}

func TestPlacesThatAServerGives(t *testing.T) {
	place := func(uri string, line int) string {
		return fmt.Sprintf(`{"uri":%q,"range":{"start":{"line":%d,"character":0},"end":{"line":9,"character":0}}}`, uri, line)
	}
	for _, one := range []struct {
		what   string
		answer func(of func(name string) string) string
		want   string
	}{
		{"one place", func(of func(string) string) string { return place(of("a.txt"), 1) }, "a.txt:2 second"},
		{"a list", func(of func(string) string) string {
			return "[" + place(of("b.txt"), 0) + "," + place(of("a.txt"), 1) + "," + place(of("a.txt"), 0) + "," + place(of("a.txt"), 1) + "]"
		}, "a.txt:1 first|a.txt:2 second|b.txt:1 other"},
		{"a link", func(of func(string) string) string {
			return fmt.Sprintf(`[{"targetUri":%q,"targetRange":{"start":{"line":0}},"targetSelectionRange":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}}]`, of("a.txt"))
		}, "a.txt:2 second"},
		{"behind the end", func(of func(string) string) string { return place(of("a.txt"), 7) }, "a.txt:8 "},
		{"a file that is gone", func(of func(string) string) string { return place(of("gone.txt"), 0) }, "gone.txt:1 "},
		{"what is no text", func(of func(string) string) string { return place(of("no.txt"), 0) }, "no.txt:1 "},
		{"outside", func(func(string) string) string { return place("file:///etc/passwd", 0) }, "/etc/passwd:1 "},
		{"no file", func(func(string) string) string { return place("untitled:x", 0) }, ""},
		{"nothing", func(func(string) string) string { return "null" }, ""},
		{"something else", func(func(string) string) string { return "7" }, "json: cannot unmarshal number into Go value of type []language.location"},
	} {
		answers := map[string]string{}
		s, _ := answering(t, `{"definitionProvider":{},"referencesProvider":true}`, answers)
		put(t, s.ground.Root, "a.txt", "first\n  second \nthird\n")
		put(t, s.ground.Root, "b.txt", "other\n")
		put(t, s.ground.Root, "no.txt", "\x00\n")
		answer := one.answer(func(name string) string { return uriOf(filepath.Join(s.ground.Root, name)) })
		answers["textDocument/definition"], answers["textDocument/references"] = answer, answer
		at := Place{Path: filepath.Join(s.ground.Root, "a.txt"), Line: 1, Name: "first"}
		defined, err := s.Definition(t.Context(), at)
		used, wrong := s.References(t.Context(), at)
		for _, list := range [][]Spot{defined, used} {
			var got []string
			for _, spot := range list {
				got = append(got, fmt.Sprintf("%s:%d %s", spot.Path, spot.Line, spot.Text))
			}
			if err != nil || wrong != nil {
				got = append(got, err.Error())
			}
			if text := strings.Join(got, "|"); text != one.want || (err == nil) != (wrong == nil) {
				t.Errorf("%s: %s, want %s", one.what, text, one.want)
			}
		}
	}
}

func TestServerQueries(t *testing.T) {
	s, said := answering(t, `{"referencesProvider":true,"renameProvider":true}`, map[string]string{"textDocument/references": "[]", "textDocument/rename": "{}"})
	path := put(t, s.ground.Root, "a.txt", "🦊 name\n")
	at := Place{Path: path, Line: 1, Name: "name"}
	if spots, err := s.References(t.Context(), at); err != nil || spots != nil {
		t.Errorf("%+v, %v", spots, err)
	}
	if changes, err := s.Rename(t.Context(), at, "new"); err != nil || changes != nil {
		t.Errorf("%+v, %v", changes, err)
	}
	for _, want := range []string{
		`textDocument/didOpen`,
		`textDocument/references {"context":{"includeDeclaration":true},"position":{"line":0,"character":3},"textDocument":{"uri":"` + uriOf(path) + `"}}`,
		`textDocument/rename {"newName":"new","position":{"line":0,"character":3},"textDocument":{"uri":"` + uriOf(path) + `"}}`,
	} {
		if one := <-said; !strings.HasPrefix(one.Method+" "+string(one.Params), want) {
			t.Errorf("it was asked %s %s, want %s", one.Method, one.Params, want)
		}
	}
	missing, nowhere := Place{Path: path + "x", Line: 1, Name: "name"}, Place{Path: path, Line: 1, Name: "none"}
	for _, each := range []Place{missing, nowhere} {
		_, used := s.References(t.Context(), each)
		_, renamed := s.Rename(t.Context(), each, "new")
		want := ErrNoPlace
		if each == missing {
			want = os.ErrNotExist
		}
		if !errors.Is(used, want) || !errors.Is(renamed, want) {
			t.Errorf("%+v: %v, %v", each, used, renamed)
		}
	}
	bare, _ := answering(t, `{"definitionProvider":false,"renameProvider":null}`, nil)
	_, definition := bare.Definition(t.Context(), at)
	_, references := bare.References(t.Context(), at)
	_, outline := bare.Outline(t.Context(), path)
	_, symbols := bare.Symbols(t.Context(), "x", "")
	_, rename := bare.Rename(t.Context(), at, "x")
	_, actions := bare.Actions(t.Context(), at)
	_, format := bare.Format(t.Context(), File{Path: path})
	for what, err := range map[string]error{
		"definitions": definition, "references": references, "outlines": outline, "search for names": symbols, "renaming": rename, "actions": actions, "formatting": format,
	} {
		if !errors.Is(err, ErrCannot) || err.Error() != "this language server cannot do that: unread has no "+what {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestOutlinesAndNames(t *testing.T) {
	answers := map[string]string{}
	s, said := answering(t, `{"documentSymbolProvider":true,"workspaceSymbolProvider":true}`, answers)
	path := put(t, s.ground.Root, "d/a.txt", "name\n")
	told := func(list []Symbol, err error) string {
		var lines []string
		for _, one := range list {
			lines = append(lines, fmt.Sprintf("%d %s %s %s:%d-%d %s", one.Depth, one.Kind, one.Name, one.Path, one.Line, one.Last, one.In))
		}
		if err != nil {
			lines = append(lines, err.Error())
		}
		return strings.Join(lines, "|")
	}
	lines := func(from, to int) string {
		return fmt.Sprintf(`"range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":0}}`, from, to)
	}
	answers["textDocument/documentSymbol"] = `[{"name":"T","kind":23,` + lines(0, 4) + `,"children":[{"name":"M","kind":6,` + lines(1, 2) + `}]},{"name":"x\n y","kind":0,"containerName":"in T","location":{` + lines(6, 6) + `}},{"name":"z","kind":27}]`
	if got, want := told(s.Outline(t.Context(), path)), "0 struct T d/a.txt:1-5 |1 method M d/a.txt:2-3 |0 symbol x y d/a.txt:7-7 in T|0 symbol z d/a.txt:1-1 "; got != want {
		t.Errorf("outline\n%s, want\n%s", got, want)
	}
	located := func(uri string) string {
		return fmt.Sprintf(`{"name":"n","kind":1,"location":{"uri":%q,%s}}`, uri, lines(2, 3))
	}
	answers["workspace/symbol"] = `[{"name":"nowhere","kind":1},` + located(uriOf(path)) + `,` + located("file:///etc/passwd") + `,` + located("untitled:x") + `,` + strings.Repeat(located(uriOf(path))+",", 995) + located(uriOf(path)) + `,` + located(uriOf(path)) + `]`
	if list, err := s.Symbols(t.Context(), "n", path); err != nil || len(list) != 997 || told(list[:1], nil) != "0 file n d/a.txt:3-4 " {
		t.Errorf("%d names, %v", len(list), err)
	}
	for range 2 {
		<-said
	}
	if asked := <-said; string(asked.Params) != `{"query":"n"}` {
		t.Errorf("it was asked for %s", asked.Params)
	}
	delete(answers, "workspace/symbol")
	delete(answers, "textDocument/documentSymbol")
	for what, got := range map[string]string{
		"not played: workspace/symbol (-32601)":            told(s.Symbols(t.Context(), "n", "")),
		"not played: textDocument/documentSymbol (-32601)": told(s.Outline(t.Context(), path)),
		"x: no such file or directory":                     told(s.Outline(t.Context(), path+"x")),
		"y: no such file or directory":                     told(s.Symbols(t.Context(), "n", path+"y")),
	} {
		if !strings.HasSuffix(got, what) {
			t.Errorf("%s, want %s", got, what)
		}
	}
	for kind, want := range map[int]string{0: "symbol", 1: "file", 26: "type-parameter", 27: "symbol", -1: "symbol"} {
		if got := kindName(kind); got != want {
			t.Errorf("kind %d is %s", kind, got)
		}
	}
	many, deep := make([]symbol, 2001), symbol{Name: "leaf"}
	for range 20 {
		deep = symbol{Name: "deep", Children: []symbol{deep}}
	}
	if list := s.flattened(nil, many, path, 0); len(list) != 2000 {
		t.Errorf("of 2001 names %d are reported", len(list))
	}
	if list := s.flattened(nil, []symbol{deep}, path, 0); len(list) != 11 || list[10].Depth != 10 {
		t.Errorf("of a deep one %d are reported", len(list))
	}
}
