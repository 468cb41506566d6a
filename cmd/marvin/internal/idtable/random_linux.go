package idtable

import (
	"os"

	"golang.org/x/sys/unix"
)

// isReadAnywhere tells the kernel that reading ahead is of no use: it would make large
// pieces of its cache, in each of which a small write then costs four times as much.
func isReadAnywhere(file *os.File) {
	_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_RANDOM) // only a matter of speed
}
