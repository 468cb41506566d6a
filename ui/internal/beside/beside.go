// Package beside runs background work for a front end. It reports panics to the event loop, which
// restores the terminal before the program ends.
package beside

import (
	"context"
	"fmt"
	"runtime/debug"

	"marvin/messages"
	"marvin/ui"
)

// Runner runs functions in the background and reports their panics.
type Runner struct{ crashed chan error }

// New returns a Runner that buffers up to eight panics.
func New() Runner { return Runner{make(chan error, 8)} }

// Crashed returns the channel on which panics are reported.
func (w Runner) Crashed() <-chan error { return w.crashed }

// Crash returns the next reported panic, or nil if there is none. It does not block.
func (w Runner) Crash() error {
	select {
	case err := <-w.crashed:
		return err
	default:
		return nil
	}
}

// Start runs work() in the background, then done(). It reports a panic of work() before it runs
// done().
func (w Runner) Start(work, done func()) {
	go func() {
		defer done()
		defer func() {
			if cause := recover(); cause != nil {
				w.crashed <- Panicked(cause)
			}
		}()
		work()
	}()
}

// Panicked returns an error for a panic. The error includes the stack of the panic if Panicked is
// called from the deferred function that recovers.
func Panicked(cause any) error {
	return fmt.Errorf("internal error: %v\n%s", cause, debug.Stack())
}

// Follow sends the events of the client's conversation on the returned channel until the
// conversation ends or ctx is canceled. The channel has no buffer, so the conversation merges the
// events that arrive while the screen is busy.
func (w Runner) Follow(ctx context.Context, client ui.Client) <-chan []messages.Envelope {
	batches := make(chan []messages.Envelope)
	w.Start(func() {
		for {
			batch, err := client.Next(ctx)
			if err != nil {
				return
			}
			select {
			case batches <- batch:
			case <-ctx.Done():
				return
			}
		}
	}, func() { close(batches) })
	return batches
}
