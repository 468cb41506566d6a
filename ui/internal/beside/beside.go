// Package beside does work beside the loop of a screen. A panic in it is told to the
// loop, which gives the terminal back before the program ends.
package beside

import (
	"context"
	"fmt"
	"runtime/debug"

	"marvin/messages"
	"marvin/ui"
)

// Work is what goes on beside one loop.
type Work struct{ crashed chan error }

// New makes a Work with room for the crashes that nobody waits for.
func New() Work { return Work{make(chan error, 8)} }

// Crashed tells of panics.
func (w Work) Crashed() <-chan error { return w.crashed }

// Crash is a panic that was told and not heard yet, if there is one.
func (w Work) Crash() error {
	select {
	case err := <-w.crashed:
		return err
	default:
		return nil
	}
}

// Start begins work. Whatever ends with it is done in done, when a panic was told.
func (w Work) Start(work, done func()) {
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

// Panicked is the error of a panic; it has the stack if it is made while that unwinds.
func Panicked(cause any) error {
	return fmt.Errorf("internal error: %v\n%s", cause, debug.Stack())
}

// Follow reads the conversation until it ends or ctx does. The channel has no buffer:
// while the screen is busy the conversation merges what gathers.
func (w Work) Follow(ctx context.Context, client ui.Client) <-chan []messages.Envelope {
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
