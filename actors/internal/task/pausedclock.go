package task

import (
	"time"
)

// MinWait is the minimum delay of a restarted timer, to prevent a busy loop.
const MinWait = 10 * time.Millisecond

// PausedClock counts the time that a call or a turn spent waiting for the user.
type PausedClock struct {
	Waited time.Duration
	since  time.Time // the start of the current wait, or zero
}

// Count starts the clock if the user is being asked, and stops it otherwise.
func (a *PausedClock) Count(asked bool, now func() time.Time) {
	switch {
	case asked && a.since.IsZero():
		a.since = now()
	case !asked && !a.since.IsZero():
		a.Waited += now().Sub(a.since)
		a.since = time.Time{}
	}
}

// SoFar returns the total waiting time.
func (a *PausedClock) SoFar(now time.Time) time.Duration {
	if a.since.IsZero() {
		return a.Waited
	}
	return a.Waited + now.Sub(a.since)
}
