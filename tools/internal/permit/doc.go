// Package permit judges whether a call may happen: it, or a person, or nobody.
//
// A command is judged on its syntax tree (mvdan.cc/sh), on every part of it: in
// pipelines and lists, substitutions, functions, here documents of shells, strings
// for bash -c, eval, trap and ssh, behind env, sudo, xargs, find -exec and their like.
// Programs of other languages (here documents and arguments of python, node, awk, sed,
// make, ed, psql, …) are no shell: only what they hand to one by a literal, delete or
// overwrite by a literal is looked at.
// A word whose value is only known when it runs is treated as the worst that it can
// be where it matters.
//
// The lattice is deny > ask > allow. All checks always run and the worst wins, so
// that adding a part never makes a verdict milder. What cannot be parsed, or is
// beyond the limits, is asked about.
//
// What is dangerous whoever asks (recursive deletion outside the working directory,
// force pushes, git reset --hard, dd, mkfs, …) is firm: no grant for a session and no
// broad rule covers it, only a rule that spells it out. Without a person it is refused.
//
// This is a guard against mistakes, the model's and the user's. It is no boundary: a
// script may do anything. The boundary is tools/internal/jail.
//
// Decided against: a list of commands that are safe to run unasked. Every such list
// of other programs was got around (field-notes S-9); the user's own rules are few
// and match only words that are literal.
package permit
