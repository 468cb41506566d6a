package jail

import (
	"fmt"
	"net"
	"os"
)

// A program restricted to hosts has a network with only itself and one address, at which Marvin
// listens. The helper, which is in that network, makes the socket and hands it over: a socket
// belongs to the network where it was made.

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
