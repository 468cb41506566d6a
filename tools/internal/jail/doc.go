// Package jail confines a command to its working directory, by means of the operating system.
//
// On Linux three layers are in place before the command's first instruction. Without mounts or
// without Landlock the jail has fewer layers (see [Keeper.Lacks]). Nothing runs if seccomp is
// missing, or if both mounts and Landlock are missing. In this case, the error wraps [ErrMissing].
//
//   - Landlock (version 3, Linux 6.2): A command can read everything that is not hidden, but can
//     write only below the directories of the plan. It has no access to outside processes, so it
//     cannot read Marvin's keys from /proc. From version 6 on, it cannot send signals to outside
//     processes either, if it is offline or has a signal filter. If a command with a signal filter
//     signals a process of an earlier command, Marvin sends the signal for it (see errands).
//   - A mount namespace, for rules that Landlock cannot express. Landlock has no access right for
//     metadata (chmod, chown, touch, chattr), so everything that is not writable is mounted
//     read-only. Landlock grants writing only to whole trees, so it cannot protect .git/config and
//     .git/hooks in a writable tree. A command could plant a program there, and the user's git
//     would later run that program outside the jail. So these paths, and the symbolic links in
//     them, are mounted read-only over themselves. Such a mount also prevents rename and unlink.
//     Keys, logins, Marvin's state and the sockets of services (Docker, D-Bus, tmux, databases) are
//     hidden. The commands of a Marvin process share a private /tmp. Each command has its own
//     System V shared memory.
//   - no_new_privs, no capabilities except those for files, owners and ports, and seccomp. The
//     seccomp filter forbids ptrace, io_uring, mount, bpf, kexec, keyrings, raw sockets, unusual
//     socket families, and new namespaces. It also forbids changes to the limits of other processes
//     and to the priorities of older processes.
//
// A missing path cannot be protected by a mount. So if a protected path is missing, such as .git,
// .git/hooks or .git/commondir (a file that redirects git's configuration), Marvin creates an empty
// or ineffective placeholder. It removes the placeholder when no process of any command needs the
// placeholder. The signal filter, if there is one, reports the end of a command's last process.
//
// The child runs the same program as Marvin, with __jail as its first argument. The init function
// of the helper package recognizes this argument, and executes the command before the rest of the
// program is initialized. So any program that links this package, even a test, can be its own
// helper.
//
// docs/sandbox.md lists the limits of the layers.
//
// Marvin does not use bubblewrap, because bubblewrap is often missing. A missing layer is always
// reported, because otherwise nobody would notice that the sandbox is weaker. Commands do not start
// from a thread in a Landlock domain, because even a domain without file rules forbids moving files
// between directories. Commands get no process namespace, because the end of a namespace also ends
// the servers that a command leaves running.
package jail
