// Package callorder runs the independent calls of one reply concurrently, with the same effect as
// if all calls ran in order.
//
// A call gets its position in the order before it asks a question or waits for a slot. It declares
// each [tools.Place] that it uses, and waits for earlier calls that use the same places. Every call
// gives up its position when it ends, even if it failed or was refused, so that it never blocks
// later calls.
package callorder

import (
	"context"
	"slices"
	"sync"

	"marvin/tools"
)

// Order is the sequence of the calls in one reply, and is safe for concurrent use. The zero value
// is an empty Order.
type Order struct {
	mu      sync.Mutex
	waiting []*Slot // only calls that use places, earliest first
	moved   Moved
}

// Moved holds the new directory and the new profile for later calls.
type Moved struct {
	Dir     string // the working directory, "" if unchanged
	Chosen  bool   // the user agreed to the directory
	Profile string // "" if unchanged
}

// Slot is the position of one call in an [Order].
type Slot struct {
	line   *Order
	places []tools.Place
	front  []*Slot // earlier calls that this call may have to wait for
	over   chan struct{}
	once   sync.Once
	known  chan struct{} // closed by Settle; nil if the call was not reserved
}

// Join adds a call after all others.
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

// Reserve adds a call whose places are unknown. Before [Slot.Settle] sets the places, the call
// conflicts with all calls that use places.
func (l *Order) Reserve() *Slot {
	turn := l.Join([]tools.Place{{All: true, Write: true}})
	turn.known = make(chan struct{})
	return turn
}

// Settle sets the places of a reserved call. Later calls that use other places no longer wait for
// this call. Settle must be called only once, and does nothing if the call was not reserved.
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

// Unsettled reports whether earlier calls can still change this call's directory or profile. If so,
// call [Slot.WaitMoved] before any decision about this call.
func (t *Slot) Unsettled() bool {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	return slices.ContainsFunc(t.front, func(other *Slot) bool { return !other.left() && other.everywhere() })
}

func (t *Slot) everywhere() bool {
	return slices.ContainsFunc(t.places, func(place tools.Place) bool { return place.All && place.Write })
}

// Wait waits until the call can run. It returns the context's cause if the context ends first.
func (t *Slot) Wait(ctx context.Context) error {
	return t.waitWhile(ctx, func(other *Slot) bool { return other.meets(t) })
}

// WaitMoved waits for the earlier calls that can change this call's directory or profile.
func (t *Slot) WaitMoved(ctx context.Context) error {
	return t.waitWhile(ctx, (*Slot).everywhere)
}

// waitWhile waits for each earlier call until blocks(call) is false or the call has ended. It
// evaluates blocks(call) again only when the places of the call become known.
func (t *Slot) waitWhile(ctx context.Context, blocks func(*Slot) bool) error {
	barred := func(other *Slot) bool {
		t.line.mu.Lock()
		defer t.line.mu.Unlock()
		return blocks(other)
	}
	for _, other := range t.front {
		// Places change at most once. After the channel known is closed, the loop waits only for
		// the end of the other call.
		for known := other.known; barred(other); known = nil {
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

// Leave marks the end of the call. Only the first Leave has an effect.
func (t *Slot) Leave() { t.once.Do(func() { close(t.over) }) }

func (t *Slot) left() bool {
	select {
	case <-t.over:
		return true
	default:
		return false
	}
}

// StoreChanges passes the call's new directory and profile to later calls. It must be called before
// Leave.
func (t *Slot) StoreChanges(moved Moved) {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	if moved.Dir != "" {
		t.line.moved.Dir, t.line.moved.Chosen = moved.Dir, moved.Chosen
	}
	if moved.Profile != "" {
		t.line.moved.Profile = moved.Profile
	}
}

// Moved reports the latest directory and profile passed to [Slot.StoreChanges].
func (t *Slot) Moved() Moved {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	return t.line.moved
}
