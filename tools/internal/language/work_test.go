//go:build unix

package language

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAServerThatWorksIsWaitedFor(t *testing.T) {
	for _, one := range []struct {
		how, work string
		most      time.Duration
		others    int
	}{
		{"works", "looking", patience, 1},
		{"works on", "looking", time.Millisecond, 0},
		{"works on", "indexing", patience, 0},
		{"works on", "", patience, 0},
	} {
		root := realDir(t)
		put(t, root, "other.txt", "bad\n")
		s, err := playedAs(t, Server{Work: one.work}, root, "pull silent "+one.how)
		if err != nil {
			t.Fatal(err)
		}
		s.mostWork = one.most
		path, ctx := put(t, root, "a.txt", "good\n"), limited(t, patience)
		report, err := s.Check(ctx, []File{{Path: path, Content: []byte("good\n")}})
		if err != nil || len(report.Others) != one.others || len(report.Problems) > 0 || report.Late || ctx.Err() != nil { // an endless wait would end with its context
			t.Errorf("%s, its work %q: %+v, %v, %v", one.how, one.work, report, err, ctx.Err())
		}
	}
}

func TestAServerThatGoesWhileItWorks(t *testing.T) {
	root := realDir(t)
	s, err := playedAs(t, Server{Work: "looking"}, root, "pull silent works on leaves")
	if err != nil {
		t.Fatal(err)
	}
	s.mostWork = patience
	path := put(t, root, "a.txt", "good\n")
	if _, err := s.Check(limited(t, patience), []File{{Path: path, Content: []byte("good\n")}}); err == nil || !strings.Contains(err.Error(), "code 6") {
		t.Errorf("%v", err)
	}
}

// Works are counted from their beginning to their end, and waiting callers are woken when none is
// left.
func TestWorkThatAServerTellsOf(t *testing.T) {
	var w works
	var none <-chan struct{}
	for _, step := range []struct {
		token, kind, title, open string
		woken                    bool
	}{
		{"1", "begin", "looking at files", "1", false},
		{`"a"`, "begin", "looking", `"a" 1`, false},
		{"2", "begin", "indexing", `"a" 1`, false},
		{"1", "report", "looking", `"a" 1`, false},
		{"3", "report", "looking", `"a" 1`, false},
		{"2", "end", "", `"a" 1`, false},
		{"1", "end", "", `"a"`, false},
		{"1", "end", "", `"a"`, false},
		{`"a"`, "end", "", "", true},
		{`"a"`, "end", "", "", true},
		{"4", "begin", "looking", "4", false},
	} {
		w.hear("looking", json.RawMessage(fmt.Sprintf(`{"token":%s,"value":{"kind":%q,"title":%q}}`, step.token, step.kind, step.title)))
		if _, now := w.state(); now != nil {
			none = now
		}
		woken := false
		select {
		case <-none:
			woken = true
		default:
		}
		if open := strings.Join(slices.Sorted(maps.Keys(w.open)), " "); open != step.open || woken != step.woken {
			t.Errorf("%+v: open is %s, woken %v", step, open, woken)
		}
	}
	w.hear("looking", json.RawMessage(`7`))
	w.hear("", json.RawMessage(`{"token":9,"value":{"kind":"begin","title":"looking"}}`))
	if begun, none := w.state(); begun != 3 || none == nil || len(w.open) != 1 {
		t.Errorf("%d works began: %v", begun, w.open)
	}
}

func TestWorksAreBounded(t *testing.T) {
	var w works
	for n := range mostWorks + 1 {
		w.hear("looking", json.RawMessage(fmt.Sprintf(`{"token":%d,"value":{"kind":"begin","title":"looking"}}`, n)))
	}
	if len(w.open) != mostWorks {
		t.Errorf("%d are known", len(w.open))
	}
}
