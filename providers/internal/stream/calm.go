package stream

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// callGrace is how long a stream may send nothing but keep-alives after a complete call. Some
// gateways lose the event that ends an answer and keep the connection open. A silent stream may
// come from a slow server that is about to send another call. Only the silence limit ends such a
// stream.
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

// Reader wraps the stream and counts the reads, including reads of keep-alives.
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

// wait starts a timer that ends the stream after callGrace. The argument "since" is the number of
// reads so far. If there are no further reads during callGrace, the stream is silent, and the timer
// starts again.
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

// EndedStream reports whether Calm ended the stream.
func (c *Calm) EndedStream() bool { return c.over.Load() }
