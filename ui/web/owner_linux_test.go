package web

import (
	"net"
	"testing"
)

// A process can send a request and close the connection before the server accepts it. The kernel
// then names root as its user, and another user of the machine must not count as root.
func TestAConnectionThatItsProcessClosedIsNobodys(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for _, open := range []bool{true, false} {
		client, err := net.Dial("tcp4", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = client.Close() }()
		if !open {
			_ = client.Close()
		}
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if ownConnection(conn) != open {
			t.Errorf("a connection that is open %t counts as this user's: %t", open, !open)
		}
	}
}
