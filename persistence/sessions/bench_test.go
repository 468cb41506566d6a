package sessions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

// stocked creates a number of sessions for one directory, in memory so that this takes no time. It
// writes the files as [Store.Create] and [Session.Append] do.
func stocked(tb testing.TB, count int, texts ...string) Store {
	tb.Helper()
	root, err := os.MkdirTemp("/dev/shm", "sessions")
	if err != nil {
		root = tb.TempDir()
	}
	tb.Cleanup(func() { os.RemoveAll(root) })
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	all := New(store.Open(root, func() time.Time { at = at.Add(time.Second); return at }))
	for n := range count {
		session, err := all.Create(Header{Dir: fmt.Sprint("/work/project", n%50)})
		if err != nil {
			tb.Fatal(err)
		}
		for i, text := range texts {
			add(tb, session, said(fmt.Sprint(text, " ", n, ".", i)))
		}
		if err := session.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return all
}

// The benchmark measures a list with an index, and a list that has to read each file.
func BenchmarkSessionList(b *testing.B) {
	all := stocked(b, 10_000, "what changed?", "and the tests?")
	if _, err := all.List(); err != nil {
		b.Fatal(err)
	}
	b.Run("10000", func(b *testing.B) {
		for b.Loop() {
			if list, err := all.List(); err != nil || len(list) != 10_000 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("200 of 10000", func(b *testing.B) {
		for b.Loop() {
			if list, err := all.ListOf("/work/project7"); err != nil || len(list) != 200 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("10000 without an index", func(b *testing.B) {
		for b.Loop() {
			if err := store.RemoveIfThere(all.indexPath()); err != nil {
				b.Fatal(err)
			}
			if list, err := all.List(); err != nil || len(list) != 10_000 {
				b.Fatal(len(list), err)
			}
		}
	})
}

// A session of 200 MB is opened, read back to its last compaction, which may take 150 ms, and then
// to its beginning.
func BenchmarkSessionLong(b *testing.B) {
	all := stocked(b, 1)
	list, err := all.List()
	if err != nil {
		b.Fatal(err)
	}
	session, err := all.Open(list[0].ID)
	if err != nil {
		b.Fatal(err)
	}
	body, err := json.Marshal(strings.Repeat("a word ", 14_000)) // 100 KB
	if err != nil {
		b.Fatal(err)
	}
	for n := range 2_000 {
		kind := "step"
		if n == 1_990 {
			kind = "compaction"
		}
		add(b, session, Entry{Kind: kind, Body: body, About: &About{Turns: 1}})
	}
	if err := session.Close(); err != nil {
		b.Fatal(err)
	}
	for name, enough := range map[string]func(Entry) bool{"compacted": func(entry Entry) bool { return entry.Kind == "compaction" }, "whole": nil} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				open, err := all.Open(list[0].ID)
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := all.Branch(list[0].ID, open.Leaf(), enough); err != nil {
					b.Fatal(err)
				}
				if err := open.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// branched returns a session that was rewound to its beginning this many times.
func branched(tb testing.TB, count int) (Store, string) {
	tb.Helper()
	all := stocked(tb, 1)
	list, err := all.List()
	if err != nil {
		tb.Fatal(err)
	}
	session, err := all.Open(list[0].ID)
	if err != nil {
		tb.Fatal(err)
	}
	add(tb, session, said("first"))
	for n := range count {
		add(tb, session, Entry{Kind: LeafEntry, Parent: 1}, said(fmt.Sprint("branch ", n)), said("more"))
	}
	if err := session.Close(); err != nil {
		tb.Fatal(err)
	}
	return all, list[0].ID
}

func BenchmarkSessionBranches(b *testing.B) {
	all, id := branched(b, 10_000)
	for b.Loop() {
		if _, entries, err := all.Branch(id, 0, nil); err != nil || len(entries) != 3 {
			b.Fatal(len(entries), err)
		}
	}
}

// A file with ten thousand branches keeps each of them. Reading one branch decodes no line of the
// others.
func TestManyBranchesInOneFile(t *testing.T) {
	all, id := branched(t, 10_000)
	if got := spoken(t, all, id, 0); got != "first branch 9999 more" {
		t.Errorf("it is %q", got)
	}
	for leaf, want := range map[int64]string{1: "first", 4: "first branch 0 more", 15_001: "first branch 4999 more"} {
		if got := spoken(t, all, id, leaf); got != want {
			t.Errorf("to %d it is %q, not %q", leaf, got, want)
		}
	}
	if found := all.Check(); len(found) != 1 || len(found[0].Problems) != 0 || found[0].Steps != 30_001 || found[0].GoesOn != 3 {
		t.Errorf("%+v", found)
	}
}

// A scan decodes only the requested entries, newest first, and stops when it is told to.
func TestScanGoesBackAndStops(t *testing.T) {
	all := stocked(t, 1, "alpha", "beta", "gamma", "beta")
	list, err := all.List()
	if err != nil {
		t.Fatal(err)
	}
	scan := func(word string, most int) (found []int64) {
		err := all.Scan(list[0], func(line []byte) bool { return bytes.Contains(line, []byte(word)) }, func(entry Entry) bool {
			found = append(found, entry.ID)
			return len(found) < most
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if got := fmt.Sprint(scan("beta", 9), scan("beta", 1), scan("zeta", 9), scan("marvin_session", 9)); got != "[4 2] [4] [] []" {
		t.Errorf("found %s", got)
	}
	gone := list[0]
	gone.Path = filepath.Join(t.TempDir(), "gone.jsonl")
	if err := all.Scan(gone, func([]byte) bool { return true }, func(Entry) bool { return true }); err != nil {
		t.Errorf("one that is gone: %v", err)
	}
}
