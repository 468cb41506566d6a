package gate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// Gate is a proxy for one program. It is safe for concurrent use.
type Gate struct {
	// Proxy returns the user's own proxy for a request, like the Proxy function of an
	// [http.Transport]. If Proxy is nil, no proxy is used.
	Proxy func(*http.Request) (*url.URL, error)

	open    bool // all hosts are allowed
	mu      sync.Mutex
	allowed map[string]bool
	asked   map[string]bool
	ending  context.Context
	end     context.CancelFunc
	servers []*http.Server
	serving errgroup.Group
}

// New returns a gate that allows the given hosts, each as host:port. If open is true, it allows all
// hosts.
func New(hosts []string, open bool) *Gate {
	g := &Gate{open: open, allowed: map[string]bool{}, asked: map[string]bool{}}
	g.ending, g.end = context.WithCancel(context.Background())
	for _, host := range hosts {
		g.allowed[host] = true
	}
	return g
}

// mostAsked is the maximum number of recorded hosts.
const mostAsked = 200

// Serve accepts connections in the background until the gate is closed.
func (g *Gate) Serve(listener net.Listener) {
	transport := &http.Transport{Proxy: g.Proxy, DialContext: dialer().DialContext, IdleConnTimeout: 30 * time.Second}
	silent := log.New(io.Discard, "", 0) // errors are sent to the program, not logged
	forward := &httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}, Transport: transport, ErrorLog: silent, FlushInterval: -1}
	server := &http.Server{ErrorLog: silent, ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		switch {
		case request.Method == http.MethodConnect:
			if g.passes(w, request.Host) {
				g.tunnel(w, request.Host)
			}
		case !request.URL.IsAbs() || request.URL.Scheme != "http":
			http.Error(w, "this is a proxy", http.StatusBadRequest)
		default:
			host := request.URL.Host
			if request.URL.Port() == "" {
				host = net.JoinHostPort(request.URL.Hostname(), "80")
			}
			if g.passes(w, host) {
				forward.ServeHTTP(w, request)
			}
		}
	})}
	g.mu.Lock()
	g.servers = append(g.servers, server)
	g.mu.Unlock()
	g.serving.Go(func() error { return server.Serve(listener) })
	if g.ending.Err() != nil { // closed meanwhile
		_ = server.Close()
	}
}

// Close stops the gate and closes all connections.
func (g *Gate) Close() {
	g.end()
	g.mu.Lock()
	servers := slices.Clone(g.servers)
	g.mu.Unlock()
	for _, server := range servers {
		_ = server.Close()
	}
	_ = g.serving.Wait()
}

// ContactedHosts returns the hosts that the program tried to contact. If all is false, it omits the
// allowed hosts.
func (g *Gate) ContactedHosts(all bool) (hosts []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for host := range g.asked {
		if all || !g.allowed[host] {
			hosts = append(hosts, host)
		}
	}
	slices.Sort(hosts)
	return hosts
}

// Allow adds the given hosts to the allowed hosts.
func (g *Gate) Allow(hosts []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, host := range hosts {
		g.allowed[host] = true
	}
}

// passes decides whether the program is allowed to contact a host. It sends an error response for a
// refused host.
func (g *Gate) passes(w http.ResponseWriter, host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil || name == "" || port == "" || len(name) > 253 {
		http.Error(w, "this is not host:port", http.StatusBadRequest)
		return false
	}
	host = net.JoinHostPort(strings.ToLower(strings.TrimSuffix(name, ".")), port)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.asked) < mostAsked {
		g.asked[host] = true
	}
	if g.open || g.allowed[host] {
		return true
	}
	http.Error(w, fmt.Sprintf("Marvin does not let this server connect to %s, because the server did not contact that host while Marvin observed the server", host), http.StatusForbidden)
	return false
}

func (g *Gate) tunnel(w http.ResponseWriter, host string) {
	there, err := g.dial(host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "no tunnel", http.StatusInternalServerError)
		return
	}
	defer here.Close()
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	stop := context.AfterFunc(g.ending, func() { _, _ = here.Close(), there.Close() })
	defer stop()
	var both errgroup.Group
	both.Go(func() error { return carry(there, buffered.Reader) })
	both.Go(func() error { return carry(here, there) })
	_ = both.Wait()
}

// carry transmits the data from src to dst until EOF, and then closes dst for writing.
func carry(dst net.Conn, src io.Reader) error {
	_, err := io.Copy(dst, src)
	if half, ok := dst.(interface{ CloseWrite() error }); ok && err == nil {
		return half.CloseWrite()
	}
	return errors.Join(err, dst.Close())
}

func dialer() *net.Dialer {
	return &net.Dialer{Timeout: 15 * time.Second, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		// Cloud metadata services use link-local addresses and return secret keys.
		if err == nil && at.Addr().Unmap().IsLinkLocalUnicast() {
			return errors.New("link-local addresses are not allowed")
		}
		return err
	}}
}

// dial connects to a host, through the user's proxy if there is one.
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
	response, err := http.ReadResponse(bufio.NewReaderSize(connection, 1), request) //nolint:bodyclose // the response to CONNECT has no body
	if err != nil || response.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("the proxy %s did not connect to %s", proxy, host), err, connection.Close())
	}
	return connection, nil
}

// direct dials host without a proxy. It rejects names that resolve to this machine, except
// "localhost", because the owner of a name chooses its address.
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
