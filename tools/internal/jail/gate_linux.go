package jail

import (
	"fmt"
	"net"
	"os"
)

// A program that may contact only certain hosts runs in its own network. That network contains only
// the program and one address, at which Marvin listens. A socket belongs to the network in which it
// was created. So the helper creates the socket inside the network and passes it to Marvin.

// listenFor passes the listening socket to the program's proxy.
func (e *Entry) listenFor(rights []byte) error {
	descriptor, err := handed(rights)
	if err != nil || descriptor < 0 {
		return err
	}
	file := os.NewFile(uintptr(descriptor), "gate")
	defer file.Close()
	listener, err := net.FileListener(file)
	if err != nil {
		return fmt.Errorf("listen on the program's socket: %w", err)
	}
	if e.jail.gate == nil {
		return listener.Close()
	}
	e.jail.gate(listener)
	return nil
}
