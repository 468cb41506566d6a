//go:build unix

package batch

import (
	"os"

	"golang.org/x/sys/unix"
)

// claim makes this process the only one that writes to the file, or fails at once. The
// lock dies with the process.
func claim(file *os.File) error {
	return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
