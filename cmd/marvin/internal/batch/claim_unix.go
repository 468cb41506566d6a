//go:build unix

package batch

import (
	"os"

	"golang.org/x/sys/unix"
)

// claim locks the file for writing by this process, or fails immediately. The lock is released when
// the process ends.
func claim(file *os.File) error {
	return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
