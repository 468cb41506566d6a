// Package proc runs child processes for tools, and is the only package that does.
//
// Its promises for every child, each because it went wrong somewhere:
//
//   - It has its own session and no terminal, and stdin is empty: it cannot wait for a password or an invisible editor.
//   - A call ends at most [Drain] after the child. A background process that holds the pipe does not hold the call; it is reported and left alone.
//   - When the context ends, all its processes get TERM and, after a grace period, KILL.
//   - Output is kept in bounded memory, its beginning and its end.
//   - The environment holds no keys, and nothing that redirects git.
//
// How the processes of a call are found: the process group covers most. On Linux, /proc is searched
// for members of the session (job control makes new groups), for a mark in the environment (setsid
// leaves the session), and for their children. Decided against PR_SET_CHILD_SUBREAPER: it applies
// to all of Marvin, its orphans would have to be reaped without disturbing os/exec, and processes
// left running on purpose would change their parent. A process that leaves the session, drops its
// environment and loses its parent before the call is stopped escapes; only a container could hold
// it. On other systems only the process group is covered.
//
// If Marvin itself is killed, the direct child is killed too (Linux, Pdeathsig), so that a script
// does not continue unattended.
//
// Programs are never looked up in the working directory or through a relative PATH entry, nor
// anywhere else the project or a confined command can write ([Distrust]): a repository must not
// bring its own git. Jailed programs, and those the user names, are looked up in the whole PATH. A
// program that only reads can be kept from starting others ([Command.Childless]).
package proc
