package sessionlog

import (
	"errors"
	"sync"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
)

// A conversation is cleared while earlier records are being written: the next log begins in the
// same place and is a separate one. The race detector checks it.
func TestTheNextLogBeginsWhileThisOneIsWritten(t *testing.T) {
	store := sessions.New(persistence.Open(t.TempDir(), time.Now))
	log := New(store, sessions.Header{Dir: "/work", Profile: "alex"}, "first", time.Now)
	hide := func(text string) string { return text }
	var both sync.WaitGroup
	var next *Log
	both.Go(func() {
		if err := log.Add(false, hide, BeginRecord("t1", messages.Message{Role: messages.User, Text: "one"}, State{Model: "m"})); err != nil {
			t.Error(err)
		}
	})
	both.Go(func() { next = log.Next() })
	both.Wait()
	if err := next.Add(false, hide, BeginRecord("t1", messages.Message{Role: messages.User, Text: "two"}, State{Model: "m"})); err != nil {
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

func TestACopyKeepsItsLabels(t *testing.T) {
	home := persistence.Open(t.TempDir(), time.Now)
	log := New(sessions.New(home), sessions.Header{Dir: "/p"}, "", time.Now)
	same := func(text string) string { return text }
	add := func(records ...Record) {
		t.Helper()
		if err := log.Add(false, same, records...); err != nil {
			t.Fatal(err)
		}
	}
	turn := func(name string) {
		add(BeginRecord(name, messages.Message{Role: messages.User, Text: "prompt " + name}, State{}), EndRecord(Step{Turn: name, Offset: 1, Outcome: messages.Completed}, 0))
	}
	turn("t1")
	turn("t2")
	if _, err := log.GoTo(2); err != nil {
		t.Fatal(err)
	}
	turn("t3")
	id, entry := log.Place()
	turn("t4")
	for back, want := range map[int]string{1: "prompt t4", 2: "prompt t3", 3: "prompt t1"} {
		if at, prompt, err := log.FindPrompt(back); err != nil || prompt.Text != want || at > 0 != (back < 3) {
			t.Errorf("before %d prompts: %d, %q, %v", back, at, prompt.Text, err)
		}
	}
	if _, _, err := log.FindPrompt(4); !errors.Is(err, ErrNoPrompt) {
		t.Errorf("before the first: %v", err)
	}
	add(LabelRecord(entry, "here"))
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	copied, err := sessions.New(home).Fork(id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]int{id: 4, copied: 3} {
		tree, err := Tree(sessions.New(home), id, -1)
		if err != nil || len(tree.Turns) != want {
			t.Fatalf("%+v, %v", tree, err)
		}
		for _, turn := range tree.Turns {
			if (turn.Label == "here") != (turn.Prompt == "prompt t3") || turn.Current != (turn.Prompt != "prompt t2") {
				t.Errorf("in %s: %+v", id, turn)
			}
		}
	}
}
