// Command marvin is a terminal assistant.
//
// This package reads the arguments and runs a command. main.go collects the program's environment,
// flags.go has the table of commands, and run.go runs the command that the arguments name. The
// other files contain help, the manual page, completion and advice for mistyped commands. The
// packages below internal are, from bottom to top:
//
//   - cli: the program's environment, options, exit codes and streams; editor, pictures and
//     themes
//   - accounts (providers and their models), extensions (tools, hooks and servers of users and
//     projects) and remote (a fleet)
//   - app: assembles the other packages into a running program
//   - cli/sessions and its neighbors: one package for each group of shell commands
//   - host: the functions of the program that slash commands use
//   - window and talk: conversations with a user; above them cli/live, cli/schedule and cli/acp
//
// The programs in testdata are not shipped. dist, house and screenshots are for development. Tests
// and benchmarks run the other programs.
package main
