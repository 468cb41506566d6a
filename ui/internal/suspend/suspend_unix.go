//go:build unix

package suspend

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// NotifyContinued returns a channel that receives a signal when the process continues after a stop.
// The returned function ends the notifications. The terminal is not restored before a stop that
// another process causes.
func NotifyContinued() (<-chan os.Signal, func()) {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	return goesOn, func() { signal.Stop(goesOn) }
}

// Process sends SIGTSTP to the process group and waits for SIGCONT, because syscall.Kill can return
// before the processes stop. The wait is short, because the signal has no effect without job
// control.
func Process(goesOn <-chan os.Signal) {
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return
	}
	select {
	case <-goesOn:
	case <-time.After(300 * time.Millisecond):
	}
}
