// Package beside runs background work for the loop of a front end. It reports a panic in the work
// to the loop, which restores the terminal before the program ends.
package beside

import (
	"context"
	"fmt"
	"runtime/debug"

	"marvin/messages"
	"marvin/ui"
)

// Runner runs functions in the background of a loop, and reports their panics.
type Runner struct{ crashed chan error }

// New returns a Work that can hold eight unread panics.
func New() Runner { return Runner{make(chan error, 8)} }

// Crashed returns the channel on which panics are reported.
func (w Runner) Crashed() <-chan error { return w.crashed }

// Crash returns a reported panic, or nil.
func (w Runner) Crash() error {
	select {
	case err := <-w.crashed:
		return err
	default:
		return nil
	}
}

// Start runs the first function in the background. The second function runs after the first, and
// after the report of a panic.
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

// Panicked returns an error for a panic. The error includes the stack if Panicked is called during
// the panic.
func Panicked(cause any) error {
	return fmt.Errorf("internal error: %v\n%s", cause, debug.Stack())
}

// Follow reads the events of the conversation until the conversation or ctx ends. The channel has
// no buffer, so the conversation merges the events that arrive while the screen is busy.
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
