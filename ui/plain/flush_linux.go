package plain

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped discards the terminal's unread keys, because the user typed them before the question
// appeared.
func dropTyped(terminal *os.File) {
	if terminal != nil {
		// On failure, the unread keys become part of the answer.
		_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
	}
}
