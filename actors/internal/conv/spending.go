package conv

import (
	"context"
	"slices"
	"sync"
)

// A Spending adds up the cost of conversations that share a limit, including their sub-agents. Each
// request first reserves its expected cost, so that parallel requests cannot exceed the limit by
// much. Near the limit, requests run one at a time. They also run one at a time until the first
// cost is known. The last request can exceed the limit by its own cost.
//
// The zero value is ready for use. A Spending is safe for concurrent use.
type Spending struct {
	mu      sync.Mutex
	spent   float64 // US dollars
	pending float64 // the possible cost of the requests that have not ended yet
	asking  int     // the number of running requests
	known   bool    // whether the cost of at least one request is known
	dearest float64 // the highest cost of a request so far
	waiting []*Claim
}

// Claim is a request that needs a reservation.
type Claim struct {
	Limit    float64 // the cost limit of the conversation; always more than 0
	Estimate float64 // the expected cost; raised if an earlier request cost more
	granted  bool
	Life     context.Context // the caller's context, or nil
	// Ready is called on any goroutine when the wait is over. Ready must not call methods of
	// Spending.
	Ready func()
}

// Pay records a cost that was not reserved.
func (p *Spending) Pay(cost float64) { p.Settle(nil, cost) }

func (p *Spending) Total() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent
}

// Claim reports whether it granted the request at once. Otherwise, Ready is called when the request
// is granted or the limit is reached, possibly before Claim returns. The caller must call
// [Spending.Settle] for every request, even if the request is never granted.
func (p *Spending) Claim(c *Claim) (now bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.spent >= c.Limit:
		c.Ready()
		return false
	case len(p.waiting) == 0 && p.grant(c):
		return true
	}
	p.waiting = append(p.waiting, c)
	return false
}

// grant returns true if it has reserved the expected cost of a request. While other requests run,
// the first cost must be known, and the reservation must stay within the limit.
func (p *Spending) grant(c *Claim) bool {
	c.Estimate = max(c.Estimate, p.dearest)
	if c.cancelled() || p.asking > 0 && (!p.known || p.spent+p.pending+c.Estimate > c.Limit) {
		return false
	}
	c.granted = true
	p.pending += c.Estimate
	p.asking++
	return true
}

// cancelled returns true if the caller is being canceled. A canceled caller must not start its
// request, even if its reservation could be granted now.
func (c *Claim) cancelled() bool { return c.Life != nil && c.Life.Err() != nil }

// Settle records the final cost of a request. The cost of a request that was never sent is 0.
func (p *Spending) Settle(c *Claim, cost float64) {
	p.mu.Lock()
	if c != nil && c.granted {
		p.pending -= c.Estimate
		p.asking--
		p.known = true
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(other *Claim) bool { return other == c || other.cancelled() })
	if p.asking == 0 {
		p.pending = 0 // discards rounding errors
	}
	p.spent += cost
	p.dearest = max(p.dearest, cost)
	var ready []func()
	for len(p.waiting) > 0 && (p.spent >= p.waiting[0].Limit || p.grant(p.waiting[0])) {
		ready = append(ready, p.waiting[0].Ready)
		p.waiting = p.waiting[1:]
	}
	p.mu.Unlock()
	for _, tell := range ready {
		tell()
	}
}
