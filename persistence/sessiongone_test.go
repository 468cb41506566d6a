package persistence

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestArtifactsGoWithTheirConversation(t *testing.T) {
	home := Open(t.TempDir(), now)
	session, err := home.Sessions().Create(SessionHeader{Dir: "/p"})
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	id := session.Header().ID
	dir := home.Artifacts(id)
	if _, err := dir.Put(Artifact{}, []byte("a\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := home.Sessions().Remove(id); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir.Dir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestWhatFilesHeldGoesWithItsConversation(t *testing.T) {
	home := Open(t.TempDir(), now)
	session, err := home.Sessions().Create(SessionHeader{Dir: "/p"})
	if err != nil {
		t.Fatal(err)
	}
	id := session.Header().ID
	changed(t, home.Undo(id), []byte("before"))
	changed(t, home.Undo("another"), []byte("before"))
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := home.Sessions().Remove(id); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(home.Data, "undo"))
	if err != nil || len(left) != 1 || left[0].Name() != "another" {
		t.Errorf("%v are left, %v", left, err)
	}
}

// A copy of a conversation can take back what was done until then, and not what the other
// one did later; what the other one took back since is known to be.
func TestACopyTakesBackWhatWasDoneUntilThen(t *testing.T) {
	at := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	home := Open(t.TempDir(), func() time.Time { at = at.Add(time.Second); return at })
	session, err := home.Sessions().Create(SessionHeader{Dir: "/p"})
	if err != nil {
		t.Fatal(err)
	}
	journal := home.Undo(session.info.ID)
	first := changed(t, journal, []byte("one"))
	second := changed(t, journal, []byte("two"))
	add(t, session, said("both are written"))
	late := changed(t, journal, []byte("three"))
	if err := journal.Add([]UndoRecord{{Kind: UndoTaken, Of: []int64{second.ID}}, {Kind: UndoTaken, Of: []int64{late.ID}}}, make([][]byte, 2)); err != nil {
		t.Fatal(err)
	}
	id, err := home.Sessions().Fork(session.info.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	records, err := home.Undo(id).Records()
	if err != nil || len(records) != 3 || records[0].ID != first.ID || records[1].ID != second.ID || records[2].Kind != UndoTaken || records[2].Of[0] != second.ID {
		t.Fatalf("%+v, %v", records, err)
	}
	if _, err := home.Sessions().Remove(session.info.ID); err == nil {
		t.Error("one in use was removed")
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := home.Sessions().Remove(session.info.ID); err != nil {
		t.Fatal(err)
	}
	if content, err := home.Undo(id).Content(first.Before); err != nil || string(content) != "one" {
		t.Errorf("without the other one it is %q, %v", content, err)
	}
	if added := changed(t, home.Undo(id), []byte("four")); added.ID <= records[2].ID {
		t.Errorf("the next one is %d", added.ID)
	}
}

// changed notes a change of a file.
func changed(t *testing.T, u *Undo, content []byte) UndoRecord {
	t.Helper()
	records := []UndoRecord{{Kind: UndoWrite, Turn: "t1", Dir: "/p", Name: "a"}}
	if err := u.Add(records, [][]byte{content}); err != nil {
		t.Fatal(err)
	}
	return records[0]
}
