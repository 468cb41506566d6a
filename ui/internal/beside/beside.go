// Package beside does work beside the loop of a screen. A panic in it is reported to the loop,
// which restores the terminal before the program ends.
package beside

import (
	"context"
	"fmt"
	"runtime/debug"

	"marvin/messages"
	"marvin/ui"
)

// Work is the work beside one loop.
type Work struct{ crashed chan error }

// New makes a Work with room for unread crashes.
func New() Work { return Work{make(chan error, 8)} }

// Crashed tells of panics.
func (w Work) Crashed() <-chan error { return w.crashed }

// Crash is a reported panic, if there is one.
func (w Work) Crash() error {
	select {
	case err := <-w.crashed:
		return err
	default:
		return nil
	}
}

// Start begins work. done runs at its end, after a panic was reported.
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
