// Package jail keeps a command from doing more than its working directory needs,
// by means of the operating system.
//
// On Linux three layers are put on before the command's first instruction. Where there
// are no mounts, or no Landlock, the jail is smaller (see [Keeper.Lacks]); with less than
// that, the error wraps [ErrMissing] and nothing runs.
//
//   - Landlock (version 3, Linux 6.2): writes only below the directories of the plan,
//     and no looking into processes outside, so that nobody reads Marvin's keys from
//     /proc. Everything may be read that is not hidden. From version 6 on no signals to
//     processes outside; what an earlier command left running is stopped through Marvin
//     (see errands).
//   - A mount namespace: what Landlock cannot say. It knows no right for what is said of
//     a file (chmod, chown, touch, chattr), so all but what may be written is mounted
//     read-only. And it only grants whole trees, but .git/config and .git/hooks in the
//     middle of the working directory would be run by the user's next git, outside. They
//     are mounted read-only over themselves, which also holds against rename and unlink;
//     so are symbolic links there. Keys, logins, Marvin's state and the sockets at which
//     somebody listens (Docker, D-Bus, tmux, databases) are hidden. /tmp is a directory of
//     this Marvin's own, and the shared memory of System V is the command's.
//   - no_new_privs, no capabilities that reach beyond files, and seccomp: no ptrace,
//     io_uring, mount, bpf, kexec, keyrings, raw and exotic sockets, namespaces, limits and
//     priorities of other processes.
//
// A name that does not exist cannot be mounted over. So .git, .git/hooks and
// .git/commondir (a file that makes git read its configuration elsewhere) are made
// for as long as a command runs where they are missing, empty or saying nothing,
// and taken away after it, when its last process is gone: the filter of its signals tells.
//
// How it starts: the child is this same program with the word [Word] first. The
// package's init sees the word and becomes the command, before the rest of the
// program is initialised: that saves 2.3 ms of each command, of which 4 are left (the
// least of 300 runs; BenchmarkCommand). 1.4 of those are packages that come before this
// one, because it needs fmt and encoding/json.
// Whatever process links this package can be its own helper, tests too.
//
// What the layers do not hold is in docs/sandbox.md.
//
// Decided against: bubblewrap, which is not there when it is needed; best effort,
// because it means none on the machine where it matters (a smaller jail is one that says
// so); a thread in a domain of Landlock from which all commands are born, because a domain
// without rules for files still forbids to move files between directories; a process
// namespace, which would end the servers that a command leaves running.
package jail
