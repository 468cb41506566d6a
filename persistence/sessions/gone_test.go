package sessions

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"marvin/persistence/artifacts"
	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/undolog"
)

func TestArtifactsGoWithTheirConversation(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	session, err := New(home).Create(Header{Dir: "/p"})
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	id := session.Header().ID
	dir := artifacts.New(home, id)
	if _, err := dir.Put(artifacts.Artifact{}, []byte("a\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := New(home).Remove(id); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir.Dir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestSavedContentIsRemovedWithSession(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	session, err := New(home).Create(Header{Dir: "/p"})
	if err != nil {
		t.Fatal(err)
	}
	id := session.Header().ID
	changed(t, undolog.Of(home, id), []byte("before"))
	changed(t, undolog.Of(home, "another"), []byte("before"))
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := New(home).Remove(id); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(home.Data, "undo"))
	if err != nil || len(left) != 1 || left[0].Name() != "another" {
		t.Errorf("%v are left, %v", left, err)
	}
}

// A copy of a conversation can undo the changes up to the time of the copy, and no later changes of
// the original. It knows what the original has undone since.
func TestACopyTakesBackWhatWasDoneUntilThen(t *testing.T) {
	at := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	home := store.Open(t.TempDir(), func() time.Time { at = at.Add(time.Second); return at })
	session, err := New(home).Create(Header{Dir: "/p"})
	if err != nil {
		t.Fatal(err)
	}
	journal := undolog.Of(home, session.info.ID)
	first := changed(t, journal, []byte("one"))
	second := changed(t, journal, []byte("two"))
	add(t, session, said("both are written"))
	late := changed(t, journal, []byte("three"))
	if err := journal.Add([]undolog.Record{{Kind: undolog.KindUndo, Of: []int64{second.ID}}, {Kind: undolog.KindUndo, Of: []int64{late.ID}}}, make([][]byte, 2)); err != nil {
		t.Fatal(err)
	}
	id, err := New(home).Fork(session.info.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	records, err := undolog.Of(home, id).Records()
	if err != nil || len(records) != 3 || records[0].ID != first.ID || records[1].ID != second.ID || records[2].Kind != undolog.KindUndo || records[2].Of[0] != second.ID {
		t.Fatalf("%+v, %v", records, err)
	}
	if _, err := New(home).Remove(session.info.ID); err == nil {
		t.Error("one in use was removed")
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := New(home).Remove(session.info.ID); err != nil {
		t.Fatal(err)
	}
	if content, err := undolog.Of(home, id).Content(first.Before); err != nil || string(content) != "one" {
		t.Errorf("without the other one it is %q, %v", content, err)
	}
	if added := changed(t, undolog.Of(home, id), []byte("four")); added.ID <= records[2].ID {
		t.Errorf("the next one is %d", added.ID)
	}
}

// changed records a change of a file.
func changed(t *testing.T, u *undolog.Journal, content []byte) undolog.Record {
	t.Helper()
	records := []undolog.Record{{Kind: undolog.Write, Turn: "t1", Dir: "/p", Name: "a"}}
	if err := u.Add(records, [][]byte{content}); err != nil {
		t.Fatal(err)
	}
	return records[0]
}
