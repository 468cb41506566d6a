package actors

import "time"

// leastWait keeps the clock from running by itself.
const leastWait = 10 * time.Millisecond

// allowance is the time that a call or a turn spent waiting for a person.
type allowance struct {
	waited time.Duration
	since  time.Time // it waits now; zero if not
}

// count notes whether the user is being asked.
func (a *allowance) count(asked bool, now func() time.Time) {
	switch {
	case asked && a.since.IsZero():
		a.since = now()
	case !asked && !a.since.IsZero():
		a.waited += now().Sub(a.since)
		a.since = time.Time{}
	}
}

// soFar is how long it waited.
func (a *allowance) soFar(now time.Time) time.Duration {
	if a.since.IsZero() {
		return a.waited
	}
	return a.waited + now.Sub(a.since)
}
