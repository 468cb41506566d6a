package jail

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// A program whose hosts are held has a network in which there is nobody but itself and one
// address: there Marvin listens. The socket is made by the helper, who is in that network,
// and handed over; whoever has a socket is asked where it was made.

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

// listenFor gives the socket to whoever speaks for the program.
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
