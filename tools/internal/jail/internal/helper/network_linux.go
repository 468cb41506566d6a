package helper

import (
	"errors"
	"syscall"
	"unsafe"
)

// request is struct ifreq from linux/if.h. It is 40 bytes long.
type request struct {
	name  [16]byte
	value [24]byte
}

// loopback sends the kernel a request about the loopback interface or one of its aliases.
func loopback(name string, what uintptr, value []byte) error {
	socket, err := newSocket(syscall.AF_INET, syscall.SOCK_DGRAM)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(socket) }()
	var asked request
	copy(asked.name[:], name)
	copy(asked.value[:], value)
	_, err = call(syscall.SYS_IOCTL, uintptr(socket), what, uintptr(unsafe.Pointer(&asked)))
	return err
}

func newSocket(family, kind int) (int, error) {
	return syscall.Socket(family, kind|syscall.SOCK_CLOEXEC, 0)
}

// loopbackUp starts the only network of an offline command: its own loopback interface.
func loopbackUp() error {
	return loopback("lo", syscall.SIOCSIFFLAGS, []byte{syscall.IFF_UP | syscall.IFF_RUNNING, 0})
}

// standForNames assigns 198.18.0.0/15 to the loopback interface. Marvin uses these addresses as
// placeholders for hosts. They also satisfy programs that check whether a non-loopback address
// exists.
func standForNames() error {
	return errors.Join(
		loopback("lo:1", syscall.SIOCSIFADDR, inet4(198, 18, 0, 1)),
		loopback("lo:1", syscall.SIOCSIFNETMASK, inet4(255, 254, 0, 0)),
	)
}

// inet4 returns the beginning of a struct sockaddr_in.
func inet4(a, b, c, d byte) []byte { return []byte{syscall.AF_INET, 0, 0, 0, a, b, c, d} }

func loopbackPort(port int) *syscall.SockaddrInet4 {
	return &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
}

// openGate opens a socket in the command's network and passes the socket to Marvin. Marvin's proxy
// uses the socket for commands that may contact only certain hosts.
func openGate() error {
	socket, err := newSocket(syscall.AF_INET, syscall.SOCK_STREAM)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(socket) }()
	if err := errors.Join(syscall.Bind(socket, loopbackPort(GatePort)), syscall.Listen(socket, 64)); err != nil {
		return err
	}
	return handFiles(GateWord, socket)
}

// openDoors creates sockets in the command's network, and passes the sockets to Marvin. Marvin
// accepts connections on the first socket and receives name lookups on the second socket. Marvin
// uses the other sockets to connect to servers that the command runs.
func openDoors() error {
	if err := standForNames(); err != nil {
		return err
	}
	door, err := newSocket(syscall.AF_INET, syscall.SOCK_STREAM)
	if err != nil {
		return err
	}
	names, err := newSocket(syscall.AF_INET, syscall.SOCK_DGRAM)
	if err != nil {
		return err
	}
	if err := errors.Join(syscall.Bind(door, loopbackPort(0)), syscall.Listen(door, 64), syscall.Bind(names, loopbackPort(53))); err != nil {
		return err
	}
	files := []int{door, names}
	for range Inward {
		one, err := newSocket(syscall.AF_INET6, syscall.SOCK_STREAM)
		if err != nil {
			one, err = newSocket(syscall.AF_INET, syscall.SOCK_STREAM)
		}
		if err != nil {
			return err
		}
		files = append(files, one)
	}
	return handFiles(DoorsWord, files...)
}

// handFiles sends descriptors to Marvin, with a word that identifies them.
func handFiles(word string, files ...int) error {
	return syscall.Sendmsg(Verdict, []byte(word), syscall.UnixRights(files...), nil, 0)
}

// namesHere redirects name lookups to Marvin's socket.
func (p *Plan) namesHere() error {
	path, err := resolved("/etc/resolv.conf")
	if err != nil {
		return nil // without resolv.conf, programs send name lookups to this machine
	}
	return bind(p.Names, path)
}

// handOver permanently installs a filter for the system calls of this thread, and sends Marvin the
// descriptor on which Marvin receives these calls. It returns false on failure, for example on
// Linux before 5.0 and in some containers.
func handOver(filter []Instruction, network bool) bool {
	if len(filter) == 0 || noNewPrivileges() != nil {
		return false
	}
	flags := uintptr(newListener)
	if network { // without this flag, a signal could restart a call that Marvin is handling
		flags |= waitKillable
	}
	filter = insertProcess(filter)
	program := fprog{uint16(len(filter)), &filter[0]}
	listener, err := call(sysSeccomp, setModeFilter, flags, uintptr(unsafe.Pointer(&program)))
	return err == nil && errors.Join(handFiles("", listener), syscall.Close(listener)) == nil
}
