package jail

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/placeholder"
)

// errand is a system call that waits for Marvin's answer: struct seccomp_notif.
type errand struct {
	id        uint64
	pid       uint32
	flags     uint32
	number    int32
	machine   uint32
	from      uint64
	arguments [6]uint64
}

// outcome is the answer to an errand: struct seccomp_notif_resp.
type outcome struct {
	id    uint64
	value int64
	err   int32
	flags uint32
}

// errands delivers a command's signals to processes of earlier commands. It also detects the end of
// the command's last process, because no process can remove the seccomp filter.
type errands struct {
	file *os.File // the filter's descriptor, from which Marvin receives the calls
	temp string   // the private directory, which identifies the jails of this process

	observer *observer // nil if the program is not observed
	network  Network   // carries connections; may be nil
	doors    *doors

	// mounts is a file that keeps the mount namespace open until Marvin has handled the end of the
	// command. Otherwise, the kernel would remove the mounts before it reports the end. The removal
	// takes at least 0.1 ms, and 1.5 ms on a busy machine.
	mounts *os.File

	after chan func()   // receives one function, which runs at the end
	ended chan struct{} // closed when that function has returned
}

// serve creates a goroutine that answers the command's calls. The socket control message contains
// the descriptor of the filter. If it contains no descriptor, serve does nothing.
func (e *Entry) serve(rights []byte) error {
	file, err := handed(rights)
	if err != nil || file < 0 {
		return err
	}
	if err := unix.SetNonblock(file, true); err != nil { // otherwise a read would block a thread
		return err
	}
	e.errands = &errands{
		file: os.NewFile(uintptr(file), "signals"), temp: e.jail.plan.Temp, observer: e.jail.observer, network: e.jail.network, doors: e.doors,
		after: make(chan func(), 1), ended: make(chan struct{}),
	}
	if e.Beside {
		e.errands.mounts, _ = os.Open("/proc/" + strconv.Itoa(e.pid) + "/ns/mnt") // if this fails, Marvin notices the end of the command later
	}
	e.errands.observer.begin()
	go e.errands.serve()
	return nil
}

// handed extracts the descriptor from a socket control message. It returns -1 if there is none, or
// more than one.
func handed(rights []byte) (file int, err error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) == 0 {
		return -1, err
	}
	files, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(files) != 1 {
		return -1, err
	}
	return files[0], nil
}

// cleanup runs after all processes have ended. It runs synchronously only if async is false and no
// process is left.
func (r *errands) finally(cleanup func(), async bool) {
	if r.gone() && !async {
		cleanup()
		cleanup = func() {}
	}
	r.after <- cleanup
}

// gone determines, with one poll call, whether the command and all its children have ended.
func (r *errands) gone() (over bool) {
	raw, err := r.file.SyscallConn()
	if err == nil {
		err = raw.Control(func(file uintptr) { _, over = waits(file) })
	}
	return over || err != nil
}

// waits polls the descriptor of a filter or a process. For a filter, the first result is true if a
// system call needs an answer, and the second if all processes have ended. For a process (a pidfd),
// the first result is true if the process has ended.
func waits(file uintptr) (call, over bool) {
	ready := []unix.PollFd{{Fd: int32(file), Events: unix.POLLIN}}
	n, err := unix.Poll(ready, 0)
	return n > 0 && ready[0].Revents&unix.POLLIN != 0, n > 0 && ready[0].Revents&unix.POLLIN == 0 || err != nil && err != unix.EINTR
}

// serve responds to calls until the command and all its children have ended and the placeholders
// are removed. It recovers from panics, because a panic would end Marvin and leave the terminal in
// raw mode. After a panic, the command's later calls fail.
func (r *errands) serve() {
	defer close(r.ended)
	defer func() { _ = recover() }()
	defer func() {
		do := <-r.after
		_, _ = r.file.Close(), r.mounts.Close()
		do()
	}()
	if r.network != nil {
		defer r.doors.close()
		defer r.network.Close()
	}
	raw, err := r.file.SyscallConn()
	if err != nil {
		return
	}
	// If the function returns false, raw.Read calls the function again when the file is readable.
	_ = raw.Read(func(file uintptr) (done bool) {
		for {
			call, over := waits(file)
			if !call {
				return over
			}
			r.serveNext(file)
		}
	})
}

// serveNext receives and answers one system call.
func (r *errands) serveNext(file uintptr) {
	var call errand
	if _, _, failed := unix.Syscall(unix.SYS_IOCTL, file, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&call))); failed != 0 {
		return
	}
	if r.network != nil && call.number != unix.SYS_KILL {
		go r.answerConnect(call)
		return
	}
	reply := outcome{id: call.id}
	if call.number == unix.SYS_KILL {
		reply.err = -int32(r.send(int(int32(call.arguments[0])), unix.Signal(call.arguments[1])))
	} else {
		r.observer.note(int(call.pid), int(call.number), call.arguments)
		reply.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE // the kernel executes the call if the other layers permit it
	}
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, file, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&reply))) // fails if the process has ended
}

// send sends a signal as kill(2) does, but only to processes that [errands.ours] accepts.
func (r *errands) send(to int, signal unix.Signal) unix.Errno {
	if to > 0 {
		return r.sendOne(to, signal)
	}
	result := unix.ESRCH
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if group, err := unix.Getpgid(pid); err != nil || group != -to {
			continue
		}
		// The result is 0 if at least one signal was sent, as in kill(2).
		if answer := r.sendOne(pid, signal); result != 0 {
			result = answer
		}
	}
	return result
}

// sendOne sends the signal through a pidfd, because the pid could be reused after the check.
func (r *errands) sendOne(pid int, signal unix.Signal) unix.Errno {
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return errno(err)
	}
	defer func() { _ = unix.Close(pidfd) }()
	if !r.ours(pid, pidfd) {
		return unix.EPERM
	}
	return errno(unix.PidfdSendSignal(pidfd, signal, nil, 0))
}

// mostEnvReads is the maximum number of attempts to read a process's environment, 1 ms apart.
// During execve, the environment is empty for about 0.1 ms, or longer on a busy machine.
const mostEnvReads = 50

// ours returns true if a process is in a jail whose private directory is r.temp. In a jail with
// mounts, the process cannot remove the mount point r.temp. Other jails only have TMPDIR.
func (r *errands) ours(pid, pidfd int) bool {
	of := "/proc/" + strconv.Itoa(pid)
	for range mostEnvReads {
		environ, err := environOf(of)
		if bytes.Contains(append([]byte{0}, environ...), []byte("\x00TMPDIR="+r.temp+"\x00")) { // the first variable has no zero byte before it
			return true
		}
		table, failed := os.ReadFile(of + "/mountinfo")
		if failed == nil && placeholder.MountPoints(table)[r.temp] {
			return true
		}
		if ended, _ := waits(uintptr(pidfd)); err != nil || len(environ) > 0 || ended {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// environOf reads an environment in one step. os.ReadFile uses several steps, and would miss a part
// if the process executed another program between two steps.
func environOf(process string) ([]byte, error) {
	file, err := os.Open(process + "/environ")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := make([]byte, 256<<10)
	n, err := file.Read(text)
	if n == len(text) { // the buffer is full; the environment and the arguments can total 6 MB
		return os.ReadFile(process + "/environ")
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return text[:n], err
}

func errno(err error) unix.Errno {
	var number unix.Errno
	switch {
	case err == nil:
		return 0
	case errors.As(err, &number):
		return number
	}
	return unix.EPERM
}
