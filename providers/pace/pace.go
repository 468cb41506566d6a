package pace

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// trickling is how many small reads close behind each other make a stream.
	trickling = 8
	// small is the size of a read, in bytes, that left nothing behind: net/http reads
	// into 4 KiB.
	small = 4 << 10
)

// Dial opens a connection.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Connections makes those of dial ones whose stream is read once in every. A stream
// that comes slower is not held back, nor is one that fills its reads.
func Connections(dial Dial, every time.Duration, now func() time.Time) Dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		raw, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &connection{Conn: raw, every: every, now: now, closed: make(chan struct{})}, nil
	}
}

type connection struct {
	net.Conn
	every time.Duration
	now   func() time.Time

	drops atomic.Int32 // small reads close behind each other, since the last write
	last  time.Time    // of the last read; belongs to the reader

	closing sync.Once
	closed  chan struct{}
}

// Read waits, while a stream trickles, for more of it to gather.
func (c *connection) Read(into []byte) (int, error) {
	if c.drops.Load() >= trickling {
		c.gather(c.every - c.now().Sub(c.last))
	}
	n, err := c.Conn.Read(into)
	now := c.now()
	if n < small && now.Sub(c.last) < 2*c.every {
		c.drops.Add(1)
	} else {
		c.drops.Store(0)
	}
	c.last = now
	return n, err
}

func (c *connection) gather(wait time.Duration) {
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.closed:
	}
}

// Write begins a new exchange, whose answer is wanted at once.
func (c *connection) Write(from []byte) (int, error) {
	c.drops.Store(0)
	return c.Conn.Write(from)
}

// Close ends a wait as well.
func (c *connection) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
