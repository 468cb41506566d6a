package call

import (
	"context"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/callorder"
	"marvin/actors/internal/task"
	"marvin/tools"
)

// The place of a call in the line of its reply, so that calls have the effect that they would
// have one after the other.

// slot is that place.
type slot struct {
	line        *callorder.Order
	turn        *callorder.Slot // nil as long as it did not join
	places      []tools.Place
	stopWaiting context.CancelCauseFunc // ends the wait for the calls in front; nil without one
}

// frontOver says that the calls in front which may move this one are over.
type frontOver struct{ err error }

// paths are the files and directories among the places.
func (s *slot) paths() (paths []string) {
	for _, place := range s.places {
		if place.Path != "" && !place.All && !slices.Contains(paths, place.Path) {
			paths = append(paths, place.Path)
		}
	}
	return paths
}

// join takes a place in the line for a call with these places, as far as known: earlier calls may
// change its directory, and hooks may change its arguments. A call without places is not movable.
func (s *slot) join(places []tools.Place, hooked bool) (movable bool) {
	s.places = places
	if len(places) == 0 && !hooked {
		s.turn = s.line.Join(nil)
		return false
	}
	s.turn = s.line.Reserve()
	return true
}

// settle says where a call works.
func (s *slot) settle(places []tools.Place) {
	s.places = places
	s.turn.Settle(places)
}

// await waits for earlier calls to determine the call's places before it is judged, and runs hooks
// at the same time as calls that do not move it.
func (s *slot) await(c actor.Context) {
	ctx, cancel := context.WithCancelCause(context.Background())
	s.stopWaiting = cancel
	task.Do(c, func() any { return frontOver{err: s.turn.WaitMoved(ctx)} }, func(panicked *task.Panicked) any { return frontOver{err: panicked} })
}

// quit releases later calls, with the changes of this one if it ran.
func (s *slot) quit(worked bool, changed Effect) {
	if s.stopWaiting != nil {
		s.stopWaiting(errInterrupted)
	}
	if s.turn == nil {
		return
	}
	if worked {
		s.turn.Move(callorder.Moved{Dir: changed.Dir, Chosen: changed.Chosen, Profile: changed.Profile})
	}
	s.turn.Leave()
}
