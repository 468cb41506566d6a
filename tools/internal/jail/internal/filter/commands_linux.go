// Package filter builds seccomp filters. They decide which system calls a program may make, and
// which calls wait for Marvin.
package filter

import "golang.org/x/sys/unix"

// A filter sees the number and the argument values of a system call, but cannot read memory.
// Therefore, it refuses clone3, which passes its flags by pointer.

// These constants are offsets in struct seccomp_data of linux/seccomp.h. On amd64 and arm64, which
// are little-endian, the low half of an argument comes first.
const (
	atNumber  = 0
	atMachine = 4
	atFirst   = 16 // low half of the first argument
	atSecond  = 24
	atThird   = 32
)

// These arguments make setpriority and ioprio_set affect all of a user's processes.
const (
	priorityOfUser   = 2 // PRIO_USER
	ioPriorityOfUser = 3 // IOPRIO_WHO_USER
)

// refused contains the system calls that fail with EPERM. They affect other processes, access files
// in unusual ways, or change the kernel. Compilers, tests and servers need none of them.
var refused = [...]uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_PROCESS_MADVISE,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, // filters cannot see the operations in an io_uring
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP, unix.SYS_SYSLOG,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
}

// newNamespaces combines the clone flags that create namespaces.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

const (
	allow  = uint32(unix.SECCOMP_RET_ALLOW)
	refuse = uint32(unix.SECCOMP_RET_ERRNO | unix.EPERM)
	// After ENOSYS from clone3, the C library calls clone, whose flags a filter can see.
	noSuchCall = uint32(unix.SECCOMP_RET_ERRNO | unix.ENOSYS)
	ask        = uint32(unix.SECCOMP_RET_USER_NOTIF)
	kill       = uint32(unix.SECCOMP_RET_KILL_PROCESS)
)

// Commands returns the filter for the command with process ID pid. The first rule for a system call
// decides, and calls without a rule are allowed. If noSockets is true, the command has no network,
// and can use Unix sockets only between its own processes.
func Commands(machine string, pid uint32, noSockets bool) []unix.SockFilter {
	// A 32-bit program belongs to another architecture, which has different call numbers.
	f := []unix.SockFilter{load(atMachine), unless(equal, auditOf(machine), 1), skip(1), answer(kill), load(atNumber)}
	if machine == "amd64" { // larger call numbers belong to x32
		f = append(f, unless(atLeast, 0x40000000, 1), answer(kill))
	}
	for _, number := range refused {
		f = append(f, unless(equal, number, 1), answer(refuse))
	}
	if noSockets {
		f = append(f, unless(equal, unix.SYS_SOCKET, 1), answer(refuse))
	}
	f = append(f, unless(equal, unix.SYS_CLONE3, 1), answer(noSuchCall))
	f = append(f, ruleFor(unix.SYS_CLONE, atFirst, unless(anyBit, newNamespaces, 1), answer(refuse))...)
	// A new limit could end another process, or prevent it from writing. Process 0 means the
	// caller, and a process may change its own limits.
	f = append(f, ruleFor(unix.SYS_PRLIMIT64, atFirst, unless(equal, 0, 1), answer(allow),
		load(atThird), unless(equal, 0, 3), load(atThird+4), unless(equal, 0, 1), answer(allow), answer(refuse))...)
	// A command must not change the priority, scheduling class or processors of an older process.
	// Older processes have lower PIDs than the command, until the PIDs wrap around.
	for _, call := range [...]uint32{unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR} {
		f = append(f, ruleFor(call, atFirst, unless(equal, 0, 1), answer(allow), unless(atLeast, pid, 1), answer(allow), answer(refuse))...)
	}
	for call, user := range map[uint32]uint32{unix.SYS_SETPRIORITY: priorityOfUser, unix.SYS_IOPRIO_SET: ioPriorityOfUser} {
		f = append(f, ruleFor(call, atFirst, unless(equal, user, 1), answer(refuse),
			load(atSecond), unless(equal, 0, 1), answer(allow), unless(atLeast, pid, 1), answer(allow), answer(refuse))...)
	}
	// Commands must not insert terminal input, because the user's shell would execute this input.
	f = append(f, ruleFor(unix.SYS_IOCTL, atSecond,
		unless(equal, unix.TIOCSTI, 1), answer(refuse), unless(equal, unix.TIOCLINUX, 1), answer(refuse))...)
	f = append(f, ruleFor(unix.SYS_SOCKET, atFirst,
		unless(equal, unix.AF_UNIX, 1), answer(allow),
		unless(equal, unix.AF_NETLINK, 1), answer(allow), // programs use raw sockets to list interfaces
		unless(equal, unix.AF_INET, 1), skip(3),
		unless(equal, unix.AF_INET6, 1), skip(1),
		answer(refuse),
		load(atSecond), masked(0xf), unless(equal, unix.SOCK_RAW, 1), answer(refuse))...)
	return append(f, answer(allow))
}

// Notify returns a filter that asks Marvin about the given system calls, and about kill(2) for a
// process or group whose number is below pid.
func Notify(machine string, pid uint32, calls []uint32) []unix.SockFilter {
	filter := []unix.SockFilter{load(atMachine), unless(equal, auditOf(machine), 1), skip(1), answer(allow), load(atNumber)}
	filter = append(filter, ruleFor(unix.SYS_KILL, atFirst,
		unless(equal, 0, 1), answer(allow), // its own group
		unless(equal, 1<<32-1, 1), answer(allow), // every process to which Landlock permits signals
		unless(atLeast, -pid+1, 1), answer(ask), // -2 down to -pid+1: a group with a number below pid
		unless(atLeast, pid, 1), answer(allow), // a process or group whose number is at least pid
		answer(ask))...)
	for _, number := range calls {
		filter = append(filter, unless(equal, number, 1), answer(ask))
	}
	return append(filter, answer(allow))
}

// auditOf returns the number that the kernel uses for an architecture.
func auditOf(machine string) uint32 {
	if machine == "arm64" {
		return unix.AUDIT_ARCH_AARCH64
	}
	return unix.AUDIT_ARCH_X86_64
}

// ruleFor returns a rule that checks one argument of one call.
func ruleFor(number uint32, argument uint32, rule ...unix.SockFilter) []unix.SockFilter {
	rule = append([]unix.SockFilter{load(argument)}, rule...)
	rule = append(rule, answer(allow)) // no other rule applies to this call
	return append([]unix.SockFilter{unless(equal, number, uint8(len(rule)))}, rule...)
}

// These constants are the tests that a jump can make.
const (
	equal   = unix.BPF_JEQ
	atLeast = unix.BPF_JGE
	anyBit  = unix.BPF_JSET
)

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func unless(test uint16, value uint32, count uint8) unix.SockFilter {
	// The filter skips the given number of instructions if the test is false.
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_K | test, Jf: count, K: value}
}

func skip(over uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: over}
}

func masked(bits uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: bits}
}

func answer(verdict uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: verdict}
}
