package proc

import (
	"errors"
	"fmt"
	"io"
)

func (r *running) result(err error) Result {
	result := Result{Stdout: r.stdout.output(), Stderr: r.stderr.output()}
	if errors.Is(err, errUnkillable) {
		return result // somebody still waits for it, and owns its state
	}
	if state := r.child.ProcessState; state != nil {
		result.ExitCode, result.Signal = ending(state)
	}
	return result
}

// guarded keeps a panic of a caller's writer out of os/exec's goroutine.
type guarded struct{ io.Writer }

func (g guarded) Write(p []byte) (n int, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("reading output: %v", broken)
		}
	}()
	return g.Writer.Write(p)
}
