package jail

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// A program restricted to hosts has a network with only itself and one address, at which Marvin
// listens. The helper, which is in that network, makes the socket and hands it over: a socket
// belongs to the network where it was made.

// gateWord goes with the descriptor of that socket.
const gateWord = "gate"

// openGate listens at [GateAddress] and hands the socket over.
func openGate() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(socket) }()
	if err := unix.Bind(socket, &unix.SockaddrInet4{Port: gatePort, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return err
	}
	if err := unix.Listen(socket, 64); err != nil {
		return err
	}
	return unix.Sendmsg(verdict, []byte(gateWord), unix.UnixRights(socket), nil, 0)
}

// listenFor passes the socket to the program's proxy.
func (e *Entry) listenFor(rights []byte) error {
	descriptor, err := handed(rights)
	if err != nil || descriptor < 0 {
		return err
	}
	file := os.NewFile(uintptr(descriptor), "gate")
	defer file.Close()
	listener, err := net.FileListener(file)
	if err != nil {
		return fmt.Errorf("listen for the program: %w", err)
	}
	if e.jail.gate == nil {
		return listener.Close()
	}
	e.jail.gate(listener)
	return nil
}
