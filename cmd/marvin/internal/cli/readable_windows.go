package cli

import (
	"errors"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// glance is the polling interval for pipes. Windows can wait only for a pipe that was opened for
// overlapped I/O.
const glance = 10 * time.Millisecond

// WaitReadable reports whether a file can be read without blocking. If the file is an empty pipe,
// WaitReadable waits for at most the given time. If that time is negative, WaitReadable returns
// true without waiting.
func WaitReadable(file *os.File, timeout time.Duration) (bool, error) {
	if timeout < 0 {
		return true, nil
	}
	peek := windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")
	if err := peek.Find(); err != nil {
		return false, err
	}
	for deadline := time.After(timeout); ; {
		var there uint32
		done, _, err := peek.Call(file.Fd(), 0, 0, 0, uintptr(unsafe.Pointer(&there)), 0)
		if done == 0 && !errors.Is(err, windows.ERROR_INVALID_HANDLE) || there > 0 {
			return true, nil // the pipe has data or is closed, or the file is not a pipe
		}
		if done == 0 {
			return false, nil // there is no standard input
		}
		select {
		case <-deadline:
			return false, nil
		case <-time.After(glance):
		}
	}
}
