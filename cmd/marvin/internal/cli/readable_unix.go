//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// WaitReadable waits at most the given time, and reports whether a read would then return at once. A
// negative time means no limit.
func WaitReadable(file *os.File, wait time.Duration) (bool, error) {
	deadline := -1
	if wait >= 0 {
		deadline = int(wait.Milliseconds())
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
