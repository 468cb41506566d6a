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

// Remote sends prompts to other machines and receives the answers.
type Remote interface {
	// Forget makes Collect ignore the existing answers to a prompt. The caller calls Forget before
	// it requests a new answer from Send.
	Forget(id string)
	// Send queues a prompt, and waits while the queue is full. A prompt is answered once, however
	// often it is sent. If an answer already exists, Send returns that answer and true. If the last
	// argument is true, Send discards the existing answer first.
	Send(ctx context.Context, prompt Prompt, again bool) (Result, bool, error)
	// Collect passes all existing and new answers to a function, until ctx is done or an error
	// occurs. One goroutine makes all calls to the function.
	Collect(ctx context.Context, report func(Result)) error
	// Workers returns the number of running prompts and the number of workers.
	Workers() (running, workers int)
}

// sentAtOnce is the maximum number of prompts that are being sent at the same time.
const sentAtOnce = 64

// owed is a counter of the answers that a batch still expects from a fleet.
type owed struct {
	mu      sync.Mutex
	waiting int
	sent    bool // all prompts were sent
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

// sendAll sends all prompts to a fleet. If Detach is false, sendAll waits for the answers.
func (b *Batch) sendAll(ctx context.Context, input io.Reader) {
	b.owed.settled = make(chan struct{})
	collecting, enough := context.WithCancel(ctx)
	defer enough()
	var group errgroup.Group
	if !b.Detach {
		group.Go(func() error {
			if err := b.Away.Collect(collecting, b.handleAnswer); err != nil && collecting.Err() == nil {
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
	_ = group.Wait() // the goroutine always returns nil
}

func (b *Batch) send(ctx context.Context, prompt Prompt) {
	if prompt.Provider == "" {
		prompt.Provider, prompt.Model = b.Choice.Provider, cmp.Or(prompt.Model, b.Choice.Model)
	}
	again := b.Results.lacksAnswer(prompt.ID)
	if again {
		b.Away.Forget(prompt.ID)
	}
	b.ids.recordSent(prompt)
	b.owed.change(1, false)
	result, there, err := b.Away.Send(ctx, prompt, again)
	var refused RefusedError
	switch {
	case errors.As(err, &refused):
		failed := prompt.failed(refused)
		failed.Asked = prompt.Asked
		b.handleAnswer(failed)
	case err != nil && ctx.Err() == nil:
		b.stop(fmt.Errorf("send the prompt of line %d: %w", prompt.Line, err))
	case there && !b.Detach:
		b.handleAnswer(result)
	case err == nil && b.Detach:
		b.tally.send()
	}
}

// RefusedError is the error for a prompt that cannot be sent. Any other error from [Remote.Send]
// ends the batch.
type RefusedError struct{ Why string }

func (e RefusedError) Error() string { return e.Why }

// handleAnswer records an answer from another process. It drops an answer that was already
// recorded, or that belongs to an earlier version of the prompt.
func (b *Batch) handleAnswer(result Result) {
	line := b.ids.settle(result.ID, result.Asked)
	if line == 0 {
		return
	}
	result.Line, result.Begun = line, false
	b.tally.spend(result.Cost) // the workers enforce the cost limit
	b.finish(result)
	b.owed.change(-1, false)
}
