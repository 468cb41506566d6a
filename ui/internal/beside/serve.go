package beside

import (
	"context"
	"errors"
	"io"
	"time"

	"marvin/messages/jsonlines"
)

// ErrStuck means that the client neither reads the output nor closes the connection.
var ErrStuck = errors.New("the client does not read the output")

// Lines begins to read the client's lines in the background. It closes both returned channels when
// the input ends, a read fails or reading stops early. The caller can close the given channel to
// stop reading early.
func (w Runner) Lines(in io.Reader, done <-chan struct{}) (lines <-chan jsonlines.Line, noMore <-chan struct{}) {
	out, end := make(chan jsonlines.Line, 16), make(chan struct{})
	w.Start(func() {
		reader := jsonlines.NewReader(in)
		for {
			line, err := reader.Next()
			if err != nil {
				return
			}
			select {
			case out <- line:
			case <-done:
				return
			}
		}
	}, func() { close(out); close(end) })
	return out, end
}

// Await returns the result of a loop that serves a client, or a panic from the background work. If
// ctx is canceled, Await asks the loop to end. The grace period starts when ctx is canceled or
// noMore is closed. Once the grace period is over, Await returns [ErrStuck].
func (w Runner) Await(ctx context.Context, result <-chan error, noMore <-chan struct{}, leave func(), grace time.Duration) error {
	select {
	case err := <-result:
		return err
	case err := <-w.crashed:
		return err
	case <-ctx.Done():
		leave()
	case <-noMore: // the loop handles the remaining lines and then ends
	}
	select {
	case err := <-result:
		return err
	case err := <-w.crashed:
		return err
	case <-time.After(grace):
		return ErrStuck
	}
}
