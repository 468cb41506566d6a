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

// How a run ends. A command returns an error; here alone it becomes a sentence on
// standard error and an exit code.

// ErrReported means that there is nothing more to print: the output explains exit status 1, or its
// reader is gone.
var ErrReported = errors.New("it was told")

// OutputError is the error of a command whose output cannot be written: nothing is printed if the
// reader is gone.
func OutputError(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return ErrReported
	}
	return fmt.Errorf("write the output: %w", err)
}

// CostError is how a run ended that owes its caller the line of costs, also where the
// run succeeded. A user at a terminal gets the line only with --output json or jsonl. Its exit
// code is that of the outcome.
type CostError struct {
	headless.Result
	Asked bool // for the line, by --output
}

func (a CostError) Error() string { return a.Err }

// CheckFailed is an error with exit status 2, which distinguishes it from a difference, as in diff.
type CheckFailed struct{ Err error }

func (c CheckFailed) Error() string { return c.Err.Error() }

func (c CheckFailed) Unwrap() error { return c.Err }

// ExitCode says what went wrong, if anything did, and returns what the process exits with.
func ExitCode(world World, err error) int {
	var run CostError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &run):
		if run.Err != "" && !errors.Is(run.Stdout, syscall.EPIPE) {
			Complain(world, run)
		}
		if run.Asked || !Terminal(Unwrapped(world.Stderr)) { // it is for programs
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

// Complain writes the sentence by which people and scripts know an error, without keys.
func Complain(world World, err error) {
	fmt.Fprintln(world.Stderr, "Error:", tools.SecretsOf(world.Environ, world.Home).HideError(err))
}
