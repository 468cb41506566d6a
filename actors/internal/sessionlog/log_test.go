package sessionlog

import (
	"sync"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
)

// A conversation is cleared while what was said before is being written: the next log
// begins in the same place, and is another one. The race detector looks on.
func TestTheNextLogBeginsWhileThisOneIsWritten(t *testing.T) {
	sessions := persistence.Open(t.TempDir(), time.Now).Sessions()
	log := New(sessions, persistence.SessionHeader{Dir: "/work", Profile: "alex"}, "first", time.Now)
	hide := func(text string) string { return text }
	var both sync.WaitGroup
	var next *Log
	both.Go(func() {
		if err := log.Add(false, hide, Began("t1", messages.Message{Role: messages.User, Text: "one"}, State{Model: "m"})); err != nil {
			t.Error(err)
		}
	})
	both.Go(func() { next = log.Next() })
	both.Wait()
	if err := next.Add(false, hide, Began("t1", messages.Message{Role: messages.User, Text: "two"}, State{Model: "m"})); err != nil {
		t.Fatal(err)
	}
	for name, one := range map[string]*Log{"first": log, "": next} {
		if err := one.Close(); err != nil {
			t.Fatal(err)
		}
		info := one.session.Info()
		if info.Name != name || info.Dir != "/work" || info.Profile != "alex" || info.ID != one.ID() || info.Turns != 0 {
			t.Errorf("%q: %+v", name, info)
		}
	}
	if log.ID() == next.ID() {
		t.Errorf("both are %s", log.ID())
	}
}
