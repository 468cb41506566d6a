package language

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
)

func at(line, from int) span { return span{Start: position{line, from}, End: position{line, from + 1}} }

func TestDiagnosticsText(t *testing.T) {
	s := unread(t)
	list := []diagnostic{
		{Range: at(4, 0), Severity: 2, Message: "unused", Source: "vet", Code: json.RawMessage(`"U1"`)},
		{Range: at(3, 0), Severity: 3, Message: "by the way"},
		{Range: at(3, 0), Severity: 4, Message: "a hint"},
		{Range: at(2, 3), Severity: 1, Message: "no such\n  name", Code: json.RawMessage(`-12`)},
		{Range: at(0, 0), Message: "without a severity", Code: json.RawMessage(`0`)},
		{Range: at(1, 0), Severity: 2, Message: strings.Repeat("m", 401), Source: strings.Repeat("s", 41), Code: json.RawMessage(`9`)},
		{Range: at(2, 0), Severity: 1, Message: "second of its line", Code: json.RawMessage(`{"value":1}`)},
		{Range: at(9, 9), Severity: 1, Message: "behind the end", Code: json.RawMessage(`null`)},
	}
	var lines []string
	for _, one := range s.converted(filepath.Join(s.ground.Root, "d/a.txt"), newText("\n\n🦊b\n\n"), list) {
		lines = append(lines, fmt.Sprintf("%s %s:%d:%d %s|%s|%s", one.Severity, one.Path, one.Line, one.Column, one.Source, one.Code, one.Text))
	}
	want := []string{
		"error d/a.txt:1:1 |0|without a severity",
		"error d/a.txt:3:3 |-12|no such name",
		"error d/a.txt:3:1 ||second of its line",
		"error d/a.txt:10:1 ||behind the end",
		"warning d/a.txt:2:1 " + strings.Repeat("s", 40) + "…|9|" + strings.Repeat("m", 400) + "…",
		"warning d/a.txt:5:1 vet|U1|unused",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if none := s.converted("x", text{}, nil); none == nil || len(none) > 0 {
		t.Errorf("of nothing: %#v", none)
	}
}

func TestDiagnosticsLimit(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	said := []diagnostic{
		{Message: long(longestWord), Source: long(longestWord), Code: json.RawMessage(long(longestWord)), Data: json.RawMessage(long(longestData))},
		{Message: long(longestWord + 1), Source: long(longestWord + 1), Code: json.RawMessage(long(longestWord + 1)), Data: json.RawMessage(long(longestData + 1))},
		{Message: "third"},
	}
	kept := slim(said, 2)
	if len(kept) != 2 || kept[0].Message != said[0].Message || kept[0].Source != said[0].Source || kept[0].Code == nil || kept[0].Data == nil {
		t.Errorf("at the limit: %d, %.20v", len(kept), kept)
	}
	if kept[1].Message != long(longestWord)+"…" || kept[1].Source != long(longestWord)+"…" || kept[1].Code != nil || kept[1].Data != nil || len(said[1].Message) != longestWord+1 {
		t.Errorf("beyond the limit: %.40v", kept[1])
	}
	if kept = slim(said, 3); len(kept) != 3 {
		t.Errorf("%d of 3 are kept", len(kept))
	}
}

func TestDiagnosticsVersion(t *testing.T) {
	bad, version := []diagnostic{{Severity: 1, Message: "bad"}}, func(n int) *int { return &n }
	for _, one := range []struct {
		what     string
		contents []string
		closed   bool
		told     []publishParams
		known    bool
		loose    int
	}{
		{"the present version", []string{"1", "2"}, false, []publishParams{{Version: version(2), Diagnostics: bad}}, true, 0},
		{"the version before", []string{"1", "2"}, false, []publishParams{{Version: version(1), Diagnostics: bad}}, false, 0},
		{"the first content without a version", []string{"1"}, false, []publishParams{{Diagnostics: bad}}, true, 0},
		{"the second content without a version", []string{"1", "2"}, false, []publishParams{{Diagnostics: bad}}, false, 0},
		{"a server that could have said the version", []string{"1"}, false, []publishParams{{Version: version(1)}, {Diagnostics: bad}}, true, 0},
		{"a file that is closed", []string{"1"}, true, []publishParams{{Diagnostics: bad}}, false, 1},
		{"a file that was never open", nil, false, []publishParams{{Diagnostics: bad}}, false, 1},
		{"such a file that is good again", nil, false, []publishParams{{Diagnostics: bad}, {}}, false, 0},
	} {
		s := unread(t)
		path := filepath.Join(s.ground.Root, "a.txt")
		for _, content := range one.contents {
			if _, err := s.put(path, content); err != nil {
				t.Fatal(err)
			}
		}
		if one.closed {
			if err := s.drop(path); err != nil {
				t.Fatal(err)
			}
		}
		news := s.news
		for _, each := range one.told {
			each.URI = uriOf(path)
			s.recordProblems(each)
		}
		doc := s.documents[path]
		if known := doc != nil && doc.known; known != one.known || len(s.loose) != one.loose {
			t.Errorf("%s: known %v, loose %v", one.what, known, s.loose)
		}
		if woken := s.news != news; woken != (one.known || one.closed || one.contents == nil) {
			t.Errorf("%s: who waits is woken: %v", one.what, woken)
		}
	}
	s := unread(t)
	path := filepath.Join(s.ground.Root, "a.txt")
	if _, err := s.put(path, "1"); err != nil {
		t.Fatal(err)
	}
	s.recordProblems(publishParams{URI: uriOf(path), Version: version(1)})
	s.recordProblems(publishParams{URI: uriOf(path), Diagnostics: bad})
	if doc := s.documents[path]; len(doc.proven) > 0 || !s.versioned {
		t.Errorf("a server that says versions is believed without one: %+v", doc.proven)
	}
}

// Problems of unopened files are kept for two thousand files, fifty for each.
func TestLooseProblemsAreBounded(t *testing.T) {
	s := unread(t)
	name := func(n int) string { return uriOf(filepath.Join(s.ground.Root, fmt.Sprint(n))) }
	many := make([]diagnostic, mostLoose+1)
	for n := range 2001 {
		s.recordProblems(publishParams{URI: name(n), Diagnostics: many[:1+n%2*mostLoose]})
	}
	if len(s.loose) != 2000 || len(s.loose[filepath.Join(s.ground.Root, "1")]) != mostLoose {
		t.Errorf("%d files are kept, %d problems", len(s.loose), len(s.loose[filepath.Join(s.ground.Root, "1")]))
	}
	s.recordProblems(publishParams{URI: name(7)})
	if len(s.loose) != 1999 {
		t.Errorf("one is good again, and %d are kept", len(s.loose))
	}
}

// suspects returns the files that a change may have broken: those with the most new problems first.
func TestSuspectsOfAChange(t *testing.T) {
	s := unread(t)
	in := func(name string) string { return filepath.Join(s.ground.Root, name) }
	bad := func(n int) (list []diagnostic) {
		for i := range n {
			list = append(list, diagnostic{Severity: 1, Message: fmt.Sprint("bad ", i)})
		}
		return list
	}
	s.loose[in("one")], s.loose[in("three")], s.loose[in("old")] = bad(1), bad(3), bad(9)
	s.loose[in("hint")] = []diagnostic{{Severity: 4, Message: "by the way"}}
	for i := range 9 {
		s.before[keyOf(messages.CodeProblem{Path: "old", Text: fmt.Sprint("bad ", i)})] = true
	}
	for name, doc := range map[string]document{
		"two": {open: true, known: true, proven: bad(2)}, "closed": {known: true, proven: bad(5)}, "unknown": {open: true, proven: bad(5)},
		"good": {open: true, known: true}, "asked": {open: true, known: true, proven: bad(5)}, "another": {open: true, known: true, proven: bad(1)},
	} {
		s.documents[in(name)] = &doc
	}
	suspects := func() string {
		var names []string
		for _, path := range s.suspects([]string{in("asked")}) {
			names = append(names, filepath.Base(path))
		}
		return strings.Join(names, " ")
	}
	if got := suspects(); got != "three two another one" {
		t.Errorf("of one that publishes: %s", got)
	}
	s.server.Exact = "pull"
	if got := suspects(); got != "unknown three two another good one" {
		t.Errorf("of one that is asked: %s", got)
	}
}

func TestNewDiagnosticsAfterChange(t *testing.T) {
	s := unread(t)
	path := filepath.Join(s.ground.Root, "a.txt")
	if _, err := s.put(path, "bad\n"); err != nil {
		t.Fatal(err)
	}
	doc := s.documents[path]
	for _, row := range []struct{ open, known, loose bool }{{true, true, false}, {true, false, false}, {false, true, false}, {false, false, true}, {true, true, true}} {
		doc.open, doc.known, doc.proven, s.loose = row.open, row.known, []diagnostic{{Range: at(0, 0), Severity: 1, Message: "x"}}, nil
		if row.loose {
			s.loose = map[string][]diagnostic{filepath.Join(s.ground.Root, "b.txt"): {{Range: at(0, 0), Severity: 1, Message: "y"}}}
		}
		s.remember()
		if s.before["a.txt\x00x"] != (row.open && row.known) || s.before["b.txt\x00y"] != row.loose || s.first() {
			t.Errorf("%+v: %v", row, s.before)
		}
	}
}
