//go:build unix

package suspend

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// NotifyContinued returns a channel that receives a signal when the process continues after a stop,
// and a function that ends these notifications. Ctrl-Z or another process may cause the stop. A
// stop by another process leaves the terminal unchanged.
func NotifyContinued() (<-chan os.Signal, func()) {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	return goesOn, func() { signal.Stop(goesOn) }
}

// Process suspends the process group, as Ctrl-Z does in other programs, and returns when the group
// continues. It waits for SIGCONT, because Kill may return before the stop signal takes effect. The
// wait is limited, because the stop signal has no effect without job control.
func Process(goesOn <-chan os.Signal) {
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return
	}
	select {
	case <-goesOn:
	case <-time.After(300 * time.Millisecond):
	}
}
