package batch

import (
	"os"

	"golang.org/x/sys/windows"
)

// claim locks the file exclusively, or fails at once if another process holds the lock. The lock is
// released when the process ends. It covers only a byte far beyond every result, because a lock on
// the content would also stop readers.
func claim(file *os.File) error {
	far := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &far)
}
