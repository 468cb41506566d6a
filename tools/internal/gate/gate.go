package gate

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Gate is a proxy for one program. It is safe for concurrent use.
type Gate struct {
	// Proxy is the user's own, for what goes out; nil has none.
	Proxy func(*http.Request) (*url.URL, error)

	open    bool // everything passes
	mu      sync.Mutex
	allowed map[string]bool
	asked   map[string]bool
	ending  context.Context
	end     context.CancelFunc
	servers []*http.Server
	serving errgroup.Group
}

// New makes a gate for hosts, each as host:port. An open one lets everything through.
func New(hosts []string, open bool) *Gate {
	g := &Gate{open: open, allowed: map[string]bool{}, asked: map[string]bool{}}
	g.ending, g.end = context.WithCancel(context.Background())
	for _, host := range hosts {
		g.allowed[host] = true
	}
	return g
}

// mostAsked bounds the hosts that are noted.
const mostAsked = 200

// Serve answers at a listener until the gate is closed. It returns at once.
func (g *Gate) Serve(listener net.Listener) {
	transport := &http.Transport{Proxy: g.Proxy, DialContext: dialer().DialContext, IdleConnTimeout: 30 * time.Second}
	silent := log.New(io.Discard, "", 0) // failures are answers to the program
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
	if g.ending.Err() != nil { // it was closed meanwhile
		_ = server.Close()
	}
}

// Close ends every connection.
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

// Asked are the hosts that the program spoke to or wanted to, of all or only those that it
// may not.
func (g *Gate) Asked(all bool) (hosts []string) {
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

// Allow lets the program speak to more hosts.
func (g *Gate) Allow(hosts []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, host := range hosts {
		g.allowed[host] = true
	}
}

// passes says whether the program may speak to a host, or tells it that it may not.
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
	http.Error(w, fmt.Sprintf("Marvin does not let this server speak to %s: it was not seen to before", host), http.StatusForbidden)
	return false
}

// tunnel carries bytes between the program and a host.
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
