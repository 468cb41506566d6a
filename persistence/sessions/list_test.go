package sessions

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

// histories is a store in which random events happen.
type histories struct {
	*testing.T
	all     Store
	random  *rand.Rand
	at      time.Time // of the clock, which may be put back
	ids     []string
	damaged int // files whose first line cannot be read
}

// The list is equal to a description computed from all lines of all files, whatever happened to the
// files, the index and the clock.
func TestTheListIsWhatTheFilesSay(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	h := &histories{T: t, random: rand.New(rand.NewPCG(seed, 1)), at: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
	h.all = New(store.Open(t.TempDir(), func() time.Time { h.at = h.at.Add(time.Second); return h.at }))
	for range 160 {
		h.happens()
		h.compare()
		if t.Failed() {
			return
		}
	}
}

func (h *histories) must(err error) {
	h.Helper()
	if err != nil && !os.IsNotExist(err) {
		h.Fatal(err)
	}
}

func (h *histories) any() int { return h.random.IntN(len(h.ids)) }

// happens makes one random event happen.
func (h *histories) happens() {
	h.Helper()
	n := h.random.IntN(15)
	switch {
	case n < 4 || len(h.ids) == 0:
		session, err := h.all.Create(Header{Dir: fmt.Sprint("/dir", h.random.IntN(3))})
		h.must(err)
		h.ids = append(h.ids, session.Header().ID)
		h.leave(session)
	case n < 7:
		session, err := h.all.Open(h.ids[h.any()])
		h.must(err)
		h.leave(session)
	case n == 7:
		h.must(os.Remove(h.all.indexPath()))
	case n == 8:
		at := h.any()
		path, err := h.all.path(h.ids[at])
		h.must(err)
		h.must(os.Remove(path))
		h.ids = slices.Delete(h.ids, at, at+1)
	case n == 9:
		h.must(store.AppendTo(h.all.indexPath(), []byte("{\"id\":\"broken\n\x00\n")))
	case n == 10: // the clock goes back or advances
		h.at = h.at.Add(time.Duration(h.random.IntN(3)-1) * time.Hour)
	case n == 11:
		id, err := h.all.Fork(h.ids[h.any()], 0)
		h.must(err)
		h.ids = append(h.ids, id)
	case n == 12: // the first line is damaged: it is named, and hides nothing else
		at := h.any()
		path, err := h.all.path(h.ids[at])
		h.must(err)
		text, err := os.ReadFile(path)
		h.must(err)
		h.must(os.WriteFile(path, append([]byte("{\x00"), text...), 0o600))
		h.ids, h.damaged = slices.Delete(h.ids, at, at+1), h.damaged+1
	case n == 13: // the list is read while another process writes a line
		path, err := h.all.path(h.ids[h.any()])
		h.must(err)
		text, err := os.ReadFile(path)
		h.must(err)
		half := len(text) - (len(text)-bytes.LastIndexByte(text[:len(text)-1], '\n'))/2
		if half < bytes.IndexByte(text, '\n') {
			return // it has only its first line
		}
		h.must(os.WriteFile(path, text[:half], 0o600))
		h.compare()
		h.must(store.AppendTo(path, text[half:]))
	default:
		path, err := h.all.path(h.ids[h.any()])
		h.must(err)
		h.must(store.AppendTo(path, []byte("\x00\x00{\"id\":1,\n")))
	}
}

// leave adds an entry and then closes the session, or ends like a crash.
func (h *histories) leave(session *Session) {
	h.Helper()
	for range h.random.IntN(4) {
		text := fmt.Sprint("s", h.random.IntN(1000))
		switch h.random.IntN(6) {
		case 0: // a command that says nothing to a model, which may be the first of all
			add(h, session, Entry{Kind: "note", Body: []byte(`"/doctor"`)})
		case 1:
			add(h, session, Entry{Kind: TitleEntry, About: &About{Title: text}, Body: []byte("{}")})
		case 2: // goes back to the beginning
			add(h, session, Entry{Kind: LeafEntry, Parent: min(1, session.Leaf())})
		case 3: // is summed up: only this is left of it
			add(h, session, Entry{Kind: "compaction", Body: []byte(`{"messages":[]}`), About: &About{Cost: 0.25}})
		default:
			add(h, session, said(text))
		}
	}
	if h.random.IntN(3) == 0 {
		h.must(errors.Join(session.file.Close(), session.lock.Close()))
		return
	}
	h.must(session.Close())
}

// compare compares the list, and the list of each directory, with the files.
func (h *histories) compare() {
	h.Helper()
	list, err := h.all.List()
	h.damage(err)
	var want []Info
	for _, id := range h.ids {
		path, err := h.all.path(id)
		h.must(err)
		want = append(want, h.scan(path))
	}
	slices.SortFunc(want, func(a, b Info) int { return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(b.ID, a.ID)) })
	h.same("all", list, want)
	for n := range 3 {
		dir := fmt.Sprint("/dir", n)
		list, _ := h.all.ListOf(dir) // damaged ones were reported
		h.same(dir, list, slices.DeleteFunc(slices.Clone(want), func(info Info) bool { return info.Dir != dir }))
	}
}

// damage compares the reported damaged files with the real ones.
func (h *histories) damage(err error) {
	h.Helper()
	told := 0
	if err != nil {
		told = strings.Count(err.Error(), ErrDamagedSession.Error())
	}
	if told != h.damaged {
		h.Errorf("%d of %d damaged ones are told: %v", told, h.damaged, err)
	}
}

func (h *histories) same(what string, got, want []Info) {
	h.Helper()
	if !slices.EqualFunc(got, want, func(a, b Info) bool {
		return a.ID == b.ID && a.DisplayName() == b.DisplayName() && a.Turns == b.Turns && a.Cost == b.Cost && a.ForkedFrom() == b.ForkedFrom() && a.Updated.Equal(b.Updated)
	}) {
		h.Errorf("of %s the list is\n%+v\nthe files say\n%+v", what, got, want)
	}
}

// scan computes the description of a session from its file alone.
func (h *histories) scan(path string) (info Info) {
	h.Helper()
	file, err := os.Open(path)
	h.must(err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Scan()
	if err := json.Unmarshal(lines.Bytes(), &info.Header); err != nil {
		h.Fatalf("%s: %v", filepath.Base(path), err)
	}
	for info.Updated = info.Created; lines.Scan(); {
		var entry Entry
		if json.Unmarshal(lines.Bytes(), &entry) != nil {
			continue
		}
		if entry.Kind != TitleEntry {
			info.Updated = entry.At
		}
		if about := entry.About; about != nil {
			info.Title, info.First = cmp.Or(about.Title, info.Title), cmp.Or(info.First, about.First)
			info.Turns, info.Cost = info.Turns+about.Turns, info.Cost+about.Cost
		}
	}
	return info
}

// A file that ends in the middle of a line does not make each list write the index again.
func TestAnIncompleteLineIsNotIndexedAgain(t *testing.T) {
	all := storage(t)
	session, err := all.Create(Header{Dir: "/d"})
	if err != nil {
		t.Fatal(err)
	}
	add(t, session, said("one"))
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if err := store.AppendTo(session.path, []byte(`{"id":3,"parent":2,"kind":"st`)); err != nil {
		t.Fatal(err)
	}
	var before os.FileInfo
	for n := range 3 {
		list, err := all.List()
		if err != nil || len(list) != 1 || list[0].Turns != 1 {
			t.Fatal(list, err)
		}
		now, err := os.Stat(all.indexPath())
		if err != nil {
			t.Fatal(err)
		}
		if n == 2 && !os.SameFile(before, now) {
			t.Error("the index was written again")
		}
		before = now
	}
}
