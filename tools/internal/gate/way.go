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

// Way carries all connections that leave the network of one command: see
// [tools/internal/jail].Network. The command needs no proxy. Each connection that the command opens
// arrives here with the address of its target. The DNS queries of the command are answered here
// with placeholder addresses, so the name of each host is known, and no name leaves this machine
// before the host is allowed. The methods of Way are safe for concurrent use.
type Way struct {
	// Allow returns nil if the command is allowed to contact a host, and otherwise the reason. It
	// may wait for the user until ctx ends.
	Allow func(ctx context.Context, host string, port uint16) error
	// Open reports whether the command may now contact any host. If Open is nil, the function Allow
	// decides about each host.
	Open func() bool
	// Told is called once for each refused host, as host:port; it may be nil.
	Told func(host string)
	// Hosts contains, for each replaced host, the base URL that replaces it, as in config.yaml.
	Hosts map[string]string

	out    *Gate
	asking context.Context // the context of questions to the user
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

// decision says whether one host is allowed: err is nil if it is. The channel is closed when that
// is known.
type decision struct {
	done chan struct{}
	err  error
}

// NewWay makes a way that uses the user's own proxy, which may be nil.
func NewWay(proxy func(*http.Request) (*url.URL, error)) *Way {
	out := New(nil, false)
	out.Proxy = proxy
	asking, quiet := context.WithCancel(out.ending)
	return &Way{out: out, asking: asking, quiet: quiet, decided: map[string]*decision{}, published: map[uint16]bool{}}
}

// mostPublished is the maximum number of ports of one command that this machine can reach.
const mostPublished = 64

// These are the ports that the kernel assigns to programs. Tests open thousands of these ports, and
// only the command knows their numbers, so the ports are not published.
const firstOwnPort, lastOwnPort = 32768, 60999

// Close ends all connections, name lookups and published ports.
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

// Quiet cancels the questions to the user.
func (w *Way) Quiet() { w.quiet() }

// closeWith tells the method Close to close this closer, too. If Close was already called,
// closeWith closes the closer at once and returns false.
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

// Connect connects to a target and returns a function, which must be called. The function takes the
// command's end of the connection, or nil if that end is gone. The error wraps a [syscall.Errno] for
// the command: EACCES if the host is refused.
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

// hostAt returns the name for a placeholder address, or "" if the placeholder is unused. For any
// other address it returns the address itself. The second result is true if the host is this
// machine.
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

// askOnce asks once for each host, even if several connections wait for the answer.
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

// refuse adds a host to the list of refused hosts, and calls Told if the host is new there.
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

// Refused returns the denied hosts that the command tried to contact, as host:port.
func (w *Way) Refused() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.refused)
}

// dial connects to a host, or to the address that replaces it.
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

// Publish makes a port of the command reachable from this machine, as it would be if the command
// had no network of its own. So the user's browser and other commands can use a development server.
// The error wraps [syscall.EADDRINUSE] if the port is taken.
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

// spoken is the target of a connection. If the data on the connection name another host, that host
// must be allowed as well.
type spoken struct {
	host   string
	port   uint16
	local  bool // the target is this machine
	inward bool // the connection comes from this machine
}

// carry passes data in both directions between a command and a host.
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
