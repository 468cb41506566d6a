package stream

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// callGrace is the time after which [Calm] ends a stream that sends only keep-alives after a
// complete call. Some gateways lose the event that ends an answer, but keep the connection open. A
// silent stream has no time limit, because a slow server could be about to send another call.
const callGrace = 8 * time.Second

// Calm ends a stream in which only keep-alives follow a complete call. Its methods must be called
// from the goroutine that reads the stream.
type Calm struct {
	Leave func() // ends the request; called by a timer

	mu    sync.Mutex
	timer *time.Timer
	heard int
	reads atomic.Int64
	over  atomic.Bool
}

// Reader returns a reader for the stream. Calm counts all reads, including those of keep-alives.
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

// Watch must be called after each event. callsDone is true if the answer has calls and all of them
// are complete, and pieces is the number of pieces so far.
func (c *Calm) Watch(callsDone bool, pieces int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if callsDone && c.timer != nil && pieces == c.heard {
		return // only a keep-alive
	}
	c.stop()
	if callsDone {
		c.heard = pieces
		c.wait(c.reads.Load())
	}
}

// wait creates a timer that compares the number of reads with the given number. If the numbers are
// equal, the timer restarts; otherwise the timer ends the stream.
func (c *Calm) wait(reads int64) {
	var timer *time.Timer
	timer = time.AfterFunc(callGrace, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case c.timer != timer: // stopped
		case c.reads.Load() == reads:
			timer.Reset(callGrace)
		default:
			c.over.Store(true)
			c.Leave()
		}
	})
	c.timer = timer
}

// Stop stops the timer.
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
