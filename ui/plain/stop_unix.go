//go:build unix

package plain

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// continued tells when the process goes on after it was stopped.
func continued() (<-chan os.Signal, func()) {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	return goesOn, func() { signal.Stop(goesOn) }
}

// stopProcess is Ctrl-Z: it returns when the process goes on, or soon if nobody
// controls jobs here.
func stopProcess(goesOn <-chan os.Signal) {
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return
	}
	select {
	case <-goesOn:
	case <-time.After(300 * time.Millisecond):
	}
}
