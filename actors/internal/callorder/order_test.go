package callorder_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"marvin/actors/internal/callorder"
	"marvin/tools"
)

func file(path string, write bool) tools.Place { return tools.Place{Path: path, Write: write} }

func TestCallWithoutSlotWaitsForNothing(t *testing.T) {
	var l callorder.Order
	l.Join([]tools.Place{{All: true, Write: true}})
	if err := l.Join(nil).Wait(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	var l callorder.Order
	l.Join([]tools.Place{file("/a", true)})
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	cancel(enough)
	if err := l.Join([]tools.Place{file("/a", false)}).Wait(ctx); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
}

func TestMovedCallIsUnsettledUntilItLeaves(t *testing.T) {
	var l callorder.Order
	first := l.Join([]tools.Place{{All: true, Write: true}})
	second := l.Join([]tools.Place{file("/a", false)})
	if first.Unsettled() || !second.Unsettled() {
		t.Error("the wrong one is unsettled")
	}
	first.StoreChanges(callorder.Moved{Dir: "/b", Chosen: true})
	first.Leave()
	first.Leave()
	if second.Unsettled() || second.Moved() != (callorder.Moved{Dir: "/b", Chosen: true}) {
		t.Errorf("%+v", second.Moved())
	}
}

// Calls with a common place run in the order in which they joined, and never at the same time.
func TestCallsThatMeetRunInOrder(t *testing.T) {
	paths := []string{"/a", "/a/b", "/a/b/c", "/d"}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		var l callorder.Order
		var mu sync.Mutex
		var wait sync.WaitGroup
		var ended []int
		calls := make([][]tools.Place, 2+random.IntN(12))
		turns := make([]*callorder.Slot, len(calls))
		for i := range calls {
			calls[i] = []tools.Place{file(paths[random.IntN(len(paths))], random.IntN(2) == 0)}
			turns[i] = l.Join(calls[i])
		}
		for _, i := range random.Perm(len(calls)) {
			wait.Go(func() {
				if err := turns[i].Wait(context.Background()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				for j := range i {
					if calls[j][0].Meets(calls[i][0]) && !slices.Contains(ended, j) {
						t.Errorf("seed %d: %d ran before %d: %+v", seed, i, j, calls)
					}
				}
				ended = append(ended, i)
				mu.Unlock()
				turns[i].Leave()
			})
		}
		wait.Wait()
	}
}

func TestACallIsReservedUntilItIsKnownWhereItWorks(t *testing.T) {
	var l callorder.Order
	running := l.Join([]tools.Place{file("/b", true)})
	reserved := l.Reserve()
	apart, meets := l.Join([]tools.Place{file("/c", true)}), l.Join([]tools.Place{file("/a", false)})
	if reserved.Unsettled() || !apart.Unsettled() {
		t.Error("the wrong one is unsettled")
	}
	if err := reserved.WaitMoved(context.Background()); err != nil { // no earlier call moves it
		t.Error(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, turn := range []*callorder.Slot{reserved, apart, meets} {
		if turn.Wait(ended) == nil {
			t.Error("it does not wait")
		}
	}
	reserved.Settle([]tools.Place{file("/a", true)})
	if err := reserved.Wait(context.Background()); err != nil {
		t.Error(err)
	}
	if err := apart.Wait(context.Background()); err != nil {
		t.Error(err)
	}
	if meets.Wait(ended) == nil {
		t.Error("who meets it does not wait")
	}
	reserved.Leave()
	if err := meets.Wait(context.Background()); err != nil {
		t.Error(err)
	}
	running.Leave()
}

// A call that joined with known places keeps them.
func TestACallThatJoinedStaysWhereItWorks(t *testing.T) {
	var l callorder.Order
	front := l.Join([]tools.Place{file("/a", true)})
	joined := l.Join([]tools.Place{file("/a", true)})
	joined.Settle(nil)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if joined.Wait(ended) == nil {
		t.Error("it does not wait any more")
	}
	front.Leave()
	if err := joined.Wait(context.Background()); err != nil {
		t.Error(err)
	}
}
