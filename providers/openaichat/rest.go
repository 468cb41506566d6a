package openaichat

import (
	"bytes"
	"context"
	"slices"
	"time"

	"marvin/providers"
	"marvin/providers/internal/sse"
	"marvin/providers/internal/stream"
)

// These limits apply after the finish reason. Busy machines and slow gateways send the token counts
// late. A connection can be reused only if its response was read to the end.
const (
	usageGrace = 500 * time.Millisecond // maximum time between the finish reason and "[DONE]"
	restGrace  = 15 * time.Second       // maximum wait for late token counts
	endGrace   = 100 * time.Millisecond // maximum time between "[DONE]" and the end of the response
)

// rest is the part of a stream after the finish reason. A goroutine reads this part until "[DONE]",
// the end of the stream, or the end of the request.
type rest struct{ events chan []byte }

func follow(ctx context.Context, events *sse.Reader) *rest {
	r := &rest{events: make(chan []byte)}
	go func() {
		defer close(r.events)
		for {
			data, err := events.Next()
			if err != nil {
				return
			}
			select {
			case r.events <- slices.Clone(data):
			case <-ctx.Done():
				return
			}
			if isDone(data) {
				return
			}
		}
	}()
	return r
}

func isDone(data []byte) bool { return string(bytes.TrimSpace(data)) == "[DONE]" }

// awaitEnd waits up to usageGrace for the token counts and [DONE]. If no token counts have arrived
// by then, a.rest stays set, so that they can be read later.
func (a *answer) awaitEnd() error {
	grace := time.NewTimer(usageGrace)
	defer grace.Stop()
	for !a.done {
		select {
		case data, more := <-a.rest.events:
			if !more {
				a.rest = nil
				return nil
			}
			if err := a.tolerate(a.event(data)); err != nil {
				a.rest = nil
				return err
			}
			a.pieces.Release()
		case <-grace.C:
			if a.usage != nil {
				a.rest = nil
			}
			return nil
		}
	}
	a.rest = nil
	return nil
}

// awaitUsage waits up to restGrace for the token counts. It ignores other data.
func (r *rest) awaitUsage(key string) providers.Usage {
	late := answer{key: key, pieces: stream.Pieces{To: func(providers.Part) {}}}
	limit := time.NewTimer(restGrace)
	defer limit.Stop()
	for late.usage == nil && !late.done {
		select {
		case data, more := <-r.events:
			if !more || late.tolerate(late.event(data)) != nil {
				return providers.Usage{}
			}
		case <-limit.C:
			return providers.Usage{}
		}
	}
	if late.usage == nil {
		return providers.Usage{}
	}
	return late.usage.counted()
}

func (u *usage) counted() providers.Usage {
	return providers.Usage{
		Input: u.PromptTokens, Output: u.CompletionTokens, Known: true,
		Cached: max(u.PromptTokensDetails.CachedTokens, u.PromptCacheHitTokens),
	}
}
