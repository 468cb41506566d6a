package jail

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/filter"
)

// A command shall stop the server that an earlier one left running, and no process of the
// user's. Landlock (version 6) keeps signals within what a command started itself, which
// is too little; no filter knows who is who. So of kill, whose arguments are all numbers,
// the filter hands to Marvin what is for a process that began before the command, and
// Marvin, whom nothing holds, sends the signal if that one is in a jail of the same
// Marvin: see [errands]. All else the kernel decides as Landlock says.

// handOver installs that filter on this thread, permanently, and sends Marvin the other end. With
// observe it reports opened files and contacted hosts as well: see [observed]. With network each
// connection waits for Marvin: see [Jail.Through]. It reports success: before Linux 5.0, and in
// some containers, there is no such filter.
func handOver(observe, network bool) bool {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return false
	}
	var calls []uint32
	if observe {
		for number := range observed() {
			calls = append(calls, uint32(number))
		}
	}
	if network {
		calls = append(calls, unix.SYS_CONNECT, unix.SYS_LISTEN)
	}
	handing, flags := filter.Handing(runtime.GOARCH, uint32(unix.Getpid()), calls), uintptr(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
	if network { // a signal that comes while a connection is led does not begin the call again
		flags |= unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	}
	program := unix.SockFprog{Len: uint16(len(handing)), Filter: &handing[0]}
	listener, _, failed := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if failed != 0 {
		return false
	}
	err := unix.Sendmsg(verdict, nil, unix.UnixRights(int(listener)), nil, 0)
	if err == nil {
		err = unix.Close(int(listener))
	}
	return err == nil
}

// listen reads what the helper says: the error of a layer, or nothing once the command
// begins. What is handed over before is served as long as the command or what it started
// lives.
func (e *Entry) listen() (said []byte, err error) {
	rights := make([]byte, unix.CmsgSpace(4*(2+mostInward)))
	text := make([]byte, 4<<10)
	for {
		n, oobn, _, _, err := unix.Recvmsg(int(e.verdict.Fd()), text, rights, unix.MSG_CMSG_CLOEXEC)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, fmt.Errorf("wait for the sandbox: %w", err)
		case oobn == 0:
			return text[:n], nil
		}
		take := e.serve
		if string(text[:n]) == gateWord {
			take = e.listenFor
		}
		if string(text[:n]) == doorsWord {
			take = e.takeDoors
		}
		if err := take(rights[:oobn]); err != nil {
			return nil, fmt.Errorf("take over what the helper made: %w", err)
		}
	}
}

// newVerdict makes the two ends on which the helper tells how it went.
func newVerdict() (parent, child int, err error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	return ends[0], ends[1], err
}
