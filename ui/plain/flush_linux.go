package plain

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped discards unread keys of a terminal: the user typed them before the question appeared.
func dropTyped(terminal *os.File) {
	if terminal != nil {
		_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH) // on failure the user may need to type again
	}
}
