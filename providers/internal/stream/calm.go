package stream

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// callGrace is how long a stream may bring nothing but keep-alives behind a complete call. Some
// gateways lose the event that ends an answer and keep the connection open. A stream without
// keep-alives is silent, and its limit is that of silence: a slow server may write another call.
const callGrace = 8 * time.Second

// Calm ends a stream in which only keep-alives follow a complete call. The goroutine that reads
// the stream calls its methods.
type Calm struct {
	Leave func() // ends the request; a timer calls it

	mu    sync.Mutex
	timer *time.Timer
	heard int
	reads atomic.Int64 // of the stream
	over  atomic.Bool
}

// Reader is the stream whose keep-alives count.
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

// Watch looks at an answer behind each event: whether all its calls are complete, and how many
// pieces came.
func (c *Calm) Watch(called bool, heard int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if called && c.timer != nil && heard == c.heard {
		return // a keep-alive
	}
	c.stop()
	if called {
		c.heard = heard
		c.wait(c.reads.Load())
	}
}

// wait leaves the stream if something was read since, and waits again otherwise.
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

// Over says whether the stream was left because nothing followed.
func (c *Calm) Over() bool { return c.over.Load() }
