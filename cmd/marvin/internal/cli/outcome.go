package cli

import (
	"errors"
	"fmt"
	"syscall"

	"marvin/messages"
	"marvin/tools"
	"marvin/ui/headless"
	"marvin/ui/termsafe"
)

// ErrReported causes exit status 1 without an error message. It is returned if the output already
// explains the status, or if nobody reads the output anymore.
var ErrReported = errors.New("it was told")

// OutputError wraps an error that occurred while writing a command's output. If the reader of a
// pipe is gone, OutputError returns [ErrReported].
func OutputError(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return ErrReported
	}
	return fmt.Errorf("write the output: %w", err)
}

// CostError carries the result of a run to [ExitCode], which prints the costs as the last line on
// standard error. Even a successful run returns a CostError. On a terminal, the line is printed
// only with --output json or jsonl.
type CostError struct {
	headless.Result
	Asked bool // whether to print the costs even on a terminal
}

func (a CostError) Error() string { return a.Err }

// CheckFailed is an error with exit status 2. As with diff, status 1 means that the command found a
// difference.
type CheckFailed struct{ Err error }

func (c CheckFailed) Error() string { return c.Err.Error() }

func (c CheckFailed) Unwrap() error { return c.Err }

// ExitCode prints err, unless it is nil or [ErrReported], and returns the exit status.
func ExitCode(world World, err error) int {
	var run CostError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &run):
		if run.Err != "" && !errors.Is(run.Stdout, syscall.EPIPE) {
			Complain(world, run)
		}
		if run.Asked || !Terminal(Unwrapped(world.Stderr)) { // the cost line is meant for programs
			world.Stderr.Write(termsafe.JSON(messages.CostLine(run.Usage)))
		}
		return run.Outcome.ExitCode()
	case errors.As(err, new(CheckFailed)):
		Complain(world, err)
		return 2
	case !errors.Is(err, ErrReported):
		Complain(world, err)
	}
	return 1
}

// Complain redacts the user's keys in err and prints err to standard error.
func Complain(world World, err error) {
	fmt.Fprintln(world.Stderr, "Error:", tools.SecretsOf(world.Environ, world.Home).HideError(err))
}
