package browser

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/tools/internal/web"
)

// allowance is what one page may load in all, with everything that it embeds.
const allowance = 64 << 20

// proxy answers a browser's requests through a client. It has one listener for the
// browser and one, without an address, for what comes out of its TLS.
type proxy struct {
	address string // host:port on this machine
	pin     string // hash of the public key that it shows to the browser
	mark    string // in the title of the pages that it makes of failures

	transport http.RoundTripper
	left      atomic.Int64 // of the allowance
	tunnels   tunnels
	stop      context.CancelFunc
	servers   [2]*http.Server
	serving   errgroup.Group

	mu     sync.Mutex
	failed error // the last request that failed
}

// startProxy listens until close.
func startProxy(ctx context.Context, transport http.RoundTripper, now time.Time) (*proxy, error) {
	certificate, pin, err := makeCertificate(now)
	if err != nil {
		return nil, fmt.Errorf("make a key for the browser: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	p := &proxy{
		address: listener.Addr().String(), pin: pin, mark: rand.Text(), transport: transport, stop: stop,
		tunnels: tunnels{address: listener.Addr(), arrived: make(chan net.Conn), closed: make(chan struct{})},
	}
	p.left.Store(allowance)
	silent := log.New(io.Discard, "", 0) // failures are answers to the browser
	forward := &httputil.ReverseProxy{Rewrite: rewrite, Transport: p, ErrorHandler: p.fail, ErrorLog: silent}
	base := func(net.Listener) context.Context { return ctx }
	outer := &http.Server{Handler: p.accept(forward), BaseContext: base, ErrorLog: silent, ReadHeaderTimeout: time.Minute}
	inner := &http.Server{Handler: forward, BaseContext: base, ErrorLog: silent, ReadHeaderTimeout: time.Minute}
	inner.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	p.servers = [2]*http.Server{outer, inner}
	p.serving.Go(func() error { return outer.Serve(listener) })
	p.serving.Go(func() error { return inner.ServeTLS(&p.tunnels, "", "") })
	return p, nil
}

// close ends every connection and returns when nothing runs any more.
func (p *proxy) close() {
	p.stop() // connections that became web sockets end with their context
	for _, server := range p.servers {
		_ = server.Close()
	}
	_ = p.serving.Wait() // http.ErrServerClosed
}

// accept takes what the browser sends: a request to forward, or the wish for a tunnel,
// which becomes a connection of the inner server.
func (p *proxy) accept(forward http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodConnect && !r.URL.IsAbs():
			http.Error(w, "this is a proxy", http.StatusBadRequest)
			return
		case r.Method != http.MethodConnect:
			forward.ServeHTTP(w, r)
			return
		}
		connection, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			http.Error(w, "no tunnel", http.StatusInternalServerError)
			return
		}
		if _, err = io.WriteString(connection, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil || !p.tunnels.put(connection) {
			_ = connection.Close()
		}
	}
}

// rewrite makes whole again the URL of a request that came out of a tunnel.
func rewrite(r *httputil.ProxyRequest) {
	if r.In.TLS != nil {
		r.Out.URL.Scheme, r.Out.URL.Host = "https", r.In.Host
	}
}

// RoundTrip implements [http.RoundTripper] within the allowance.
func (p *proxy) RoundTrip(request *http.Request) (*http.Response, error) {
	switch {
	case request.URL.Hostname() == nowhere:
		return nil, web.ErrRefused
	case p.left.Load() <= 0:
		return nil, errTooMuch
	}
	response, err := p.transport.RoundTrip(request)
	if err == nil && response.StatusCode != http.StatusSwitchingProtocols {
		response.Body = &metered{response.Body, &p.left}
	}
	return response, err
}

var errTooMuch = fmt.Errorf("the page loads more than %d MiB", allowance>>20)

type metered struct {
	io.ReadCloser
	left *atomic.Int64
}

func (m *metered) Read(b []byte) (int, error) {
	n, err := m.ReadCloser.Read(b)
	if m.left.Add(-int64(n)) < 0 {
		err = errTooMuch
	}
	return n, err
}

// fail tells the browser that a request failed. If the request was for the page
// itself, the document is then the one made here, and [proxy.failure] knows it.
func (p *proxy) fail(w http.ResponseWriter, r *http.Request, err error) {
	var dialled *net.OpError
	if errors.As(err, &dialled) {
		err = dialled.Err // the address is said already
	}
	p.mu.Lock()
	p.failed = fmt.Errorf("%s: %w", cmp.Or(r.URL.Hostname(), r.Host), err)
	p.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = io.WriteString(w, "<title>"+html.EscapeString(p.mark)+"</title>")
}

func (p *proxy) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}

// tunnels is a listener whose connections are put into it.
type tunnels struct {
	address net.Addr
	arrived chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (t *tunnels) put(connection net.Conn) bool {
	select {
	case t.arrived <- connection:
		return true
	case <-t.closed:
		return false
	}
}

func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case connection := <-t.arrived:
		return connection, nil
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

func (t *tunnels) Close() error {
	t.once.Do(func() { close(t.closed) })
	return nil
}

func (t *tunnels) Addr() net.Addr { return t.address }

// makeCertificate makes a key for one call. The browser is told the hash of its public
// half and accepts it for every host, so no name needs to be in the certificate.
func makeCertificate(now time.Time) (certificate tls.Certificate, pin string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return certificate, "", err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour)}
	encoded, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return certificate, "", err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	hash := sha256.Sum256(public)
	return tls.Certificate{Certificate: [][]byte{encoded}, PrivateKey: key}, base64.StdEncoding.EncodeToString(hash[:]), err
}
