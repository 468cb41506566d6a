//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// continued tells when the process goes on after it was stopped: by Ctrl-Z, or by
// somebody else, who left the terminal as it was.
func continued() (<-chan os.Signal, func()) {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	return goesOn, func() { signal.Stop(goesOn) }
}

// stopProcess stops the process group, as Ctrl-Z does in every other program, and
// returns when it goes on. The signal need not stop the process before Kill returns,
// so it waits for SIGCONT; where no shell controls jobs the signal does nothing.
func stopProcess(goesOn <-chan os.Signal) {
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return
	}
	select {
	case <-goesOn:
	case <-time.After(300 * time.Millisecond):
	}
}
