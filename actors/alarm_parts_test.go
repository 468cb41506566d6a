package actors

import (
	"errors"
	"slices"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
)

// Alarms that nobody heard of stay, and behind a silence nothing rings any more.
func TestWhatAnAlarmClockDoes(t *testing.T) {
	due := []string{"tea"}
	for name, test := range map[string]struct {
		clock alarmClock
		came  rang
		said  []string
		keeps []string
	}{
		"it rang":            {clock: alarmClock{listening: true}, came: rang{lines: due}, said: []string{`rung ["tea"] true`}, keeps: due},
		"rang with trouble":  {clock: alarmClock{listening: true}, came: rang{lines: due, err: errors.New("no")}, said: []string{`rung ["tea"] true`}, keeps: due},
		"trouble":            {clock: alarmClock{listening: true}, came: rang{err: errors.New("no disk")}, said: []string{`rung ["Alarms: no disk"] false`}},
		"it is to be silent": {clock: alarmClock{listening: true, closing: &actor.PID{}}, came: rang{lines: due}, said: []string{"closer silent"}},
	} {
		w := newTeller(t)
		closer := w.hears("closer")
		if test.clock.closing != nil {
			test.clock.closing = closer
		}
		said := w.during(func(c actor.Context) { test.clock.rang(c, test.came) }, closer)
		if !slices.Equal(said, test.said) || !slices.Equal(test.clock.untold, test.keeps) || test.clock.listening {
			t.Errorf("%s: said %q, keeps %q, listens %v", name, said, test.clock.untold, test.clock.listening)
		}
	}
	w := newTeller(t)
	closer := w.hears("closer")
	clock := alarmClock{listening: true, closing: closer}
	if said := w.during(clock.hush, closer); said != nil {
		t.Errorf("while it rings it says %q", said)
	}
}
