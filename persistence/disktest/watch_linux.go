//go:build amd64 || arm64

package disktest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Verdict decides what happens to a call. The zero value lets the call run.
type Verdict struct {
	Fail unix.Errno
	Half bool // requests a short write of the first half of the data
	// Hold, if set, delays the call until the channel closes. Other calls proceed.
	Hold <-chan struct{}
}

// ErrNotHere reports that [Watch] cannot watch processes on this system.
var ErrNotHere = errors.New("the kernel gives no seccomp notifications here")

// heldCalls counts the calls that wait for their [Verdict.Hold].
type heldCalls struct {
	sync.WaitGroup
	over chan struct{} // closed when the process has ended
}

// Watch runs a command and returns the command's error. The command's program must first call
// [Main]. Watch invokes the callback before each watched system call on dir or on a path below dir,
// and before each write to standard output. The invocations never overlap.
func Watch(command *exec.Cmd, dir string, judge func(Call) Verdict) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	defer ours.Close()
	if command.Env == nil {
		command.Env = os.Environ()
	}
	command.Env = append(command.Env[:len(command.Env):len(command.Env)], variable+"=1")
	command.ExtraFiles = []*os.File{theirs}
	err = command.Start()
	theirs.Close()
	if err != nil {
		return err
	}
	listener, err := receive(pair[0])
	if err != nil {
		_ = command.Wait()
		return fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	var held heldCalls
	held.over = make(chan struct{})
	defer func() {
		close(held.over)
		held.Wait()
		unix.Close(listener)
	}()
	// The watcher and the watched process take turns, and this flag keeps them on one processor.
	// Waking a second processor took 20% of the tests' running time. Kernels before 6.6 do not
	// support the flag.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SET_FLAGS, unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP)
	for {
		more, err := serve(listener, dir, judge, &held)
		if err != nil {
			_ = command.Process.Kill()
			return errors.Join(err, command.Wait())
		}
		if !more {
			return command.Wait()
		}
	}
}

// receive waits for the listener that the new process sends.
func receive(socket int) (listener int, err error) {
	data, control := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	n, length, _, _, err := unix.Recvmsg(socket, data, control, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, errors.New("it ended before")
	}
	messages, err := unix.ParseSocketControlMessage(control[:length])
	if err != nil || len(messages) != 1 {
		return 0, fmt.Errorf("no listener came: %w", err)
	}
	files, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return 0, err
	}
	return files[0], nil
}

// response is the kernel's struct seccomp_notif_resp.
type response struct {
	id    uint64
	value int64
	fail  int32
	flags uint32
}

// serve responds to one notification. It returns false if no watched process is left.
func serve(listener int, dir string, judge func(Call) Verdict, held *heldCalls) (more bool, err error) {
	poll := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
	if _, err := unix.Poll(poll, -1); err != nil {
		if errors.Is(err, unix.EINTR) {
			return true, nil
		}
		return false, err
	}
	if poll[0].Revents&unix.POLLIN == 0 {
		return false, nil
	}
	var asked notification
	if errno := ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&asked)); errno != 0 {
		if errno == unix.ENOENT || errno == unix.EINTR { // killed meanwhile
			return true, nil
		}
		return false, errno
	}
	answer := response{id: asked.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	if call, ok := asked.call(); ok && (call.ToStdout() || call.below(dir)) {
		verdict := judge(call)
		switch {
		case verdict.Hold != nil:
			held.Go(func() {
				select {
				case <-verdict.Hold:
				case <-held.over:
				}
				_ = ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&answer)) // a killed process needs no answer
			})
			return true, nil
		case verdict.Fail != 0:
			answer.flags, answer.fail = 0, -int32(verdict.Fail)
		case verdict.Half && len(call.Data) > 1:
			written, err := asked.write(call.Data[:len(call.Data)/2], call.Offset)
			if err != nil {
				return false, err
			}
			answer.flags, answer.value = 0, int64(written)
		}
	}
	if errno := ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&answer)); errno != 0 && errno != unix.ENOENT {
		return false, errno
	}
	return true, nil
}

func ioctl(fd int, request uint, argument unsafe.Pointer) unix.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(argument))
	return errno
}

// write writes data to the file of the intercepted system call. It uses a duplicate of the watched
// process's file descriptor, so that the process's file offset moves.
func (n notification) write(data []byte, offset int64) (int, error) {
	group := int(n.pid)
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.pid)); err == nil {
		if _, rest, ok := strings.Cut(string(status), "\nTgid:"); ok {
			_, _ = fmt.Sscan(rest, &group)
		}
	}
	process, err := unix.PidfdOpen(group, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(process)
	file, err := unix.PidfdGetfd(process, int(n.args[0]), 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(file)
	if n.number == unix.SYS_PWRITE64 {
		return unix.Pwrite(file, data, offset)
	}
	return unix.Write(file, data)
}
