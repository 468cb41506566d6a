package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// Way carries all outgoing connections of one command (see [tools/internal/jail].Network). It
// receives each connection together with the target address, so the command needs no proxy. Way
// answers DNS queries with placeholder addresses, so it knows the name of each host and looks up
// only allowed names. The methods of Way are safe for concurrent use.
type Way struct {
	// Allow returns an error if the command must not contact the host. It can wait for the user's
	// answer until ctx ends.
	Allow func(ctx context.Context, host string, port uint16) error
	// Open reports whether all hosts are currently allowed. If they are, Allow is not called. Open
	// can be nil.
	Open func() bool
	// Told is called once for each refused target, with "host:port" or a description. After mostAsked
	// targets, Told is not called again. Told can be nil.
	Told func(host string)
	// Hosts maps host names to base URLs of replacement servers (see "hosts" in config.yaml).
	Hosts map[string]string

	out    *Gate
	asking context.Context // the context for Allow, canceled by Quiet
	quiet  context.CancelFunc

	mu        sync.Mutex
	names     nameTable
	decided   map[string]*decision
	refused   []string
	published map[uint16]bool
	closers   []io.Closer
	closed    bool
	carrying  errgroup.Group
}

// A decision is the result of Allow for one host and port.
type decision struct {
	done chan struct{} // closed when err is set
	err  error         // nil if the host is allowed
}

// NewWay returns a Way that connects to hosts through the user's own proxy. If proxy is nil, the
// Way connects to hosts directly.
func NewWay(proxy func(*http.Request) (*url.URL, error)) *Way {
	out := New(nil, false)
	out.Proxy = proxy
	asking, quiet := context.WithCancel(out.ending)
	return &Way{out: out, asking: asking, quiet: quiet, decided: map[string]*decision{}, published: map[uint16]bool{}}
}

// mostPublished is the maximum number of published ports of one command.
const mostPublished = 64

// Ports from firstOwnPort to lastOwnPort are not published. The kernel assigns these ports to
// programs that do not ask for a specific port. Tests, for example, open thousands of ports.
const firstOwnPort, lastOwnPort = 32768, 60999

// Close closes all connections, stops answering DNS queries, and unpublishes all ports.
func (w *Way) Close() {
	w.out.Close()
	w.mu.Lock()
	closers := w.closers
	w.closers, w.closed = nil, true
	w.mu.Unlock()
	for _, each := range closers {
		_ = each.Close()
	}
}

// Quiet cancels the context that is passed to Allow.
func (w *Way) Quiet() { w.quiet() }

// closeWith registers a resource that Close closes. After Close, closeWith closes the resource at
// once and returns false.
func (w *Way) closeWith(closer io.Closer) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		_ = closer.Close()
		return false
	}
	w.closers = append(w.closers, closer)
	return true
}

// Connect connects to a target. The caller must call carry with a connection to the command, or
// with nil to close the connection to the target. The error wraps the [syscall.Errno] that the
// command receives, such as EACCES for a refused host.
func (w *Way) Connect(to netip.AddrPort) (carry func(net.Conn), err error) {
	host, local := w.hostAt(to.Addr())
	if host == "" {
		return nil, syscall.ECONNREFUSED
	}
	if !local {
		if err := w.askOnce(host, to.Port()); err != nil {
			return nil, fmt.Errorf("%w: %w", syscall.EACCES, err)
		}
	}
	there, err := w.dial(host, to.Port(), local)
	if err != nil {
		return nil, errors.Join(err, errnoOf(err))
	}
	return func(here net.Conn) {
		if here == nil {
			_ = there.Close()
			return
		}
		w.carrying.Go(func() error {
			w.carry(here, there, spoken{host: host, port: to.Port(), local: local})
			return nil
		})
	}, nil
}

// hostAt returns the name for a placeholder address, or "" if the placeholder is unused. It returns
// any other address as text, and an unspecified address as the loopback address. The second result
// reports whether the host is this machine.
func (w *Way) hostAt(at netip.Addr) (host string, local bool) {
	at = at.Unmap().WithZone("")
	switch {
	case at.IsLoopback():
		return at.String(), true
	case at.IsUnspecified():
		return map[bool]string{true: "127.0.0.1", false: "::1"}[at.Is4()], true
	case placeholderRange.Contains(at):
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.names.name(at), false
	}
	return at.String(), false
}

// askOnce calls Allow only once for each host and port, even if several connections wait for the
// answer.
func (w *Way) askOnce(host string, port uint16) error {
	if w.Open != nil && w.Open() {
		return nil
	}
	address := net.JoinHostPort(host, fmt.Sprint(port))
	w.mu.Lock()
	known := w.decided[address]
	if known != nil {
		w.mu.Unlock()
		select {
		case <-known.done:
			return known.err
		case <-w.out.ending.Done():
			return context.Canceled
		}
	}
	known = &decision{done: make(chan struct{})}
	w.decided[address] = known
	w.mu.Unlock()
	known.err = w.Allow(w.asking, host, port)
	close(known.done)
	if known.err != nil && w.out.ending.Err() == nil {
		w.refuse(address)
	}
	return known.err
}

// refuse appends a target to w.refused and invokes Told, unless the list already contains the
// target or is full.
func (w *Way) refuse(host string) {
	w.mu.Lock()
	again := slices.Contains(w.refused, host) || len(w.refused) >= mostAsked
	if !again {
		w.refused = append(w.refused, host)
	}
	w.mu.Unlock()
	if !again && w.Told != nil {
		w.Told(host)
	}
}

// Refused returns the refused targets, each as "host:port" or a description.
func (w *Way) Refused() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.refused)
}

// dial connects to a host, or to its replacement in Hosts.
func (w *Way) dial(host string, port uint16, local bool) (net.Conn, error) {
	address := net.JoinHostPort(host, fmt.Sprint(port))
	if base, err := url.Parse(w.Hosts[host]); err == nil && base.Host != "" && !local {
		address, local = base.Host, true
		if base.Port() == "" {
			address = net.JoinHostPort(base.Hostname(), fmt.Sprint(port))
		}
	}
	if local {
		ctx, stop := context.WithTimeout(w.out.ending, 20*time.Second)
		defer stop()
		return dialer().DialContext(ctx, "tcp", address)
	}
	return w.out.dial(address)
}

func errnoOf(err error) error {
	var number syscall.Errno
	var lookup *net.DNSError
	var late interface{ Timeout() bool }
	switch {
	case errors.As(err, &number):
		return number
	case errors.As(err, &lookup):
		return syscall.EHOSTUNREACH
	case errors.As(err, &late) && late.Timeout():
		return syscall.ETIMEDOUT
	}
	return syscall.ECONNREFUSED
}

// Publish forwards a port of this machine to the command, so that the user's browser and other
// commands can reach a development server. It ignores ports from firstOwnPort to lastOwnPort. The
// error wraps [syscall.EADDRINUSE] if the port is taken.
func (w *Way) Publish(at netip.AddrPort, dial func() (net.Conn, error)) error {
	address := at.Addr().Unmap()
	if !address.IsLoopback() && !address.IsUnspecified() || at.Port() >= firstOwnPort && at.Port() <= lastOwnPort {
		return nil
	}
	w.mu.Lock()
	again := w.published[at.Port()] || len(w.published) >= mostPublished
	w.published[at.Port()] = true
	w.mu.Unlock()
	if again {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(w.out.ending, "tcp", netip.AddrPortFrom(address, at.Port()).String())
	if err != nil {
		w.mu.Lock()
		delete(w.published, at.Port())
		w.mu.Unlock()
		return fmt.Errorf("%w: %w", syscall.EADDRINUSE, err)
	}
	if !w.closeWith(listener) {
		return nil
	}
	w.carrying.Go(func() error {
		for {
			here, err := listener.Accept()
			if err != nil {
				return nil
			}
			w.carrying.Go(func() error {
				there, err := dial()
				if err != nil {
					return here.Close()
				}
				w.carry(here, there, spoken{local: true, inward: true})
				return nil
			})
		}
	})
	return nil
}

// spoken describes the target of a connection.
type spoken struct {
	host   string
	port   uint16
	local  bool // the target is this machine
	inward bool // the connection comes from this machine
}

// carry sends data in both directions between two connections, and then closes the connections.
func (w *Way) carry(here, there net.Conn, to spoken) {
	defer here.Close()
	defer there.Close()
	stop := context.AfterFunc(w.out.ending, func() { _, _ = here.Close(), there.Close() })
	defer stop()
	var both errgroup.Group
	both.Go(func() error { return carry(here, there) })
	both.Go(func() error {
		err := w.outward(here, there, to)
		if err != nil {
			return errors.Join(err, here.Close(), there.Close())
		}
		return nil
	})
	_ = both.Wait()
}

// plainName normalizes a host name for comparisons.
func plainName(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }
