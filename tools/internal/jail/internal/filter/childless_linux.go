package filter

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ownChild is a harmless clone flag that programs do not use. Marvin sets the flag to start a
// child, and the filter refuses all other new processes.
const ownChild = unix.CLONE_IO

// lookForPidfd makes the os package test for pidfd support now. Otherwise the package would do so
// when Marvin starts a child.
var lookForPidfd = sync.OnceFunc(func() { _, _ = os.FindProcess(os.Getpid()) })

// Childless prevents the children of the calling thread from starting programs: they can create
// threads, but no processes. The effect lasts as long as the thread, so the goroutine must lock the
// thread and end without unlocking it. The children must be started with the returned attributes.
// Without seccomp the attributes have no effect, so callers must treat Childless as an additional
// protection only.
func Childless() (attributes func(*syscall.SysProcAttr)) {
	lookForPidfd()
	filter := childless(runtime.GOARCH)
	if filter == nil {
		return func(*syscall.SysProcAttr) {}
	}
	compiled := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil {
		_ = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&compiled)), 0, 0)
	}
	return func(attributes *syscall.SysProcAttr) { attributes.Cloneflags |= ownChild }
}

// childless returns the filter of [Childless], or nil for an unknown architecture.
func childless(machine string) []unix.SockFilter {
	audit, forks := uint32(unix.AUDIT_ARCH_X86_64), []uint32{57, 58} // fork and vfork
	switch machine {
	case "amd64":
	case "arm64": // has only clone
		audit, forks = unix.AUDIT_ARCH_AARCH64, nil
	default:
		return nil
	}
	f := []unix.SockFilter{load(atMachine), unless(equal, audit, 1), skip(1), answer(kill), load(atNumber)}
	if machine == "amd64" { // the numbers of x32 calls are at least 0x40000000
		f = append(f, unless(atLeast, 0x40000000, 1), answer(kill))
	}
	for _, number := range forks {
		f = append(f, unless(equal, number, 1), answer(refuse))
	}
	f = append(f, unless(equal, unix.SYS_CLONE3, 1), answer(noSuchCall))
	f = append(f, ruleFor(unix.SYS_CLONE, atFirst, unless(anyBit, unix.CLONE_THREAD|ownChild, 1), answer(allow), answer(refuse))...)
	return append(f, answer(allow))
}
