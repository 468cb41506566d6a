package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Remote answers prompts somewhere else.
type Remote interface {
	// Forget has the answers that there are to an id not count. Send follows, with again.
	Forget(id string)
	// Send has a prompt answered, once, however often it is sent. With again an answer that
	// there is already does not count; else it is returned. It waits while the others have
	// no room.
	Send(ctx context.Context, prompt Prompt, again bool) (Result, bool, error)
	// Collect hands over the answers that there are and each that comes, until the context
	// ends. It does so on one goroutine.
	Collect(ctx context.Context, take func(Result)) error
	// Workers is how many answer, and how many prompts they are at.
	Workers() (running, workers int)
}

// sentAtOnce is how many prompts are on their way to the queue at once.
const sentAtOnce = 64

// owed counts the answers that come from elsewhere.
type owed struct {
	mu      sync.Mutex
	waiting int
	sent    bool // all that there is to send
	settled chan struct{}
}

func (o *owed) change(by int, sent bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting += by
	o.sent = o.sent || sent
	if o.sent && o.waiting == 0 {
		close(o.settled)
	}
}

// sendAll has everything answered elsewhere, or, with Detach, only sends it.
func (b *Batch) sendAll(ctx context.Context, input io.Reader) {
	b.owed.settled = make(chan struct{})
	collecting, enough := context.WithCancel(ctx)
	defer enough()
	var group errgroup.Group
	if !b.Detach {
		group.Go(func() error {
			if err := b.Away.Collect(collecting, b.arrived); err != nil && collecting.Err() == nil {
				b.stop(err)
			}
			return nil
		})
	}
	b.Jobs = sentAtOnce
	b.answerAll(ctx, input, b.send)
	b.owed.change(0, true)
	if !b.Detach {
		select {
		case <-b.owed.settled:
		case <-ctx.Done():
		}
	}
	enough()
	_ = group.Wait() // its function returns no errors
}

// send puts a prompt into the queue.
func (b *Batch) send(ctx context.Context, prompt Prompt) {
	if prompt.Provider == "" {
		prompt.Provider, prompt.Model = b.Choice.Provider, cmp.Or(prompt.Model, b.Choice.Model)
	}
	again := b.Results.missing(prompt.ID)
	if again {
		b.Away.Forget(prompt.ID)
	}
	b.ids.owe(prompt)
	b.owed.change(1, false)
	result, there, err := b.Away.Send(ctx, prompt, again)
	var refused RefusedError
	switch {
	case errors.As(err, &refused):
		failed := prompt.failed(refused)
		failed.Asked = prompt.Asked
		b.arrived(failed)
	case err != nil && ctx.Err() == nil:
		b.stop(fmt.Errorf("send the prompt of line %d: %w", prompt.Line, err))
	case there && !b.Detach:
		b.arrived(result)
	case err == nil && b.Detach:
		b.tally.send()
	}
}

// RefusedError is why one prompt cannot be sent, while others can.
type RefusedError struct{ Why string }

func (e RefusedError) Error() string { return e.Why }

// arrived handles an answer from another process. It drops answers that are no longer needed: read
// before, of an earlier run, or of a changed prompt.
func (b *Batch) arrived(result Result) {
	line := b.ids.settle(result.ID, result.Asked)
	if line == 0 {
		return
	}
	result.Line, result.Begun = line, false
	b.tally.spend(result.Cost) // the shared budget of all workers says when it is enough, and what waits is taken back
	b.finish(result)
	b.owed.change(-1, false)
}
