package stream

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// callGrace is the time for which a stream may send only keep-alives after a complete call. Some
// gateways lose the event that ends an answer and keep the connection open. A stream without
// keep-alives may come from a slow server that is about to send another call, so only the limit for
// silence ends it.
const callGrace = 8 * time.Second

// Calm ends a stream in which only keep-alives follow a complete call. The methods are called by
// the goroutine that reads the stream.
type Calm struct {
	Leave func() // ends the request; a timer calls it

	mu    sync.Mutex
	timer *time.Timer
	heard int
	reads atomic.Int64
	over  atomic.Bool
}

// Reader wraps the stream and counts its reads, which include keep-alives.
func (c *Calm) Reader(from io.Reader) io.Reader { return counted{from, c} }

type counted struct {
	io.Reader
	calm *Calm
}

func (r counted) Read(into []byte) (int, error) {
	n, err := r.Reader.Read(into)
	r.calm.reads.Add(1)
	return n, err
}

// Watch is called after each event. The argument "called" is true if all calls of the answer are
// complete, and "heard" is the number of pieces so far.
func (c *Calm) Watch(called bool, heard int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if called && c.timer != nil && heard == c.heard {
		return // only a keep-alive
	}
	c.stop()
	if called {
		c.heard = heard
		c.wait(c.reads.Load())
	}
}

// wait starts a timer that ends the stream after callGrace. If the number of reads then still
// equals the argument "since", no keep-alive came, and the timer starts again.
func (c *Calm) wait(since int64) {
	var timer *time.Timer
	timer = time.AfterFunc(callGrace, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case c.timer != timer: // stopped
		case c.reads.Load() == since:
			timer.Reset(callGrace)
		default:
			c.over.Store(true)
			c.Leave()
		}
	})
	c.timer = timer
}

// Stop ends the watch.
func (c *Calm) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
}

func (c *Calm) stop() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}

// Over is true if Calm ended the stream because nothing but keep-alives followed.
func (c *Calm) Over() bool { return c.over.Load() }
