package coding

import "testing"

func TestLinesThatWentDuringTheSearch(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n\nthree\n"})
	dir, err := p.env.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	s := search{dir: dir, found: matches{limit: 9}}
	s.found.lines = []line{{"a.txt", 1, true, "one"}, {"a.txt", 2, true, ""}, {"a.txt", 3, true, "other"}, {"a.txt", 4, true, ""}, {"a.txt", 5, false, ""}}
	note, err := s.verify(t.Context())
	if err != nil || note != "[2 matches are left out, because their files changed during the search]\n" || len(s.found.lines) != 2 || s.found.lines[0].number != 1 || s.found.lines[1].number != 2 {
		t.Errorf("%+v, %q, %v", s.found.lines, note, err)
	}
}
