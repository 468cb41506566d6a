package main

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

// errTold means that there is nothing more to print: the output explains exit status 1, or its
// reader is gone.
var errTold = errors.New("it was told")

// unwritten is the error of a command whose output cannot be written: nothing is printed if the
// reader is gone.
func unwritten(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return errTold
	}
	return fmt.Errorf("write the output: %w", err)
}

// accounted is how a run ended that owes its caller the line of costs, also where the
// run succeeded. A user at a terminal gets the line only with --output json or jsonl. Its exit
// code is that of the outcome.
type accounted struct {
	headless.Result
	asked bool // for the line, by --output
}

func (a accounted) Error() string { return a.Err }

// checkFailed is an error with exit status 2, which distinguishes it from a difference, as in diff.
type checkFailed struct{ error }

func (c checkFailed) Unwrap() error { return c.error }

// exitCode says what went wrong, if anything did, and returns what the process exits with.
func exitCode(world World, err error) int {
	var run accounted
	switch {
	case err == nil:
		return 0
	case errors.As(err, &run):
		if run.Err != "" && !errors.Is(run.Stdout, syscall.EPIPE) {
			complain(world, run)
		}
		if run.asked || !terminal(steered(world.Stderr)) { // it is for programs
			world.Stderr.Write(termsafe.JSON(messages.CostLine(run.Usage)))
		}
		return run.Outcome.ExitCode()
	case errors.As(err, new(checkFailed)):
		complain(world, err)
		return 2
	case !errors.Is(err, errTold):
		complain(world, err)
	}
	return 1
}

// complain writes the sentence by which people and scripts know an error, without keys.
func complain(world World, err error) {
	fmt.Fprintln(world.Stderr, "Error:", tools.SecretsOf(world.Environ, world.Home).HideError(err))
}
