//go:build amd64 || arm64

package disktest

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// variable holds the name of an environment variable. If that environment variable is set, [Main]
// installs the filter and sends the listener over the socket at file descriptor 3.
const variable = "MARVIN_DISKTEST"

// watchedCalls lists the system calls that the kernel reports to the watching process.
var watchedCalls = []uint32{
	unix.SYS_OPENAT, unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_FSYNC, unix.SYS_FDATASYNC,
	unix.SYS_FTRUNCATE, unix.SYS_TRUNCATE, unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_MKDIRAT, unix.SYS_UNLINKAT,
	unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_FLOCK, unix.SYS_COPY_FILE_RANGE,
}

// Main installs the filter in a process that [Watch] started, and then restarts the program. In the
// restarted program and in all other processes, Main does nothing. Call Main at the start of
// TestMain.
func Main() {
	if os.Getenv(variable) == "" {
		return
	}
	fmt.Fprintln(os.Stderr, "disktest:", watchMe())
	os.Exit(3)
}

func watchMe() error {
	runtime.LockOSThread() // the filter is per thread, and exec keeps only this thread
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	listener, err := install()
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	if err := unix.Sendmsg(3, []byte{1}, unix.UnixRights(listener), nil, 0); err != nil {
		return fmt.Errorf("hand over the listener: %w", err)
	}
	unix.CloseOnExec(3)
	unix.CloseOnExec(listener)
	program, err := os.Executable()
	if err != nil {
		return err
	}
	var environ []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, variable+"=") {
			environ = append(environ, entry)
		}
	}
	return syscall.Exec(program, os.Args, environ)
}

// install installs the filter for this thread and its future child processes. Before running any
// call that watchedCalls lists, the kernel reports the call to the listener. After the watcher has
// received the report, the signals of the Go runtime cannot interrupt the call. The filter also
// disables prctl(PR_SET_DUMPABLE). Otherwise, a watcher without root privileges could not read file
// names from the process's memory.
func install() (listener int, err error) {
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}} // the call number
	for i, number := range watchedCalls {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(len(watchedCalls) - i + 4), K: number})
	}
	const firstArgument = 16 // in struct seccomp_data
	program = append(program,
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 2, K: unix.SYS_PRCTL},
		unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: firstArgument},
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: unix.PR_SET_DUMPABLE},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		// The error number is 0, so the call appears to succeed.
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF},
	)
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return 0, errno
	}
	return int(fd), nil
}
