// Command marvin turns arguments and the outside world into a running tree and an
// exit code.
//
// main.go collects the world, flags.go reads the arguments, run.go runs the command that
// they name, and outcome.go turns the error of a command into a sentence and an exit code.
// wire.go is the only place where the parts of the program meet, and catalog.go is the
// table of contents of the tools. A command is a field of commands (flags.go) whose type
// has its flags and a method run. There is one file for each way to run:
//
//   - conversations: interactive.go, headless.go, batch.go (internal/batch), rpc.go,
//     acp.go (internal/acphost)
//   - without one: toolcmd.go, doctor.go, permissions_explain.go, permissions_try.go,
//     ring.go, completion.go (suggest.go answers the shells) and man.go
//
// testdata holds programs of the house, which are not shipped: fuzzers, dist, slow,
// mutate, figures, screenshots, and those that tests and benchmarks run.
package main
