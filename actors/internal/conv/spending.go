package conv

import (
	"context"
	"slices"
	"sync"
)

// Spending is what one or several conversations and their sub-agents spent, and what their running
// requests may cost: one limit applies to both. A request reserves its possible cost first, so that
// concurrent requests do not exceed the limit many times over: near the limit they run one at a
// time, and the last may exceed it by its own cost. They also run one at a time until the cost of a
// request is known. The zero value is ready. It is safe for concurrent use.
type Spending struct {
	mu      sync.Mutex
	spent   float64 // US dollars
	pending float64 // what the requests under way may cost
	asking  int     // how many of them
	known   bool    // what a request costs, because one ended
	dearest float64 // of them
	waiting []*Claim
}

// Claim is a request that is to be paid for.
type Claim struct {
	Limit    float64 // of the conversation; more than 0
	Estimate float64 // at least what the dearest request cost so far
	granted  bool
	Life     context.Context // nothing is granted after its end; nil has none
	Ready    func()          // tells that it need not wait any more; it may be called at any time
}

// Pay records a cost without a reservation.
func (p *Spending) Pay(cost float64) { p.Settle(nil, cost) }

func (p *Spending) Total() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent
}

// Claim grants a request at once, or tells it later by ready that it was granted or that
// the limit is reached. Either way it has to be settled.
func (p *Spending) Claim(c *Claim) (now bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.spent >= c.Limit: // reached since who asks looked
		c.Ready()
		return false
	case len(p.waiting) == 0 && p.grant(c):
		return true
	}
	p.waiting = append(p.waiting, c)
	return false
}

// grant lets a request begin if it fits into what is left, or if nothing else is under way.
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

// cancelled reports whether the caller is about to be cancelled: a reservation that another returns
// at this moment must not start its request.
func (c *Claim) cancelled() bool { return c.Life != nil && c.Life.Err() != nil }

// Settle says what a request cost in the end, also one that was never asked.
func (p *Spending) Settle(c *Claim, cost float64) {
	p.mu.Lock()
	if c != nil && c.granted {
		p.pending -= c.Estimate
		p.asking--
		p.known = true
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(other *Claim) bool { return other == c || other.cancelled() })
	if p.asking == 0 {
		p.pending = 0 // what sums of fractions leave
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
