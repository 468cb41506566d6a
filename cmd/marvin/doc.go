// Command marvin is a terminal assistant.
//
// main.go collects the program's environment, flags.go contains the table of commands, and run.go
// runs the selected command. Other files contain help, the manual page, completion and advice for
// mistyped commands. The packages below internal/ are layered as follows, the lowest layer first:
//
//   - cli (the program's environment, options, exit codes and streams), editor, pictures and themes
//   - accounts (providers and their models), extensions (the tools, hooks and servers of users and
//     projects) and remote (a fleet)
//   - app, which assembles the other packages into a running program
//   - cli/sessions and similar packages, one package for each group of shell commands
//   - host, which contains the program's functions for slash commands
//   - window and talk, which run conversations with a user
//   - cli/live, cli/schedule and cli/acp
//
// The programs in testdata are not shipped. Developers run dist, house and screenshots; tests and
// benchmarks run the rest.
package main
