// Package callorder gives the calls of one reply the effect of running in order, while independent calls
// run concurrently.
//
// Every call joins the line in the order of the reply, with the places it uses, before any question
// and before it waits for a slot. It waits for earlier calls with a common place. It leaves however
// it ends, so a failed or refused call blocks no other.
package callorder

import (
	"context"
	"slices"
	"sync"

	"marvin/tools"
)

// Order is the calls of one reply. The zero value is an empty one. It is safe for
// concurrent use.
type Order struct {
	mu      sync.Mutex
	waiting []*Slot // with a place, in the order in which they joined
	moved   Moved
}

// Moved is what a call changed for later calls.
type Moved struct {
	Dir     string // the working directory, "" if it is as before
	Chosen  bool   // a person agreed to it
	Profile string // "" if it is as before
}

// Slot is the place of one call in the line.
type Slot struct {
	line   *Order
	places []tools.Place
	front  []*Slot // those that it waits for
	over   chan struct{}
	once   sync.Once
	known  chan struct{} // closed once it is known where it works; nil if that was known at once
}

// Join puts a call at the end of the line.
func (l *Order) Join(places []tools.Place) *Slot {
	turn := &Slot{line: l, places: places, over: make(chan struct{})}
	if len(places) == 0 {
		return turn
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, (*Slot).left)
	for _, other := range l.waiting {
		if other.meets(turn) {
			turn.front = append(turn.front, other)
		}
	}
	l.waiting = append(l.waiting, turn)
	return turn
}

// Reserve adds a call whose places are unknown: until [Slot.Settle] it counts as using every place.
func (l *Order) Reserve() *Slot {
	turn := l.Join([]tools.Place{{All: true, Write: true}})
	turn.known = make(chan struct{})
	return turn
}

// Settle sets the places of a reserved call and releases later calls without a common place. It is
// called once, and not for a call that joined with known places.
func (t *Slot) Settle(places []tools.Place) {
	if t.known == nil {
		return
	}
	t.line.mu.Lock()
	t.places = places
	t.front = slices.DeleteFunc(t.front, func(other *Slot) bool { return !other.meets(t) })
	t.line.mu.Unlock()
	close(t.known)
}

func (t *Slot) meets(other *Slot) bool {
	return slices.ContainsFunc(t.places, func(place tools.Place) bool { return slices.ContainsFunc(other.places, place.Meets) })
}

// Unsettled says that a call in front may change where this one works or for whom: what
// is to be decided of it must wait.
func (t *Slot) Unsettled() bool {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	return slices.ContainsFunc(t.front, func(other *Slot) bool { return !other.left() && other.everywhere() })
}

func (t *Slot) everywhere() bool {
	return slices.ContainsFunc(t.places, func(place tools.Place) bool { return place.All && place.Write })
}

// Wait returns when the call may run, or with the cause of the context's end.
func (t *Slot) Wait(ctx context.Context) error {
	return t.waitWhile(ctx, func(other *Slot) bool { return other.meets(t) })
}

// WaitMoved returns when no call in front may change any more where this one works.
func (t *Slot) WaitMoved(ctx context.Context) error {
	return t.waitWhile(ctx, (*Slot).everywhere)
}

// waitWhile waits for the calls in front that bar the way, until they are over or turn out
// not to.
func (t *Slot) waitWhile(ctx context.Context, bars func(*Slot) bool) error {
	barred := func(other *Slot) bool {
		t.line.mu.Lock()
		defer t.line.mu.Unlock()
		return bars(other)
	}
	for _, other := range t.front {
		for known := other.known; barred(other); known = nil { // once it is known, only its end counts
			select {
			case <-other.over:
			case <-known:
				continue
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			break
		}
	}
	return nil
}

// Leave says that the call is over. It may be said any number of times.
func (t *Slot) Leave() { t.once.Do(func() { close(t.over) }) }

func (t *Slot) left() bool {
	select {
	case <-t.over:
		return true
	default:
		return false
	}
}

// Move notes what a call changed, before it leaves.
func (t *Slot) Move(moved Moved) {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	if moved.Dir != "" {
		t.line.moved.Dir, t.line.moved.Chosen = moved.Dir, moved.Chosen
	}
	if moved.Profile != "" {
		t.line.moved.Profile = moved.Profile
	}
}

// Moved is what the calls in front changed.
func (t *Slot) Moved() Moved {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	return t.line.moved
}
