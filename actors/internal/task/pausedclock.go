package task

import (
	"time"
)

// MinWait keeps the clock from running by itself.
const MinWait = 10 * time.Millisecond

// PausedClock is the time that a call or a turn spent waiting for a person.
type PausedClock struct {
	Waited time.Duration
	since  time.Time // it waits now; zero if not
}

// Count notes whether the user is being asked.
func (a *PausedClock) Count(asked bool, now func() time.Time) {
	switch {
	case asked && a.since.IsZero():
		a.since = now()
	case !asked && !a.since.IsZero():
		a.Waited += now().Sub(a.since)
		a.since = time.Time{}
	}
}

// SoFar is how long it waited.
func (a *PausedClock) SoFar(now time.Time) time.Duration {
	if a.since.IsZero() {
		return a.Waited
	}
	return a.Waited + now.Sub(a.since)
}
