// Command marvin is a terminal assistant.
//
// This package reads the arguments and runs a command: main.go collects the environment of the
// program, flags.go has the table of commands, and run.go runs the command that the arguments name.
// The other files contain help, the manual page, completion and advice for mistyped lines. The
// packages below internal are, from the bottom to the top:
//
//   - cli: the environment of the program, options, exit codes and streams; editor, pictures and
//     themes
//   - accounts (providers and their models), extensions (tools, hooks and servers of users and
//     projects) and remote (a fleet)
//   - app: assembles the other packages into a running program
//   - cli/sessions and its neighbors: one package for each subject of shell commands
//   - host: the functions of the program that slash commands use
//   - window and talk: conversations with a user; above them cli/live, cli/schedule and cli/acp
//
// testdata holds programs for development, which are not shipped: dist, house, screenshots, and
// those that tests and benchmarks run.
package main
