// Package permit decides whether a tool call runs at once, needs the user's approval, or is denied.
//
// A command is judged by its syntax tree (mvdan.cc/sh). Every part of the tree counts: pipelines
// and lists, substitutions, functions, here documents that shells read, strings for bash -c, eval,
// trap and ssh, and commands after env, sudo, xargs, find -exec and similar programs. In programs
// in other languages (here documents and arguments of python, node, awk, sed, make, ed, psql, …),
// only two kinds of literals are checked: those passed to a shell, and the names of files that the
// program deletes or overwrites. If a value matters but is unknown, the most dangerous one is
// assumed.
//
// Code in other languages is examined even in the sandbox, because such code may destroy files.
// Without this check, 230 of the corpus's 1,132 dangerous or unclear lines would run without
// approval (python 88, sed 37, make 24, awk 12, others 69). The package also finds the hosts to
// which a command sends data. Systems whose sandbox cannot restrict hosts rely on this. To
// find hosts in code in other languages, this package needs 27 lines of Go. They change the result
// for only 5 lines of the corpus.
//
// The order of decisions is deny > ask > allow. All checks always run and the worst result wins, so
// adding a part never makes a verdict milder. A command that cannot be parsed, or exceeds the
// limits, needs approval.
//
// Dangerous commands (recursive deletion outside the working directory, force pushes, git reset
// --hard, dd, mkfs, …) need approval for each call. No grant or broad rule covers them, only a rule
// that spells them out. Without a user, they are refused.
//
// The package guards against mistakes made by the model and the user. It is not a security
// boundary, because a script may do anything. The security boundary is tools/internal/jail.
//
// Rejected: a list of safe commands that run without approval and outside the sandbox. Every such
// list in other programs was bypassed. The user's own rules are few, and match only literal words.
package permit
