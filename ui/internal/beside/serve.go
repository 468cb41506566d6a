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

// Lines reads lines until the client closes its end, and then closes both channels. The caller can
// stop it early by closing the channel in the second parameter.
func (w Runner) Lines(in io.Reader, ended <-chan struct{}) (lines <-chan jsonlines.Line, noMore <-chan struct{}) {
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
			case <-ended:
				return
			}
		}
	}, func() { close(out); close(end) })
	return out, end
}

// Await returns the result of a loop that serves a client. When ctx is done, it calls the function
// leave, which ends the loop. After that, or after the client's last line, it waits for the result.
// If none arrives in time, it returns [ErrStuck]. The last parameter is the time limit.
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
