package plain

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped discards the terminal's unread keys, because the user typed them before the question
// appeared.
func dropTyped(terminal *os.File) {
	if terminal != nil {
		// If this fails, the keys are read as part of the answer.
		_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
	}
}
