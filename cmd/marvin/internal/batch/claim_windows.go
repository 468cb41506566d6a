package batch

import (
	"os"

	"golang.org/x/sys/windows"
)

// claim makes this process the only one that writes to the file, or fails at once. The
// lock dies with the process. It is on a byte far behind every result, because a lock
// on content would keep readers away, too.
func claim(file *os.File) error {
	far := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &far)
}
