package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

// storage returns a store of sessions with a running clock.
func storage(t testing.TB) Store {
	t.Helper()
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	return New(store.Open(t.TempDir(), func() time.Time { at = at.Add(time.Second); return at }))
}

func said(text string) Entry {
	body, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return Entry{Kind: "step", Body: body, About: &About{First: text, Turns: 1, Cost: 0.25}}
}

func add(t testing.TB, s *Session, entries ...Entry) {
	t.Helper()
	if err := s.Append(false, entries...); err != nil {
		t.Fatal(err)
	}
}

// spoken returns the bodies of the entries of a branch.
func spoken(t testing.TB, s Store, id string, leaf int64) string {
	t.Helper()
	_, branch, err := s.Branch(id, leaf, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range branch {
		var text string
		if err := json.Unmarshal(entry.Body, &text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func TestSessionResumesWhereItStopped(t *testing.T) {
	all := storage(t)
	first, err := all.Create(Header{Dir: "/work/house"})
	if err != nil {
		t.Fatal(err)
	}
	id := first.Header().ID
	add(t, first, said("one"), said("two"))
	var busy *BusyError
	if _, err := all.Open(id); !errors.As(err, &busy) || busy.PID != os.Getpid() {
		t.Errorf("a second one is told %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := all.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	add(t, again, said("three"))
	if got := spoken(t, all, id, 0); got != "one two three" || again.Leaf() != 3 {
		t.Errorf("it is %q, leaf %d", got, again.Leaf())
	}
	if info := again.Info(); info.Turns != 3 || info.Cost != 0.75 || info.First != "one" {
		t.Errorf("it is told to be %+v", info)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if err := again.Append(false, said("late")); err == nil {
		t.Error("a session that was closed takes more")
	}
}

func TestABranchLeavesTheOldPathWhole(t *testing.T) {
	all := storage(t)
	session, err := all.Create(Header{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	add(t, session, said("a"), said("b"), said("c"))
	add(t, session, Entry{Kind: LeafEntry, Parent: 1}, said("x"), said("y"))
	id := session.Header().ID
	if now, before := spoken(t, all, id, 0), spoken(t, all, id, 3); now != "a x y" || before != "a b c" {
		t.Errorf("now %q, before %q", now, before)
	}
	add(t, session, Entry{Kind: LeafEntry})
	if now := spoken(t, all, id, 0); now != "" || session.Leaf() != 0 {
		t.Errorf("rewound to the beginning it is %q", now)
	}
	add(t, session, said("anew"))
	if now := spoken(t, all, id, 0); now != "anew" {
		t.Errorf("from the beginning it is %q", now)
	}
	_, branch, err := all.Branch(id, 3, func(entry Entry) bool { return entry.ID == 2 })
	if err != nil || len(branch) != 2 || branch[0].ID != 2 {
		t.Errorf("up to the second: %+v, %v", branch, err)
	}
	if _, _, err := all.Branch(id, 99, nil); !errors.Is(err, errNoEntry) {
		t.Errorf("an entry that is not there: %v", err)
	}
	if leaf, last := session.LastIDs(); leaf != session.leaf || last != session.last {
		t.Errorf("it ends at %d and %d", leaf, last)
	}
}

// A crash can leave a partial line, and a power cut NUL bytes. Complete entries stay.
func TestTornTailLosesOnlyItself(t *testing.T) {
	for name, torn := range map[string]string{
		"half a line": `{"id":3,"parent":2,"kind":"st`, "nuls": strings.Repeat("\x00", 4096), "nonsense": "\xff\xfe{}", "no id": `{"kind":"step"}`, "whole": "",
	} {
		t.Run(name, func(t *testing.T) {
			all := storage(t)
			session, err := all.Create(Header{Dir: "/d"})
			if err != nil {
				t.Fatal(err)
			}
			id := session.Header().ID
			add(t, session, said("one"), said("two"))
			if err := session.Close(); err != nil {
				t.Fatal(err)
			}
			if err := store.AppendTo(session.path, []byte(torn)); err != nil {
				t.Fatal(err)
			}
			again, err := all.Open(id)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			add(t, again, said("three"))
			if got := spoken(t, all, id, 0); got != "one two three" {
				t.Errorf("it is %q", got)
			}
			data, err := os.ReadFile(session.path)
			if err != nil || !strings.Contains(string(data), torn) {
				t.Errorf("what was torn is gone: %v", err)
			}
		})
	}
}

func TestTornLineEndsBeforeNextRecord(t *testing.T) {
	all := storage(t)
	session, err := all.Create(Header{Dir: "/d"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	add(t, session, said("one"))
	const half, foreign = `{"id":2,"par`, `{"of an older`
	if err := store.AppendTo(session.path, []byte(half+foreign)); err != nil {
		t.Fatal(err)
	}
	if err := session.takeBack([]byte(half)); err == nil {
		t.Error("what another user wrote was taken back")
	}
	session.torn = true
	add(t, session, said("two"))
	if got := spoken(t, all, session.Header().ID, 0); got != "one two" {
		t.Errorf("it is %q", got)
	}
	if data, err := os.ReadFile(session.path); err != nil || !strings.Contains(string(data), half+foreign+"\n") {
		t.Errorf("the file is %q, %v", data, err)
	}
}

func TestFileThatIsNoSessionIsNamed(t *testing.T) {
	all := storage(t)
	for _, id := range []string{"", "..", "../x", "none", "*", "a/b"} {
		if _, err := all.Open(id); !errors.Is(err, ErrNoSession) {
			t.Errorf("%q: %v", id, err)
		}
	}
	good, err := all.Create(Header{})
	if err != nil {
		t.Fatal(err)
	}
	defer good.Close()
	for name, header := range map[string]string{"garbage": "hello\n", "empty": "", "long": strings.Repeat("x", 20_000), "newer": `{"marvin_session":9,"id":"newer"}` + "\n"} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(good.path), name+".jsonl"), []byte(header), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := all.Open(name); !errors.Is(err, ErrDamagedSession) {
			t.Errorf("%s: %v", name, err)
		}
	}
	list, err := all.List()
	if len(list) != 1 || list[0].ID != good.Header().ID || strings.Count(err.Error(), ErrDamagedSession.Error()) != 4 {
		t.Errorf("%d are listed, and %v", len(list), err)
	}
}

// Each process uses its own session, and no entry is lost.
func TestManyProcessesKeepTheirOwnSessions(t *testing.T) {
	if home := os.Getenv("SESSION_HOME"); home != "" {
		all := New(store.Open(home, time.Now))
		session, err := all.Create(Header{Dir: "/d"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			add(t, session, said(fmt.Sprint(i)))
			if err := session.AddToIndex(); err != nil {
				t.Fatal(err)
			}
		}
		if err := session.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	home := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const many = 64
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			command := exec.Command(program, "-test.run", "^"+t.Name()+"$")
			command.Env = append(os.Environ(), "SESSION_HOME="+home)
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	list, err := New(store.Open(home, time.Now)).List()
	if err != nil || len(list) != many {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	for _, info := range list {
		if info.Turns != 20 {
			t.Errorf("%s has %d turns", info.ID, info.Turns)
		}
	}
}

func TestLongLinesAreReadBackwards(t *testing.T) {
	all := storage(t)
	session, err := all.Create(Header{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	long := strings.Repeat("ü", 700_000)
	add(t, session, said("short"), said(long), said(strings.Repeat("x", readChunk-100)), said("end"))
	if got := spoken(t, all, session.Header().ID, 0); got != "short "+long+" "+strings.Repeat("x", readChunk-100)+" end" {
		t.Errorf("%d bytes came back", len(got))
	}
}
