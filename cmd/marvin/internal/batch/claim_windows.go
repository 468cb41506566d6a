package batch

import (
	"os"

	"golang.org/x/sys/windows"
)

// claim locks the file for writing by this process, or fails immediately. The lock ends with the
// process. It covers only a byte far beyond every result, because a lock on the content would also
// stop readers.
func claim(file *os.File) error {
	far := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &far)
}
