package fleet

import (
	"net"
	"testing"
	"time"
)

// Marvin waits for a server that listens but sends nothing, as on an overloaded machine, like for a
// server that is not running.
func TestASilentServerIsWaitedFor(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := connection.Read(make([]byte, 1)); !noServerAnswers(err) {
		t.Errorf("given up for %v", err)
	}
}
