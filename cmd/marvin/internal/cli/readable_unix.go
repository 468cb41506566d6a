//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// WaitReadable reports whether a file can be read without blocking. If there is nothing to read,
// WaitReadable waits for at most the given time, or without limit if that time is negative.
func WaitReadable(file *os.File, timeout time.Duration) (bool, error) {
	deadline := -1
	if timeout >= 0 {
		deadline = int(timeout.Milliseconds())
	}
	poll := []unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(poll, deadline)
		if errors.Is(err, unix.EINTR) {
			continue // each signal restarts the wait
		}
		if err != nil {
			return false, fmt.Errorf("wait for standard input: %w", err)
		}
		return n > 0 && poll[0].Revents&unix.POLLNVAL == 0, nil
	}
}
