// Command marvin turns arguments and the outside world into a running tree and an
// exit code.
//
// This package reads the arguments and dispatches: main.go collects the world, flags.go is the
// table of commands, run.go runs the one that the arguments name, and the rest is help, the
// manual page, completion and advice for mistyped lines. The packages below internal are, from
// the bottom to the top:
//
//   - cli: the world, options, exit codes and streams; editor, pictures and themes
//   - accounts (providers and their models), extensions (tools, hooks and servers of users and
//     projects) and remote (a fleet)
//   - app: the only place where the rooms meet
//   - cli/sessions and its neighbors: one package for each subject of shell commands
//   - host: the functions of the program that slash commands use
//   - window and talk: conversations with a user; above them cli/live, cli/schedule and cli/acp
//
// testdata holds programs for development, which are not shipped: dist, house, screenshots, and
// those that tests and benchmarks run.
package main
