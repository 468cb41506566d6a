package plain

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped takes away what was typed on a terminal and not read: it is about
// something else than the question that comes now.
func dropTyped(terminal *os.File) {
	if terminal != nil {
		_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH) // without it one types again
	}
}
