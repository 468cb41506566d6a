package jail

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/helper"
)

// The code in this file makes connections for a command that can contact only certain hosts. The
// helper creates sockets in the command's network and passes them to Marvin. The first socket
// accepts connections, the second receives name lookups, and the others connect to the command's
// servers. When the command calls connect(2), the call blocks until Marvin has connected the
// command's socket to the accepting socket. Meanwhile, the command can change the call's arguments,
// but the command's socket can reach only the command's network.

// settling is the connection timeout in a command's network.
const settling = 5 * time.Second

// doors contains Marvin's sockets in a command's network.
type doors struct {
	mu     sync.Mutex // held while a connection to Marvin is made
	door   *net.TCPListener
	port   int
	inward chan int
	closed bool
}

func (e *Entry) takeDoors(rights []byte) error {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) == 0 {
		return errors.Join(errors.New("no sockets came"), err)
	}
	files, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return err
	}
	made := &doors{inward: make(chan int, helper.Inward)}
	if len(files) != 2+helper.Inward || e.jail.network == nil {
		for _, file := range files {
			_ = unix.Close(file)
		}
		return errors.New("the sandbox handed over unexpected sockets")
	}
	for _, file := range files[2:] {
		made.inward <- file
	}
	door, names := os.NewFile(uintptr(files[0]), "door"), os.NewFile(uintptr(files[1]), "names")
	defer door.Close()
	defer names.Close()
	listener, err := net.FileListener(door)
	if err != nil {
		return fmt.Errorf("listen on the command's socket: %w", err)
	}
	made.door, _ = listener.(*net.TCPListener)
	made.port = listener.Addr().(*net.TCPAddr).Port
	e.doors = made
	questions, err := net.FilePacketConn(names)
	if err != nil {
		return fmt.Errorf("resolve host names for the command: %w", err)
	}
	e.jail.network.Names(questions)
	return nil
}

// release puts the socket back into d.inward.
func (d *doors) release(socket int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		_ = unix.Close(socket)
		return
	}
	d.inward <- socket
}

// closeNetwork closes the network of a command that was not started.
func (e *Entry) closeNetwork() {
	if e.doors != nil {
		e.doors.close()
	}
	if e.jail.network != nil {
		e.jail.network.Close()
	}
}

func (d *doors) close() {
	_ = d.door.Close()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for {
		select {
		case one := <-d.inward:
			_ = unix.Close(one)
		default:
			return
		}
	}
}

// answerConnect answers a connect(2) or listen(2) call. It runs in its own goroutine, so that other
// calls do not have to wait.
func (r *errands) answerConnect(call errand) {
	// After a panic, the system call stays blocked, but the command can be stopped.
	defer func() { _ = recover() }()
	reply := outcome{id: call.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	if number, answered := r.handleCall(call); answered {
		reply.flags, reply.err = 0, -int32(number)
	}
	raw, err := r.file.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(file uintptr) {
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, file, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&reply))) // the process may have ended meanwhile
	})
}

// handleCall handles a connect(2) or listen(2) call. If answered is false, the kernel must execute
// the call in the command's own network.
func (r *errands) handleCall(call errand) (number unix.Errno, answered bool) {
	var to netip.AddrPort
	if call.number == unix.SYS_CONNECT {
		text, ok := memory(int(call.pid), call.arguments[1], int(min(call.arguments[2], 128)))
		if !ok {
			return 0, false
		}
		if to, ok = hostOf(text); !ok {
			return 0, false // the call uses a Unix address, or disconnects the socket
		}
	}
	socket, err := socketOf(int(call.pid), int(int32(call.arguments[0])))
	if err != nil {
		return 0, false
	}
	defer func() { _ = unix.Close(socket) }()
	if kind, err := unix.GetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_TYPE); err != nil || kind != unix.SOCK_STREAM {
		return 0, false
	}
	if call.number == unix.SYS_LISTEN {
		return r.publish(socket)
	}
	return r.lead(socket, to), true
}

// socketOf duplicates a file descriptor of a process, given the ID of any of the process's threads.
func socketOf(thread, file int) (int, error) {
	process, err := unix.PidfdOpen(thread, 0)
	if err != nil {
		status, failed := os.ReadFile("/proc/" + strconv.Itoa(thread) + "/status")
		_, rest, _ := strings.Cut(string(status), "\nTgid:\t")
		leader, _, _ := strings.Cut(rest, "\n")
		number, bad := strconv.Atoi(leader)
		if failed != nil || bad != nil {
			return -1, errors.Join(err, failed, bad)
		}
		if process, err = unix.PidfdOpen(number, 0); err != nil {
			return -1, err
		}
	}
	defer func() { _ = unix.Close(process) }()
	return unix.PidfdGetfd(process, file, 0)
}

// lead connects one of the command's sockets. If the address is local, lead first tries the
// command's own network, where the command may run a server.
func (r *errands) lead(socket int, to netip.AddrPort) unix.Errno {
	if _, err := unix.Getpeername(socket); err == nil {
		return unix.EISCONN
	}
	if here := to.Addr().Unmap(); here.IsLoopback() || here.IsUnspecified() {
		if number := connectTo(socket, to); number != unix.ECONNREFUSED || int(to.Port()) == r.doors.port {
			return number
		}
	}
	carry, err := r.network.Connect(to)
	if err != nil {
		var number syscall.Errno
		if errors.As(err, &number) {
			return number
		}
		return unix.ECONNREFUSED
	}
	end, number := r.doors.enter(socket)
	carry(end)
	return number
}

// enter connects one of the command's sockets to Marvin, and returns Marvin's end.
func (d *doors) enter(socket int) (net.Conn, unix.Errno) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if number := connectTo(socket, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(d.port))); number != 0 {
		return nil, number
	}
	own := 0
	switch name, _ := unix.Getsockname(socket); name := name.(type) {
	case *unix.SockaddrInet4:
		own = name.Port
	case *unix.SockaddrInet6:
		own = name.Port
	}
	if err := d.door.SetDeadline(time.Now().Add(settling)); err != nil {
		return nil, unix.ECONNREFUSED
	}
	for {
		end, err := d.door.Accept()
		if err != nil {
			return nil, unix.ECONNREFUSED
		}
		if from, ok := end.RemoteAddr().(*net.TCPAddr); ok && from.Port == own {
			return end, 0
		}
		_ = end.Close() // another connection that the command made
	}
}

func connectTo(socket int, to netip.AddrPort) unix.Errno {
	var address unix.Sockaddr = &unix.SockaddrInet6{Addr: to.Addr().As16(), Port: int(to.Port())}
	if domain, err := unix.GetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_DOMAIN); err != nil || domain == unix.AF_INET {
		if !to.Addr().Unmap().Is4() {
			return unix.EAFNOSUPPORT
		}
		address = &unix.SockaddrInet4{Addr: to.Addr().Unmap().As4(), Port: int(to.Port())}
	}
	err := unix.Connect(socket, address)
	if err == unix.EINPROGRESS {
		ready := []unix.PollFd{{Fd: int32(socket), Events: unix.POLLOUT}}
		for err = unix.EINTR; err == unix.EINTR; {
			_, err = unix.Poll(ready, int(settling.Milliseconds()))
		}
		if err == nil {
			// The second connect returns the result of the first. A failed socket stays usable.
			err = unix.Connect(socket, address)
		}
	}
	return errno(err)
}

// publish lets this machine reach a server that the command runs.
func (r *errands) publish(socket int) (unix.Errno, bool) {
	var at netip.AddrPort
	switch name, _ := unix.Getsockname(socket); name := name.(type) {
	case *unix.SockaddrInet4:
		at = netip.AddrPortFrom(netip.AddrFrom4(name.Addr), uint16(name.Port))
	case *unix.SockaddrInet6:
		at = netip.AddrPortFrom(netip.AddrFrom16(name.Addr), uint16(name.Port))
	}
	if at.Port() == 0 {
		return 0, false
	}
	if err := r.network.Publish(at, func() (net.Conn, error) { return r.doors.into(at) }); err != nil {
		return unix.EADDRINUSE, true
	}
	return 0, false
}

// inward represents a connection to one of the command's servers. Its Close method also releases
// the socket for another connection.
type inward struct {
	*net.TCPConn
	socket int
	doors  *doors
	once   sync.Once
}

func (c *inward) Close() error {
	err := net.ErrClosed
	c.once.Do(func() {
		err = c.TCPConn.Close()
		_ = unix.Shutdown(c.socket, unix.SHUT_RDWR)
		var nobody unix.RawSockaddr // for the zero family, connect(2) disconnects the socket
		_, _, _ = unix.Syscall(unix.SYS_CONNECT, uintptr(c.socket), uintptr(unsafe.Pointer(&nobody)), unsafe.Sizeof(nobody))
		c.doors.release(c.socket)
	})
	return err
}

// into returns a connection to a server in the command's network. It waits up to [settling] for a
// free socket.
func (d *doors) into(at netip.AddrPort) (net.Conn, error) {
	var socket int
	select {
	case socket = <-d.inward:
	case <-time.After(settling):
		return nil, errors.New("the server has too many connections from outside")
	}
	failed := func(err error) (net.Conn, error) {
		d.release(socket)
		return nil, err
	}
	if at.Addr().IsUnspecified() {
		at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	if number := connectTo(socket, at); number != 0 {
		return failed(number)
	}
	double, err := unix.FcntlInt(uintptr(socket), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return failed(err)
	}
	file := os.NewFile(uintptr(double), "inward")
	defer file.Close()
	connection, err := net.FileConn(file)
	if err != nil {
		return failed(err)
	}
	tcp, ok := connection.(*net.TCPConn)
	if !ok {
		return failed(connection.Close())
	}
	return &inward{TCPConn: tcp, socket: socket, doors: d}, nil
}
