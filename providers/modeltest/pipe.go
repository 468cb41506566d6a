package modeltest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
)

// StartPipe is like [StartFunc], but uses net.Pipe, because waiting for a socket would stop the
// clock in a testing/synctest bubble. It must be called inside the bubble. The returned client
// reaches the server under any host name.
func StartPipe(tb testing.TB, answer func(Request) Step) (*Server, *http.Client) {
	tb.Helper()
	server := New(answer)
	server.tb, server.anonymous, server.URL = tb, false, "http://model.test"
	listener := &pipeListener{connections: make(chan net.Conn), closed: make(chan struct{})}
	listening := &http.Server{Handler: server} //nolint:gosec // no timeout, because tests use slow clients
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = listening.Serve(listener)
	}()
	transport := &http.Transport{DialContext: listener.dial}
	tb.Cleanup(func() {
		close(server.closing)
		transport.CloseIdleConnections()
		_ = listening.Shutdown(context.Background())
		<-done
	})
	return server, &http.Client{Transport: transport}
}

// pipeListener is a [net.Listener] for the pipes that its dial method creates.
type pipeListener struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.connections <- there:
		return here, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case connection := <-l.connections:
		return connection, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "model.test:80" }
