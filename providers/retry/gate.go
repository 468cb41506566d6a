package retry

import (
	"context"
	"sync"
	"time"
)

// turnSpacing is the interval at which an opened gate admits waiting callers.
const turnSpacing = 250 * time.Millisecond

// Gate holds back all callers of one account while its provider needs a pause.
type Gate struct {
	now func() time.Time

	mu    sync.Mutex
	opens time.Time // the gate is closed until this time
	turn  time.Time // when the next waiting caller may pass
	cause error     // why the gate was last closed
	gave  time.Time // when the retrier last gave up on a question; zero after an answer
}

// failedFor is how long retries are limited after the retrier gives up on a question. Meanwhile,
// each question is retried at most once, and only if retriesSoon(err) is true.
const failedFor = 5 * time.Minute

func (g *Gate) tire() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gave = g.now()
}

func (g *Gate) recordAnswer() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gave = time.Time{}
}

// recentlyFailed reports whether a question failed less than [failedFor] ago. An answer to any
// question clears the failure.
func (g *Gate) recentlyFailed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.gave.IsZero() && g.now().Sub(g.gave) < failedFor
}

// NewGate returns an open gate. The gate gets the current time from the given function.
func NewGate(now func() time.Time) *Gate { return &Gate{now: now} }

// closeFor closes the gate for at least the given time.
func (g *Gate) closeFor(wait time.Duration, cause error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if opens := g.now().Add(wait); opens.After(g.opens) {
		g.opens, g.cause = opens, cause
	}
}

// pass returns when the gate lets the caller send a request. Before each wait, report is called
// with the wait's duration and cause. If the gate closes again meanwhile, another wait begins.
func (g *Gate) pass(ctx context.Context, report func(time.Duration, error)) error {
	for {
		wait, cause := g.reserve()
		if wait <= 0 {
			return nil
		}
		report(wait, cause)
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		if g.open() {
			return nil
		}
	}
}

// reserve computes how long the caller must wait, and why. The turns of waiting callers are
// [turnSpacing] apart.
func (g *Gate) reserve() (time.Duration, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now, at := g.now(), g.opens
	if g.turn.After(at) {
		at = g.turn
	}
	if !at.After(now) {
		return 0, nil
	}
	g.turn = at.Add(turnSpacing)
	return at.Sub(now), g.cause
}

func (g *Gate) open() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.opens.After(g.now())
}
