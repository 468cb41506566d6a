// Package permit judges whether a call may run: without asking for approval, after a yes, or not at
// all.
//
// A command is judged by its syntax tree (mvdan.cc/sh), in every part: pipelines and lists,
// substitutions, functions, here documents of shells, strings for bash -c, eval, trap and ssh, and
// commands after env, sudo, xargs, find -exec and the like. In programs in other languages (here
// documents and arguments of python, node, awk, sed, make, ed, psql, …), only some literals are
// checked: those that the program passes to a shell, and those that name files which the program
// deletes or overwrites. If the value of a word is unknown, the most dangerous value is assumed
// where the value matters.
//
// Code in other languages is examined even in the sandbox, because such code may destroy files.
// Without this check, 230 of the corpus's 1,132 dangerous or unclear lines would run without a
// question (python 88, sed 37, make 24, awk 12, others 69). The hosts in a command are determined
// only for systems whose sandbox cannot restrict hosts. The search for hosts in code of other
// languages takes 27 lines, and decides only 5 lines of the corpus.
//
// The order of decisions is deny > ask > allow. All checks always run and the worst result wins, so
// adding a part never makes a verdict milder. A command that cannot be parsed, or exceeds the
// limits, needs approval.
//
// Dangerous commands (recursive deletion outside the working directory, force pushes, git reset
// --hard, dd, mkfs, …) need an approval for each call. No session grant and no broad rule covers
// them, only a rule that spells them out. Without a user, dangerous commands are refused.
//
// This is a guard against mistakes of the model and the user. It is not a security boundary,
// because a script may do anything. The security boundary is tools/internal/jail.
//
// Rejected: a list of safe commands that run without a question and without the sandbox. Every such
// list in other programs was bypassed. The user's own rules are few, and match only literal words.
package permit
