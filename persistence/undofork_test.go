package persistence

import (
	"testing"
	"time"
)

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
	first := kept(t, journal, []byte("one"))
	second := kept(t, journal, []byte("two"))
	add(t, session, said("both are written"))
	late := kept(t, journal, []byte("three"))
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
	if added := kept(t, home.Undo(id), []byte("four")); added.ID <= records[2].ID {
		t.Errorf("the next one is %d", added.ID)
	}
}
