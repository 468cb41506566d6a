package web

import (
	"crypto/tls"
	"net"
	"sync"
	"time"
)

const (
	mostConnections = 512
	mostStreams     = 256
	mostBody        = 1 << 20
	mostPictures    = 16 << 20 // maximum size of a body that can contain pictures
	mostHeader      = 16 << 10
	sendBuffer      = 256 << 10

	headerTime = 5 * time.Second
	replyTime  = 30 * time.Second // maximum time from the request to the end of the reply, except for streams
	idleTime   = 60 * time.Second
	writeTime  = 10 * time.Second // limit on each write to a stream, in case the browser stops reading
)

// limitedListener accepts a limited number of connections and closes all others. On loopback, it
// also closes connections that ownConnection rejects.
type limitedListener struct {
	net.Listener
	own  bool // whether to reject the connections of other users
	mu   sync.Mutex
	open int
}

// Accept implements [net.Listener].
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		// The limit is checked first, because finding the owner takes longer if there are many
		// connections.
		if !l.full() && (!l.own || ownConnection(conn)) && l.enter() {
			plain := conn
			if secure, is := conn.(*tls.Conn); is {
				plain = secure.NetConn()
			}
			if socket, is := plain.(*net.TCPConn); is {
				// Limit the memory that a stalled connection can use.
				_ = socket.SetWriteBuffer(sendBuffer)
			}
			return &countedConn{Conn: conn, of: l}, nil
		}
		_ = conn.Close()
	}
}

func (l *limitedListener) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open >= mostConnections
}

func (l *limitedListener) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= mostConnections {
		return false
	}
	l.open++
	return true
}

// countedConn decrements the number of open connections when it is closed.
type countedConn struct {
	net.Conn
	of   *limitedListener
	once sync.Once
}

// Close implements [net.Conn].
func (c *countedConn) Close() error {
	c.once.Do(func() {
		c.of.mu.Lock()
		c.of.open--
		c.of.mu.Unlock()
	})
	return c.Conn.Close()
}
