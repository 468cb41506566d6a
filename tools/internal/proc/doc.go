// Package proc is the only package that runs child processes for tools.
//
// It guarantees the following for every child:
//
//   - The child has its own session, no terminal and an empty stdin, so it cannot hang at a
//     password prompt or in an invisible editor.
//   - A call ends at most [Drain] after the child. Background processes that still hold the pipe do
//     not delay the call. They are reported and left alone.
//   - When the context ends, all processes of the call get TERM and, after a grace period, KILL.
//   - Only the beginning and the end of the output are stored, so memory use is limited.
//   - The environment contains neither keys nor variables that redirect git.
//
// Most processes of a call are in the child's process group. On Linux, the package also searches
// /proc for members of the session (job control makes new groups), for processes with the call's
// mark in their environment (setsid leaves the session), and for descendants of all these
// processes. A process escapes if it leaves the session, drops its environment and loses its parent
// before the call is stopped. Only a container could prevent that. On other systems, only the
// process group is covered.
//
// PR_SET_CHILD_SUBREAPER is not used, because it applies to the whole Marvin process. Marvin would
// have to reap the orphans without disturbing os/exec. Processes that are left running on purpose
// would get another parent.
//
// On Linux, if Marvin is killed, the direct child is killed too (Pdeathsig), so that a script does
// not continue unattended.
//
// A repository must not replace programs such as git. So programs are not looked up in the working
// directory, through a relative PATH entry, or in any other place that the project or a confined
// command can write to ([Distrust]). Jailed programs, and programs that the user names, are looked
// up in the whole PATH. [Command.Childless] can prevent a program from starting other programs.
package proc
