// Package permit decides whether a tool call is allowed, needs the user's approval, or is denied.
//
// It judges every command in the syntax tree (mvdan.cc/sh) of a command line, for example in
// pipelines, lists, substitutions and functions. It also judges here documents for shells, the
// arguments of "bash -c", eval, trap and ssh, and commands after env, sudo, xargs, "find -exec" and
// similar programs. In code for python, node, awk, sed, make, ed, psql and similar programs, it
// checks only literals: shell commands, and names of files that the code deletes or overwrites. If
// a value matters but is unknown, the most dangerous value is assumed.
//
// Non-shell code is checked even in the sandbox, because it can destroy files. Without this check,
// 230 of the corpus's 1,132 dangerous or unclear lines would run without approval (python 88, sed
// 37, make 24, awk 12, others 69). The package finds the hosts to which a command sends data,
// because the sandboxes of some systems cannot restrict hosts. Finding hosts in non-shell code
// takes 27 lines of Go, and changes the result for only 5 lines of the corpus.
//
// The order of decisions is deny > ask > allow. The strictest result wins, so another command in a
// line never makes the verdict milder. A command that cannot be parsed, or exceeds the limits,
// needs approval.
//
// Recursive deletion outside the working directory, force push, git reset --hard, dd, mkfs and some
// other commands are dangerous. Each dangerous command needs approval, or a rule that contains
// every dangerous word. Grants and broad rules do not suffice. Without a user and such a rule,
// dangerous commands are refused.
//
// The package guards against mistakes made by the model and the user. It is not a security
// boundary, because a script can do anything. The security boundary is tools/internal/jail.
//
// A list of safe commands, which would run outside the sandbox without approval, was rejected. All
// such lists in other programs were bypassed. The user's own rules are few, and match only literal
// words.
package permit
