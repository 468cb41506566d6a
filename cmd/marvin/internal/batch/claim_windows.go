package batch

import (
	"os"

	"golang.org/x/sys/windows"
)

// claim locks file until the process ends, or fails at once if another process holds the lock. It
// locks only a byte far beyond the results, because a lock on the results would block readers.
func claim(file *os.File) error {
	far := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &far)
}
