//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopProcess stops the process group, as Ctrl-Z does in every other program, and
// returns when it goes on. The signal need not stop the process before Kill returns,
// so it waits for SIGCONT; where no shell controls jobs the signal does nothing.
func stopProcess() {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return
	}
	select {
	case <-goesOn:
	case <-time.After(300 * time.Millisecond):
	}
}
