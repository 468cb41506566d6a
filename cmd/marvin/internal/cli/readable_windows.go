package cli

import (
	"errors"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// glance is how often a pipe is looked at: Windows has no way to wait for one that was
// not opened for it.
const glance = 10 * time.Millisecond

// Readable waits until a read would not block. What is no pipe never does for long.
func Readable(file *os.File, wait time.Duration) (bool, error) {
	if wait < 0 {
		return true, nil
	}
	peek := windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")
	if err := peek.Find(); err != nil {
		return false, err
	}
	for deadline := time.After(wait); ; {
		var there uint32
		done, _, err := peek.Call(file.Fd(), 0, 0, 0, uintptr(unsafe.Pointer(&there)), 0)
		if done == 0 && !errors.Is(err, windows.ERROR_INVALID_HANDLE) || there > 0 {
			return true, nil // a file, or the other end is gone: the read says which
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
