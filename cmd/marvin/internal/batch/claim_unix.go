//go:build unix

package batch

import (
	"os"

	"golang.org/x/sys/unix"
)

// claim locks the file exclusively, or fails at once if another process holds the lock. The lock is
// released when the process ends.
func claim(file *os.File) error {
	return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
