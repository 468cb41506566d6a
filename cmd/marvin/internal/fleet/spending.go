package fleet

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"
)

// spending is the shared budget of a batch in US dollars. Workers change it by compare-and-swap.
//
// Before a prompt begins, its worker reserves the cost of the most expensive prompt so far. Without
// reservations, many workers together could spend a multiple of the limit. Prompts run in parallel
// only after the first one has ended, and only if the limit covers all reservations.
type spending struct {
	Spent   float64         `json:"spent"`
	Dearest float64         `json:"dearest"` // the cost of the most expensive prompt so far
	Known   bool            `json:"known"`   // true after the first prompt has ended
	Holds   map[string]hold `json:"holds,omitempty"`
}

// hold is the budget that is reserved for a running prompt. If the worker dies, the next worker
// overwrites the hold. A report contains the prompt's total cost so far, so a worker can safely
// repeat an unconfirmed report.
type hold struct {
	Estimate float64 `json:"estimate"`
	Reported float64 `json:"reported"` // the total in the last report
}

// grant reserves budget for prompt k. It returns false if the prompt must wait for another prompt.
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

// report updates the total cost of a prompt so far. If ended is true, it releases the reservation.
// It returns false if the end was already reported.
func (p *spending) report(k string, total float64, ended bool) bool {
	held, there := p.Holds[k]
	if !there {
		return false // the end was already reported
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

// account enters the costs of one prompt in the shared budget of its batch.
type account struct {
	worker *Worker
	ctx    context.Context
	id, k  string
	limit  float64 // the batch's cost limit in US dollars, or 0 for none
	left   float64 // the remaining budget when the prompt began

	mu       sync.Mutex
	total    float64
	reported float64
}

const (
	// spendingWait is how long a worker waits for a reservation before it returns the prompt to the
	// queue. The worker is then free to take a prompt that a dead worker left behind.
	spendingWait  = 5 * time.Second
	spendingPause = 100 * time.Millisecond
)

// errTurn means that a prompt must wait for another prompt to end.
var errTurn = errors.New("another prompt has reserved the rest of the budget")

// account reserves part of the shared budget for a prompt. It returns errTurn if the limit allows
// no reservation within spendingWait.
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
			return nil, errors.Join(errLater, w.Fleet.endAtLimit(ctx, id))
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

// spend adds a cost to the total. It reports the total whenever the unreported part exceeds 2% of
// the limit. [account.close] reports the final total.
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

// close releases the reservation, even if the prompt was canceled.
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
		_ = a.worker.Fleet.endAtLimit(ctx, a.id) // after an error, the next worker that reads the shared budget ends the batch
	}
}

// endAtLimit changes the stored state of a batch from open to exhausted.
func (f *Fleet) endAtLimit(ctx context.Context, id string) error {
	return amend(ctx, f, "batch."+id, func(is *Begin) bool {
		if is.State != open {
			return false
		}
		is.State = exhausted
		return true
	})
}
