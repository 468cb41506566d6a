package jail

import (
	"fmt"
	"net"
	"os"
)

// A program restricted to hosts has its own network, with only itself and the one address at which
// Marvin listens. The helper runs in that network, so it creates the socket and passes it to
// Marvin: a socket belongs to the network in which it was created.

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
		return fmt.Errorf("listen for the program: %w", err)
	}
	if e.jail.gate == nil {
		return listener.Close()
	}
	e.jail.gate(listener)
	return nil
}
