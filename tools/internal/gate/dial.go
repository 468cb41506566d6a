package gate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// carry copies until the end of what comes, and says that it came.
func carry(to net.Conn, from io.Reader) error {
	_, err := io.Copy(to, from)
	if half, ok := to.(interface{ CloseWrite() error }); ok && err == nil {
		return half.CloseWrite()
	}
	return errors.Join(err, to.Close())
}

func dialer() *net.Dialer {
	return &net.Dialer{Timeout: 15 * time.Second, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err == nil && at.Addr().Unmap().IsLinkLocalUnicast() { // where clouds give their keys away
			return errors.New("addresses of the link are not spoken to")
		}
		return err
	}}
}

// dial finds a host, by the user's proxy where there is one.
func (g *Gate) dial(host string) (net.Conn, error) {
	ctx, stop := context.WithTimeout(g.ending, 20*time.Second)
	defer stop()
	var by *url.URL
	if g.Proxy != nil {
		by, _ = g.Proxy(&http.Request{URL: &url.URL{Scheme: "https", Host: host}})
	}
	if by == nil || by.Scheme != "http" {
		return g.direct(ctx, host)
	}
	proxy := by.Host
	if by.Port() == "" {
		proxy = net.JoinHostPort(by.Hostname(), "80")
	}
	connection, err := dialer().DialContext(ctx, "tcp", proxy)
	if err != nil {
		return nil, err
	}
	waits := context.AfterFunc(ctx, func() { _ = connection.Close() })
	defer waits()
	request := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: host}, Host: host, Header: http.Header{}}
	if name := by.User; name != nil {
		request.URL.User = name
		password, _ := name.Password()
		request.SetBasicAuth(name.Username(), password)
		request.Header["Proxy-Authorization"] = request.Header["Authorization"]
		delete(request.Header, "Authorization")
		request.URL.User = nil
	}
	if err := request.Write(connection); err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	response, err := http.ReadResponse(bufio.NewReaderSize(connection, 1), request) //nolint:bodyclose // the answer to CONNECT has none
	if err != nil || response.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("the proxy %s does not lead to %s", proxy, host), err, connection.Close())
	}
	return connection, nil
}

// direct connects to a host directly. A name that resolves to this machine is refused unless it
// says so: the owner of a name could point it here.
func (g *Gate) direct(ctx context.Context, host string) (net.Conn, error) {
	connection, err := dialer().DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	name, _, _ := net.SplitHostPort(host)
	at, _ := netip.ParseAddrPort(connection.RemoteAddr().String())
	if _, literal := netip.ParseAddr(name); at.Addr().Unmap().IsLoopback() && literal != nil && name != "localhost" {
		return nil, errors.Join(fmt.Errorf("%s leads to this machine", name), connection.Close())
	}
	return connection, nil
}
