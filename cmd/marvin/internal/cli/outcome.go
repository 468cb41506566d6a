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

// This file converts the error of a command to a sentence on standard error and an exit code.

// ErrReported means that nothing more needs to be printed: the output already explains exit status
// 1, or nobody reads it any more.
var ErrReported = errors.New("it was told")

// OutputError wraps an error that occurred while writing a command's output. If nobody reads the
// output any more, OutputError returns [ErrReported].
func OutputError(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return ErrReported
	}
	return fmt.Errorf("write the output: %w", err)
}

// CostError carries the result of a run. Even a successful run returns one, so that [ExitCode]
// prints the costs on the last line of stderr. A user at a terminal gets that line only with
// --output json or jsonl. The outcome determines the exit code.
type CostError struct {
	headless.Result
	Asked bool // the user requested the line by --output
}

func (a CostError) Error() string { return a.Err }

// CheckFailed is an error with exit status 2. As with diff, status 1 means that the command found a
// difference.
type CheckFailed struct{ Err error }

func (c CheckFailed) Error() string { return c.Err.Error() }

func (c CheckFailed) Unwrap() error { return c.Err }

// ExitCode reports the error, if there is one, and returns the exit status.
func ExitCode(world World, err error) int {
	var run CostError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &run):
		if run.Err != "" && !errors.Is(run.Stdout, syscall.EPIPE) {
			Complain(world, run)
		}
		if run.Asked || !Terminal(Unwrapped(world.Stderr)) { // the line is for programs
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

// Complain prints an error and hides the user's keys.
func Complain(world World, err error) {
	fmt.Fprintln(world.Stderr, "Error:", tools.SecretsOf(world.Environ, world.Home).HideError(err))
}
