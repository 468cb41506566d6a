//go:build unix

package suspend

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Continued tells when the process goes on after it was stopped: by Ctrl-Z, or by
// somebody else, who left the terminal as it was. The function ends that.
func Continued() (<-chan os.Signal, func()) {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	return goesOn, func() { signal.Stop(goesOn) }
}

// Process stops the process group, as Ctrl-Z does in every other program, and returns
// when it goes on. The signal need not stop the process before Kill returns, so it
// waits for SIGCONT; where no shell controls jobs the signal does nothing.
func Process(goesOn <-chan os.Signal) {
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return
	}
	select {
	case <-goesOn:
	case <-time.After(300 * time.Millisecond):
	}
}
