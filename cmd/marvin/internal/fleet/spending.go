package fleet

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"
)

// spending is what a batch spent, in US dollars, and what it has under way: one for all
// workers, changed by comparing and swapping. A prompt takes what the dearest one cost out
// of it before it begins, so that many workers at once do not spend many times the limit;
// near the limit, and until it is known what a prompt costs, there is one at a time.
type spending struct {
	Spent   float64         `json:"spent"`
	Dearest float64         `json:"dearest"` // prompt so far
	Known   bool            `json:"known"`   // what a prompt costs, because one ended
	Holds   map[string]hold `json:"holds,omitempty"`
}

// hold is the reserved cost of a running prompt, by its key: the worker that takes over after a
// death inherits it. It includes the reported cost, so that a report without an answer may be
// repeated.
type hold struct {
	Estimate float64 `json:"estimate"`
	Reported float64 `json:"reported"`
}

// grant takes a hold, if there is room.
func (p *spending) grant(k string, limit float64) bool {
	pending := p.Dearest
	for other, held := range p.Holds {
		if other != k {
			pending += max(0, held.Estimate-held.Reported)
		}
	}
	_, own := p.Holds[k]
	others := len(p.Holds)
	if own {
		others--
	}
	if others > 0 && (!p.Known || p.Spent+pending > limit) {
		return false
	}
	p.Holds = maps.Clone(p.Holds)
	if p.Holds == nil {
		p.Holds = map[string]hold{}
	}
	p.Holds[k] = hold{Estimate: p.Dearest}
	return true
}

// report says what a prompt has cost by now; in the end its hold is given back.
func (p *spending) report(k string, total float64, ended bool) bool {
	held, there := p.Holds[k]
	if !there {
		return false // it was reported
	}
	p.Spent += total - held.Reported
	p.Dearest = max(p.Dearest, total)
	held.Reported = total
	p.Holds = maps.Clone(p.Holds)
	p.Holds[k] = held
	if ended {
		p.Known = true
		delete(p.Holds, k)
	}
	return true
}

// account is what one prompt spends out of the shared budget of its batch.
type account struct {
	worker *Worker
	ctx    context.Context
	id, k  string
	limit  float64 // 0 for none
	left   float64 // when it began

	mu       sync.Mutex
	total    float64
	reported float64
}

const (
	// purseWait is how long a worker waits for its turn with a prompt in its hands. Then the
	// prompt goes back, so that the one that a dead worker held finds a place.
	spendingWait  = 5 * time.Second
	spendingPause = 100 * time.Millisecond
)

// errTurn means that another prompt has to end first.
var errTurn = errors.New("another prompt holds the budget")

// account takes a hold on the shared budget.
func (w *Worker) account(ctx context.Context, id, k string, limit float64) (*account, error) {
	a := &account{worker: w, ctx: ctx, id: id, k: k, limit: limit}
	if limit <= 0 {
		return a, nil
	}
	for waited := time.Duration(0); ; waited += spendingPause {
		var granted, empty bool
		err := amend(ctx, w.Fleet, "purse."+id, func(p *spending) bool {
			empty = p.Spent >= limit
			granted = !empty && p.grant(k, limit)
			a.left = limit - p.Spent
			return granted
		})
		switch {
		case err != nil:
			return nil, err
		case empty:
			return nil, errors.Join(errLater, w.Fleet.exhaust(ctx, id))
		case granted:
			return a, nil
		case waited >= spendingWait:
			return nil, errTurn
		}
		pause(ctx, spendingPause)
		if ctx.Err() != nil {
			return nil, errLater
		}
	}
}

// spend records costs. Small ones are reported at the end.
func (a *account) spend(cost float64) {
	a.mu.Lock()
	a.total += cost
	total, tell := a.total, a.limit > 0 && a.total-a.reported > a.limit/50
	if tell {
		a.reported = total
	}
	a.mu.Unlock()
	if tell {
		a.tell(a.ctx, total, false)
	}
}

// close returns the reservation, also of a cancelled prompt.
func (a *account) close() {
	if a.limit <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), time.Minute)
	defer cancel()
	a.mu.Lock()
	total := a.total
	a.mu.Unlock()
	a.tell(ctx, total, true)
}

func (a *account) tell(ctx context.Context, total float64, ended bool) {
	var spent float64
	err := amend(ctx, a.worker.Fleet, "purse."+a.id, func(p *spending) bool {
		changed := p.report(a.k, total, ended)
		spent = p.Spent
		return changed
	})
	if err == nil && spent >= a.limit {
		_ = a.worker.Fleet.exhaust(ctx, a.id) // the next one that looks into the shared budget tells it too
	}
}

// exhaust ends a batch for everybody that spent what it may.
func (f *Fleet) exhaust(ctx context.Context, id string) error {
	return amend(ctx, f, "batch."+id, func(is *Begin) bool {
		if is.State != open {
			return false
		}
		is.State = exhausted
		return true
	})
}
