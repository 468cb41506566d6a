// Package jail keeps a command from doing more than its working directory needs,
// by means of the operating system.
//
// On Linux three layers are put on before the command's first instruction, and all
// of them must hold: a missing one is an error that wraps [ErrMissing], never less
// of a jail.
//
//   - Landlock (version 3, Linux 6.2): writes only below the directories of the plan,
//     and no looking into processes outside, so that nobody reads Marvin's keys from
//     /proc. Everything may be read that is not hidden.
//   - A mount namespace: what Landlock cannot say. It knows no right for what is said of
//     a file (chmod, chown, touch, chattr), so all but what may be written is mounted
//     read-only. And it only grants whole trees, but .git/config and .git/hooks in the
//     middle of the working directory would be run by the user's next git, outside. They
//     are mounted read-only over themselves, which also holds against rename and unlink.
//     Key files, Marvin's state and the sockets of programs that run commands for whoever
//     asks (Docker, D-Bus, tmux) are hidden. /tmp is a directory of this Marvin's own, and
//     the shared memory of System V is the command's.
//   - no_new_privs, no capabilities that reach beyond files, and seccomp: no ptrace,
//     io_uring, mount, bpf, kexec, keyrings, raw and exotic sockets, namespaces, limits of
//     other processes.
//
// A name that does not exist cannot be mounted over. So .git, .git/hooks and
// .git/commondir (a file that makes git read its configuration elsewhere) are made
// for as long as a command runs where they are missing, empty or saying nothing,
// and taken away after it.
//
// How it starts: the child is this same program with the word [Word] first. The
// package's init sees the word and becomes the command, before the rest of the
// program is initialised: that saves 2.3 ms of each command, of which 3.5 are left (the
// least of 300 runs; BenchmarkCommand). 1.4 of those are packages that come before this
// one, because it needs fmt and encoding/json.
// Whatever process links this package can be its own helper, tests too.
//
// What the layers do not hold: a repository below the working directory (its hooks
// are as writable as its files, and git status at the top reads its configuration once
// it was added), a bare repository made where there is no .git, caches of compilers and
// package managers, which are shared with the user's own builds (not in strict mode),
// signals to the user's other processes (a command must be able to stop the server that
// an earlier one started; not in strict mode), and sockets of the user's own programs in
// places that nobody knows. Without Landlock 6 (Linux 6.12) abstract sockets, such as
// that of X11.
//
// Decided against: bubblewrap, which is not there when it is needed; best effort,
// because it means none on the machine where it matters; a process namespace, which
// would end the servers that a command leaves running.
package jail
