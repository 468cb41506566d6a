package relay

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/tools/internal/web"
)

// RefusedHost is a host that the relay always refuses. Browser settings use it to disable services
// that no page needs.
const RefusedHost = "nowhere.invalid"

// Relay is a proxy on this machine. One server accepts the program's connections. A second server,
// which has no address, handles the HTTPS requests in the program's tunnels.
type Relay struct {
	Address string // host:port on this machine
	Pin     string // the hash of the relay's public key, for Chromium

	mark string // random text in the title of each error page

	transport http.RoundTripper
	refused   []string // hosts that the program contacts for its own purposes, in lower case
	allowance int64
	left      atomic.Int64 // unused bytes of the allowance
	tunnels   tunnels
	stop      context.CancelFunc
	servers   [2]*http.Server
	serving   errgroup.Group

	mu     sync.Mutex
	failed []error // the first errors that occurred in requests
	last   error   // the last error
}

// maxFailures limits the recorded failures, because a page may retry forever.
const maxFailures = 1000

// Start starts a relay that listens until Close is called. allowance is the maximum number of bytes
// that the relay loads. The relay refuses requests to refusedHosts, which must be in lower case.
func Start(ctx context.Context, transport http.RoundTripper, now time.Time, allowance int64, refusedHosts ...string) (*Relay, error) {
	certificate, pin, err := makeCertificate(now)
	if err != nil {
		return nil, fmt.Errorf("make a key for the call: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on this machine: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	r := &Relay{
		Address: listener.Addr().String(), Pin: pin, mark: rand.Text(), transport: transport, refused: refusedHosts, allowance: allowance, stop: stop,
		tunnels: tunnels{address: listener.Addr(), arrived: make(chan net.Conn), closed: make(chan struct{})},
	}
	r.left.Store(allowance)
	silent := log.New(io.Discard, "", 0) // the relay reports errors in its responses
	forward := &httputil.ReverseProxy{Rewrite: rewrite, Transport: limitedTransport{r}, ErrorHandler: r.fail, ErrorLog: silent, FlushInterval: -1}
	base := func(net.Listener) context.Context { return ctx }
	outer := &http.Server{Handler: r.accept(forward), BaseContext: base, ErrorLog: silent, ReadHeaderTimeout: time.Minute}
	inner := &http.Server{Handler: forward, BaseContext: base, ErrorLog: silent, ReadHeaderTimeout: time.Minute}
	inner.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	r.servers = [2]*http.Server{outer, inner}
	r.serving.Go(func() error { return outer.Serve(listener) })
	r.serving.Go(func() error { return inner.ServeTLS(&r.tunnels, "", "") })
	return r, nil
}

// Close ends all connections and waits until the servers have stopped.
func (r *Relay) Close() {
	r.stop() // Server.Close does not close web sockets
	for _, server := range r.servers {
		_ = server.Close()
	}
	_ = r.serving.Wait() // http.ErrServerClosed
}

// Failure returns the error of the last failed request, or nil.
func (r *Relay) Failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// FailureIn returns the error behind an error page of the relay, or nil if document is not such a
// page.
func (r *Relay) FailureIn(document string) error {
	_, rest, found := strings.Cut(document, "<title>"+r.mark+" ")
	if !found {
		return nil
	}
	number, _, _ := strings.Cut(rest, "<")
	r.mu.Lock()
	defer r.mu.Unlock()
	if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(r.failed) {
		return r.failed[i]
	}
	return r.last
}

// accept returns a handler for the program's requests. The handler forwards ordinary requests. For
// CONNECT it opens a tunnel, and the inner server handles the requests in the tunnel.
func (r *Relay) accept(forward http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		switch {
		case request.Method == http.MethodConnect:
			r.tunnel(w)
		case request.URL.IsAbs():
			forward.ServeHTTP(w, request)
		default:
			http.Error(w, "this is a proxy", http.StatusBadRequest)
		}
	}
}

func (r *Relay) tunnel(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "no tunnel", http.StatusInternalServerError)
		return
	}
	if _, err = io.WriteString(connection, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil || !r.tunnels.put(connection) {
		_ = connection.Close()
	}
}

// rewrite completes the URL of a request inside a tunnel.
func rewrite(r *httputil.ProxyRequest) {
	if r.In.TLS != nil {
		r.Out.URL.Scheme, r.Out.URL.Host = "https", r.In.Host
	}
}

// fail remembers an error and responds with an error page. [Relay.FailureIn] returns the error for
// that page.
func (r *Relay) fail(w http.ResponseWriter, request *http.Request, err error) {
	if dialled, ok := errors.AsType[*net.OpError](err); ok {
		err = dialled.Err // the message already contains the address
	}
	r.mu.Lock()
	number := len(r.failed)
	r.last = fmt.Errorf("%s: %w", cmp.Or(request.URL.Hostname(), request.Host), err)
	if number < maxFailures {
		r.failed = append(r.failed, r.last)
	}
	r.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = io.WriteString(w, "<title>"+r.mark+" "+strconv.Itoa(number)+"</title>")
}

// limitedTransport sends requests through the relay's transport. It refuses some hosts, and limits
// the number of bytes loaded.
type limitedTransport struct{ *Relay }

// RoundTrip implements [http.RoundTripper].
func (l limitedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	switch {
	case l.refuses(request.URL.Hostname()):
		return nil, web.ErrRefused
	case l.left.Load() <= 0:
		return nil, l.tooMuch()
	}
	response, err := l.transport.RoundTrip(request)
	if err == nil && response.StatusCode != http.StatusSwitchingProtocols {
		response.Body = &metered{response.Body, l.Relay}
	}
	return response, err
}

func (r *Relay) refuses(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == RefusedHost || slices.Contains(r.refused, host)
}

func (r *Relay) tooMuch() error { return fmt.Errorf("more than %d MiB were loaded", r.allowance>>20) }

type metered struct {
	io.ReadCloser
	relay *Relay
}

func (m *metered) Read(b []byte) (int, error) {
	n, err := m.ReadCloser.Read(b)
	if m.relay.left.Add(-int64(n)) < 0 {
		err = m.relay.tooMuch()
	}
	return n, err
}
