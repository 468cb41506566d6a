package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// conversed returns a session with content that no process uses.
func conversed(t *testing.T, all Store, texts ...string) string {
	t.Helper()
	session, err := all.Create(Header{Dir: "/work"})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		add(t, session, said(text))
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	return session.Header().ID
}

func listed(t *testing.T, all Store) []Info {
	t.Helper()
	found, err := all.List()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestANameIsForOneSession(t *testing.T) {
	all := storage(t)
	first, second := conversed(t, all, "one"), conversed(t, all, "two")
	before := listed(t, all)[1].Updated
	if err := all.Rename(first, "release", ""); err != nil {
		t.Fatal(err)
	}
	var taken *NameTakenError
	if err := all.Rename(second, "release", "x"); !errors.As(err, &taken) || taken.By != first {
		t.Errorf("a name that is taken: %v", err)
	}
	if err := all.Rename(first, "release", "The release"); err != nil {
		t.Errorf("its own name: %v", err)
	}
	found := listed(t, all)
	if found[0].ID != second || found[0].Title != "" || found[1].Name != "release" || found[1].DisplayName() != "The release" || !found[1].Updated.Equal(before) {
		t.Errorf("renaming one made the list %+v", found)
	}
	if got := spoken(t, all, second, 0); got != "two" {
		t.Errorf("the other one says %q", got)
	}
	open, err := all.Open(second)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	var busy *BusyError
	if err := all.Rename(second, "other", ""); !errors.As(err, &busy) {
		t.Errorf("one that a process is in: %v", err)
	}
}

func TestOnlyWhatIsNamedIsRemoved(t *testing.T) {
	all := storage(t)
	gone, stays, used := conversed(t, all, "secret words"), conversed(t, all, "b"), conversed(t, all, "c")
	listed(t, all)
	open, err := all.Open(used)
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "outside.jsonl")
	link := filepath.Join(filepath.Dir(open.path), "link.jsonl")
	if err := errors.Join(os.WriteFile(outside, []byte("mine\n"), 0o600), os.Symlink(outside, link)); err != nil {
		t.Fatal(err)
	}
	removed, err := all.Remove(gone, used, "none", "link", "../../x", "*")
	var busy *BusyError
	if len(removed) != 1 || removed[0] != gone || !errors.As(err, &busy) || !errors.Is(err, ErrNoSession) || !strings.Contains(err.Error(), "not one of Marvin's files") {
		t.Errorf("%q went, and %v", removed, err)
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "mine\n" {
		t.Errorf("a file outside: %q, %v", text, err)
	}
	add(t, open, said("d"))
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	if spoken(t, all, stays, 0) != "b" || spoken(t, all, used, 0) != "c d" || len(listed(t, all)) != 2 {
		t.Errorf("there are %+v", listed(t, all))
	}
	index, err := os.ReadFile(all.indexPath())
	if err != nil || strings.Contains(string(index), "secret words") {
		t.Errorf("the index still says what it began with: %s, %v", index, err)
	}
	left, err := filepath.Glob(filepath.Join(all.dir, "*", "*"+gone+"*"))
	if err != nil || len(left) != 0 {
		t.Errorf("%q is left", left)
	}
}

func TestRemovedSessionIsNotWritten(t *testing.T) {
	all := storage(t)
	id := conversed(t, all, "one")
	session, err := all.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if !isFileAt(session.file, session.path) {
		t.Error("it is there")
	}
	if err := os.Rename(session.path, session.path+"x"); err != nil {
		t.Fatal(err)
	}
	if isFileAt(session.file, session.path) {
		t.Error("it is gone")
	}
	if err := os.WriteFile(session.path, nil, 0o600); err != nil || isFileAt(session.file, session.path) {
		t.Errorf("another one replaced it: %v", err)
	}
}

func TestCheckSaysWhatIsLost(t *testing.T) {
	for name, change := range map[string]struct {
		from, to string
		problems []string
		steps    int
		goesOn   int
	}{
		"whole":     {"", "", nil, 4, 2},
		"torn":      {`{"id":4,`, `{"id":4,` + "\n" + `{"id":4,`, []string{"line 5 cannot be read"}, 4, 2},
		"garbage":   {`{"id":1,`, "\x00\x00", []string{"line 2 cannot be read", "step 2 (line 3) follows step 1, which is lost", "step 3 (line 4) follows step 1, which is lost", "step 4 (line 5) follows step 1, which is lost", "begins at step 4"}, 3, 1},
		"cut":       {`"body":"d"}` + "\n", `"bo`, []string{"line 5 is incomplete: its step is lost"}, 3, 1},
		"number":    {`{"id":4,`, `{"id":2,`, []string{"line 5 is step 2, but follows step 3"}, 3, 1},
		"elsewhere": {`{"id":2,`, "", []string{"line 3 cannot be read"}, 3, 2},
		"header":    {`{"marvin_session":1`, `{"marvin_session":2`, []string{"(it has format 2); update Marvin"}, 0, 0},
		"nonsense":  {`{"marvin_session"`, `hello`, []string{"its first line cannot be read"}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			all := storage(t)
			session, err := all.Create(Header{})
			if err != nil {
				t.Fatal(err)
			}
			add(t, session, said("a"), said("b"))
			add(t, session, Entry{Kind: LeafEntry, Parent: 1}, said("d"))
			if err := session.Close(); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(session.path)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(text), change.from, change.to, 1)
			if name != "whole" && changed == string(text) {
				t.Fatalf("nothing changed in %s", text)
			}
			if err := os.WriteFile(session.path, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			found := all.Check()
			if len(found) != 1 || found[0].Steps != change.steps || found[0].GoesOn != change.goesOn || len(found[0].Problems) != len(change.problems) {
				t.Fatalf("%+v", found)
			}
			for i, want := range change.problems {
				if !strings.Contains(found[0].Problems[i], want) {
					t.Errorf("%q, not %q", found[0].Problems[i], want)
				}
			}
			if after, err := os.ReadFile(session.path); err != nil || string(after) != changed {
				t.Errorf("it changed the file: %v", err)
			}
		})
	}
}
