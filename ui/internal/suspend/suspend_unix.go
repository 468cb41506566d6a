//go:build unix

package suspend

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// NotifyContinued reports when the process continues after a stop, by Ctrl-Z or by another process.
// Such a process leaves the terminal unchanged. The returned function ends the reports.
func NotifyContinued() (<-chan os.Signal, func()) {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	return goesOn, func() { signal.Stop(goesOn) }
}

// Process stops the process group, as Ctrl-Z does in other programs, and returns when the group
// continues. It waits for SIGCONT, because the stop signal may take effect only after Kill has
// returned. Without job control the signal does nothing.
func Process(goesOn <-chan os.Signal) {
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return
	}
	select {
	case <-goesOn:
	case <-time.After(300 * time.Millisecond):
	}
}
