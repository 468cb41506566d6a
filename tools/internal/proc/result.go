package proc

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// wait returns a channel that receives the result of child.Wait. If child.Wait panics, the channel
// receives an error. An unhandled panic would end Marvin and leave the terminal in raw mode.
func wait(child *exec.Cmd) <-chan error {
	waited := make(chan error, 1)
	go func() {
		defer func() {
			if broken := recover(); broken != nil {
				waited <- fmt.Errorf("wait for the child process: %v", broken)
			}
		}()
		waited <- child.Wait()
	}()
	return waited
}

func (r *running) result(err error) Result {
	result := Result{Stdout: r.stdout.output(), Stderr: r.stderr.output()}
	if errors.Is(err, errUnkillable) {
		return result // another goroutine is still waiting for the child, and owns ProcessState
	}
	if state := r.child.ProcessState; state != nil {
		result.ExitCode, result.Signal = ending(state)
	}
	return result
}

// guarded is an [io.Writer] that converts panics of the embedded Writer to errors. A panic in a
// goroutine of os/exec would end Marvin.
type guarded struct{ io.Writer }

func (g guarded) Write(p []byte) (n int, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("reading output: %v", broken)
		}
	}()
	return g.Writer.Write(p)
}
