package stream

import (
	"sync/atomic"
	"time"
)

// callGrace is how long a stream may bring nothing but keep-alives behind a complete call. Some
// gateways lose the event that ends an answer and keep the connection open. It is far longer
// than the pause between two calls of one answer.
const callGrace = 8 * time.Second

// Calm ends a stream in which nothing follows a complete call. Its methods are for the
// goroutine that reads the stream.
type Calm struct {
	Leave func() // ends the request; a timer calls it

	timer *time.Timer
	heard int
	over  atomic.Bool
}

// Watch looks at an answer behind each event: whether all its calls are complete, and how many
// pieces came.
func (c *Calm) Watch(called bool, heard int) {
	if called && c.timer != nil && heard == c.heard {
		return // a keep-alive
	}
	c.Stop()
	if called {
		c.heard, c.timer = heard, time.AfterFunc(callGrace, func() { c.over.Store(true); c.Leave() })
	}
}

// Stop ends the watch.
func (c *Calm) Stop() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}

// Over says whether the stream was left because nothing followed.
func (c *Calm) Over() bool { return c.over.Load() }
