// Package proc runs child processes for tools, and is the only package that does.
//
// What it promises of every child, each because it went wrong somewhere:
//
//   - It has a session of its own and no terminal, and stdin is empty: nothing can
//     wait for a password or an editor that nobody sees.
//   - A call ends when the child ends, at most [Drain] later. A background process
//     that holds the pipe does not hold the call; it is reported and left alone.
//   - When the context ends, everything that the child started is told TERM and,
//     after a grace, KILL.
//   - Output is kept in bounded memory, its beginning and its end.
//   - The environment holds no keys, and nothing that redirects git.
//
// How the processes of a call are found. The process group covers most. On Linux
// /proc is searched as well, for members of the session (job control, set -m, makes
// new groups), for a mark in the environment (setsid leaves the session), and for
// children of those. PR_SET_CHILD_SUBREAPER was decided against: it is a property
// of the whole of Marvin, its orphans would have to be reaped without taking away
// what os/exec waits for, and processes left running on purpose would change their
// parent. A process that leaves the session, drops its environment and loses its
// parent before the call is stopped gets away; only a container could hold it.
// Elsewhere than on Linux only the process group is covered.
//
// If Marvin itself is killed, the direct child is killed too (Linux, Pdeathsig), so
// that a script does not go on to its next line with nobody watching.
//
// Programs are never looked up in the working directory or through a relative
// PATH entry, nor wherever else the project or a held command can write ([Distrust]):
// a repository must not be able to bring its own git. The whole PATH is for what a jail
// holds and for what a person wants by name. What only reads can be kept from starting
// anything ([Command.Childless]).
package proc
