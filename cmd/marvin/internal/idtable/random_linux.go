package idtable

import (
	"os"

	"golang.org/x/sys/unix"
)

// isReadAnywhere disables readahead: it would create large pieces in the page cache, in which a
// small write costs four times as much.
func isReadAnywhere(file *os.File) {
	_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_RANDOM) // only a matter of speed
}
