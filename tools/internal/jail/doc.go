// Package jail confines a command to its working directory, by means of the operating system.
//
// On Linux three layers are in place before the command's first instruction. If the system lacks
// mounts or Landlock, the jail is smaller (see [Keeper.Lacks]). If it lacks more, the error wraps
// [ErrMissing] and nothing runs.
//
//   - Landlock (version 3, Linux 6.2): writing only below the directories of the plan, and no
//     access to outside processes, so that Marvin's keys cannot be read from /proc. Everything not
//     hidden may be read. From version 6 on, no signals to outside processes; processes of earlier
//     commands are stopped through Marvin (see errands).
//   - A mount namespace, for rules that Landlock cannot express. Landlock has no right for metadata
//     (chmod, chown, touch, chattr), so everything not writable is mounted read-only. Landlock also
//     grants only whole trees, but the user's next git, outside, would run .git/config and
//     .git/hooks. They are mounted read-only over themselves, which also prevents rename and
//     unlink; so are symbolic links in their paths. Keys, logins, Marvin's state and sockets of
//     services (Docker, D-Bus, tmux, databases) are hidden. /tmp is a private directory, and System
//     V's shared memory is the command's own.
//   - no_new_privs, no capabilities beyond files, and seccomp: no ptrace, io_uring, mount, bpf,
//     kexec, keyrings, raw and exotic sockets, namespaces, or limits and priorities of other
//     processes.
//
// A missing path cannot be protected by a mount. So placeholders for missing .git, .git/hooks and
// .git/commondir (a file that redirects git's configuration) are created, empty or without effect,
// and removed after the command's last process has ended, which the signal filter reports.
//
// The child is this same program with __jail as its first argument. The init function of the helper
// package recognizes it and becomes the command before the rest of the program is initialized. So
// any process that links this package can be its own helper, including tests.
//
// docs/sandbox.md lists the limits of the layers.
//
// Decided against: bubblewrap, which is often missing; silent best effort, which would protect
// nothing on the machine that needs it (a smaller jail is reported); a thread in a Landlock domain
// from which all commands start, because a domain without file rules still forbids moving files
// between directories; a process namespace, which would end servers that a command leaves running.
package jail
