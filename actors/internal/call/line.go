package call

import (
	"context"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/callorder"
	"marvin/actors/internal/task"
	"marvin/tools"
)

// slot is the position of a call in a model reply. Slots give parallel calls the same effect as
// calls that run one after the other.
type slot struct {
	line        *callorder.Order
	turn        *callorder.Slot // set by slot.join
	places      []tools.Place
	stopWaiting context.CancelCauseFunc // cancels the wait for earlier calls; nil if the call does not wait
}

// frontOver is the result of slot.await. If err is nil, earlier calls can no longer change the
// places of this call.
type frontOver struct{ err error }

// paths returns the paths of the files and directories in s.places, without duplicates.
func (s *slot) paths() (paths []string) {
	for _, place := range s.places {
		if place.Path != "" && !place.All && !slices.Contains(paths, place.Path) {
			paths = append(paths, place.Path)
		}
	}
	return paths
}

// join adds the call to s.line. A call that has places or hooks is movable: an earlier call can
// change the directory, and a hook can change the arguments.
func (s *slot) join(places []tools.Place, hooked bool) (movable bool) {
	s.places = places
	if len(places) == 0 && !hooked {
		s.turn = s.line.Join(nil)
		return false
	}
	s.turn = s.line.Reserve()
	return true
}

// settle assigns the final places to the call.
func (s *slot) settle(places []tools.Place) {
	s.places = places
	s.turn.Settle(places)
}

// await creates a task that waits until no earlier call can change the places of this call. The
// hooks of this call then run, even if earlier calls have not ended.
func (s *slot) await(c actor.Context) {
	ctx, cancel := context.WithCancelCause(context.Background())
	s.stopWaiting = cancel
	task.Do(c, func() any { return frontOver{err: s.turn.WaitMoved(ctx)} }, func(panicked *task.Panicked) any { return finished{panic: panicked} })
}

// quit declares that the call has ended. If the call succeeded, its changes are first passed to
// later calls.
func (s *slot) quit(worked bool, changed Effect) {
	if s.stopWaiting != nil {
		s.stopWaiting(errInterrupted)
	}
	if s.turn == nil {
		return
	}
	if worked {
		s.turn.StoreChanges(callorder.Moved{Dir: changed.Dir, Chosen: changed.Chosen, Profile: changed.Profile})
	}
	s.turn.Leave()
}
