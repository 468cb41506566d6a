package web

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// gaps contains the pauses that services require between two requests from one client.
var gaps = map[string]time.Duration{
	"nominatim.openstreetmap.org": time.Second,
	"router.project-osrm.org":     time.Second,
	"routing.openstreetmap.de":    time.Second,
	"overpass-api.de":             time.Second,
	"musicbrainz.org":             time.Second,
	"export.arxiv.org":            3 * time.Second,
}

// pace enforces the pauses that hosts require between requests.
type pace struct {
	gaps     map[string]time.Duration
	mu       sync.Mutex
	limiters map[string]*rate.Limiter
}

func newPace(gaps map[string]time.Duration) *pace {
	return &pace{gaps: gaps, limiters: map[string]*rate.Limiter{}}
}

// await waits until the caller may send a request to host. If the wait would exceed the deadline of
// ctx, await returns an error at once.
func (p *pace) await(ctx context.Context, host string) error {
	gap, paced := p.gaps[host]
	if !paced {
		return nil
	}
	p.mu.Lock()
	limiter := p.limiters[host]
	if limiter == nil {
		limiter = rate.NewLimiter(rate.Every(gap), 1)
		p.limiters[host] = limiter
	}
	p.mu.Unlock()
	if err := limiter.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s requires %s between two requests, and too many requests are waiting; make fewer at a time", host, gap)
	}
	return nil
}
