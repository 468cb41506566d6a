// Package proc runs child processes for tools, and is the only package that does.
//
// It guarantees the following for every child, because each point has gone wrong somewhere:
//
//   - The child has its own session, no terminal and an empty stdin, so it cannot hang at a
//     password prompt or in an invisible editor.
//   - A call ends at most [Drain] after the child. Background processes that still hold the pipe do
//     not delay the call. They are reported and left alone.
//   - When the context ends, all processes of the call get TERM and, after a grace period, KILL.
//   - Only the beginning and the end of the output are stored, in limited memory.
//   - The environment contains no keys, and no variables that redirect git.
//
// Most processes of a call are in the child's process group. On Linux, /proc is also searched for
// members of the session (job control makes new groups), for processes with a mark in the
// environment (setsid leaves the session), and for the children of all these. A process escapes if
// it leaves the session, drops its environment and loses its parent before the call is stopped.
// Only a container could prevent that. On other systems only the process group is covered.
//
// PR_SET_CHILD_SUBREAPER is not used, because it applies to all of Marvin. Marvin would have to
// reap the orphans without disturbing os/exec, and processes that are left running on purpose would
// get another parent.
//
// If Marvin itself is killed, the direct child is killed too (Linux, Pdeathsig), so that a script
// does not continue unattended.
//
// A repository must not bring its own git. So programs are not looked up in the working directory,
// through a relative PATH entry, or in any other place that the project or a confined command can
// write to ([Distrust]). Jailed programs, and those that the user names, are looked up in the whole
// PATH. A program that only reads can be prevented from starting others ([Command.Childless]).
package proc
