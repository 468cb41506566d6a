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

// errand is a call of kill that a command is waiting for: struct seccomp_notif.
type errand struct {
	id        uint64
	pid       uint32
	flags     uint32
	number    int32
	machine   uint32
	from      uint64
	arguments [6]uint64
}

// outcome is its answer: struct seccomp_notif_resp.
type outcome struct {
	id    uint64
	value int64
	err   int32
	flags uint32
}

// errands delivers the signals of a command to processes of earlier commands. The filter also
// reports when the command and all its children are gone, wherever they hid: no process can remove
// it.
type errands struct {
	file *os.File // the other end of the filter
	temp string   // the private directory, by which the processes of the same Marvin are known

	observer *observer // nil without observation
	network  Network   // carries connections; may be nil
	doors    *doors

	// mounts are the mounts of an ended command, kept by a waiting process. As long as they are
	// held, the command ends sooner: taking a set of mounts apart takes at least 0.1 ms, 1.5 on a
	// busy machine, and the kernel does it before it reports the end.
	mounts *os.File

	after chan func()   // brings what is to be done in the end, once
	ended chan struct{} // closed when that is done
}

// serve begins to run the errands of a command.
func (e *Entry) serve(rights []byte) error {
	file, err := handed(rights)
	if err != nil || file < 0 {
		return err
	}
	if err := unix.SetNonblock(file, true); err != nil { // otherwise a thread would block on it
		return err
	}
	e.errands = &errands{
		file: os.NewFile(uintptr(file), "signals"), temp: e.jail.plan.Temp, observer: e.jail.observer, network: e.jail.network, doors: e.doors,
		after: make(chan func(), 1), ended: make(chan struct{}),
	}
	if e.Beside {
		e.errands.mounts, _ = os.Open("/proc/" + strconv.Itoa(e.pid) + "/ns/mnt") // without it, it takes longer
	}
	e.errands.observer.begin()
	go e.errands.all()
	return nil
}

// handed is the descriptor that a message of the helper brings, -1 if it brings none.
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

// finally does something once all is over: then, or now, and beside what follows where the
// command is one that is left so; who wants to know waits for ended.
func (r *errands) finally(do func(), beside bool) {
	if r.gone() && !beside {
		do()
		do = func() {}
	}
	r.after <- do
}

// gone says that the command and all that it started are gone. It costs a poll.
func (r *errands) gone() (over bool) {
	raw, err := r.file.SyscallConn()
	if err == nil {
		err = raw.Control(func(file uintptr) { _, over = waits(file) })
	}
	return over || err != nil
}

// waits says whether a call waits, and whether none will any more.
func waits(file uintptr) (call, over bool) {
	ready := []unix.PollFd{{Fd: int32(file), Events: unix.POLLIN}}
	n, err := unix.Poll(ready, 0)
	return n > 0 && ready[0].Revents&unix.POLLIN != 0, n > 0 && ready[0].Revents&unix.POLLIN == 0 || err != nil && err != unix.EINTR
}

// all returns when the command and all its children are gone and the placeholders are removed. It
// recovers from panics, which would end Marvin with a raw terminal; without its service calls fail.
func (r *errands) all() {
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
	// This returns at the end of the file only: done says so.
	_ = raw.Read(func(file uintptr) (done bool) {
		for {
			call, over := waits(file)
			if !call {
				return over
			}
			r.one(file)
		}
	})
}

// one takes a call, if it is still waited for, and answers it.
func (r *errands) one(file uintptr) {
	var call errand
	if _, _, failed := unix.Syscall(unix.SYS_IOCTL, file, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&call))); failed != 0 {
		return
	}
	if r.network != nil && call.number != unix.SYS_KILL {
		go r.beside(call)
		return
	}
	reply := outcome{id: call.id}
	if call.number == unix.SYS_KILL {
		reply.err = -int32(r.send(int(int32(call.arguments[0])), unix.Signal(call.arguments[1])))
	} else {
		r.observer.note(int(call.pid), int(call.number), call.arguments)
		reply.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE // what holds the call are the other layers
	}
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, file, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&reply))) // it may be gone meanwhile
}

// send is kill, for those who are in a jail of this Marvin. It returns 0 or an error.
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
		if answer := r.sendOne(pid, signal); result != 0 { // one that it reached is enough
			result = answer
		}
	}
	return result
}

// sendOne holds the process before it looks who that is: its number may be another's then.
func (r *errands) sendOne(pid int, signal unix.Signal) unix.Errno {
	held, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return errno(err)
	}
	defer func() { _ = unix.Close(held) }()
	if !r.ours(pid, held) {
		return unix.EPERM
	}
	return errno(unix.PidfdSendSignal(held, signal, nil, 0))
}

// becoming is how often a process is looked at, a millisecond apart, that shows no environment
// because it becomes another program just now: 0.1 ms, or longer where the machine is busy.
const becoming = 50

// ours says whether a process is in a jail of this Marvin: it has its private directory,
// as a mount that it cannot take off, or where there are none in its environment. Held is a
// pidfd of it.
func (r *errands) ours(pid, held int) bool {
	of := "/proc/" + strconv.Itoa(pid)
	for range becoming {
		environ, err := environOf(of)
		if bytes.Contains(append([]byte{0}, environ...), []byte("\x00TMPDIR="+r.temp+"\x00")) { // which may stand first
			return true
		}
		table, failed := os.ReadFile(of + "/mountinfo")
		if failed == nil && placeholder.MountPoints(table)[r.temp] {
			return true
		}
		if ended, _ := waits(uintptr(held)); err != nil || len(environ) > 0 || ended {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// environOf reads an environment at once: in pieces, as os.ReadFile does, it ends where the
// process becomes another program between two of them.
func environOf(process string) ([]byte, error) {
	file, err := os.Open(process + "/environ")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := make([]byte, 256<<10)
	n, err := file.Read(text)
	if n == len(text) { // up to 6 MB, with the arguments, are possible
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
