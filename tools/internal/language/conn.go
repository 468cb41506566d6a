package language

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// conn is the connection to a server. A conn is safe for concurrent use.
type conn struct {
	out io.Writer
	// These functions must not block, because they run in the goroutine that reads messages.
	hear func(method string, params json.RawMessage)              // handles a notification
	ask  func(method string, params json.RawMessage) (any, error) // answers a request

	mu      sync.Mutex
	next    int
	waiting map[string]chan<- message
	queue   [][]byte
	queued  int
	wake    chan struct{}
	err     error         // why the connection ended
	over    chan struct{} // closed when the connection ends
}

// mostQueued is the maximum number of bytes that are queued for a server that reads slowly.
const mostQueued = 64 << 20

var errSlow = errors.New("it reads nothing")

func newConn(in io.Reader, out io.Writer, hear func(string, json.RawMessage), ask func(string, json.RawMessage) (any, error)) *conn {
	c := &conn{out: out, hear: hear, ask: ask, waiting: map[string]chan<- message{}, wake: make(chan struct{}, 1), over: make(chan struct{})}
	go c.runGuarded(func() error { return c.read(bufio.NewReaderSize(in, 64<<10)) })
	go c.runGuarded(c.write)
	return c
}

// runGuarded calls a function, and ends the connection when the function returns or panics.
func (c *conn) runGuarded(run func() error) {
	defer func() {
		if broken := recover(); broken != nil {
			c.end(fmt.Errorf("reading it: %v", broken))
		}
	}()
	c.end(run())
}

// end remembers the reason why the connection has ended. Only the first call has an effect.
func (c *conn) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it closed the connection")
	}
	c.err = err
	c.queue = nil
	close(c.over)
}

func (c *conn) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// write sends the queued messages. Because of the queue, callers never block on a server that is
// itself waiting for Marvin.
func (c *conn) write() error {
	for {
		select {
		case <-c.wake:
		case <-c.over:
			return nil
		}
		for {
			c.mu.Lock()
			if len(c.queue) == 0 {
				c.mu.Unlock()
				break
			}
			text := c.queue[0]
			c.queue = c.queue[1:]
			c.queued -= len(text)
			c.mu.Unlock()
			if _, err := c.out.Write(text); err != nil {
				return err
			}
		}
	}
}

func (c *conn) send(one message) error {
	text, err := frame(one)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.err != nil:
		return c.err
	case c.queued+len(text) > mostQueued:
		return errSlow
	}
	c.queue = append(c.queue, text)
	c.queued += len(text)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return nil
}

func (c *conn) read(from *bufio.Reader) error {
	for {
		one, err := readMessage(from)
		switch {
		case errors.Is(err, errTooLong):
			c.hear("$/tooLong", nil)
			continue
		case err != nil:
			return err
		case one.Method == "":
			c.answered(one)
		case len(one.ID) == 0:
			c.hear(one.Method, one.Params)
		default:
			if err := c.reply(one); err != nil {
				return err
			}
		}
	}
}

func (c *conn) answered(one message) {
	c.mu.Lock()
	reply := c.waiting[string(one.ID)]
	delete(c.waiting, string(one.ID))
	c.mu.Unlock()
	if reply != nil {
		reply <- one
	}
}

func (c *conn) reply(to message) error {
	answer := message{ID: to.ID}
	result, err := c.ask(to.Method, to.Params)
	if err == nil {
		answer.Result, err = json.Marshal(result)
	}
	if err != nil {
		var known *rpcError
		if !errors.As(err, &known) {
			known = &rpcError{Code: codeNoMethod, Message: err.Error()}
		}
		answer.Result, answer.Error = nil, known
	}
	return c.send(answer)
}

func (c *conn) notify(method string, params any) error {
	var encoded json.RawMessage
	if params != nil {
		var err error
		if encoded, err = json.Marshal(params); err != nil {
			return err
		}
	}
	return c.send(message{Method: method, Params: encoded})
}

// call sends a request, waits for the reply, and decodes it into result, which can be nil. If ctx
// ends before the reply arrives, call cancels the request.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
	var encoded json.RawMessage
	if params != nil { // some servers reject "params": null
		var err error
		if encoded, err = json.Marshal(params); err != nil {
			return err
		}
	}
	reply := make(chan message, 1)
	c.mu.Lock()
	c.next++
	number := c.next
	id := strconv.Itoa(number)
	c.waiting[id] = reply
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	if err := c.send(message{ID: json.RawMessage(id), Method: method, Params: encoded}); err != nil {
		return err
	}
	select {
	case answer := <-reply:
		switch {
		case answer.Error != nil:
			return answer.Error
		case result == nil || len(answer.Result) == 0:
			return nil
		}
		return json.Unmarshal(answer.Result, result)
	case <-c.over:
		return c.failure()
	case <-ctx.Done():
		_ = c.notify("$/cancelRequest", map[string]int{"id": number})
		return context.Cause(ctx)
	}
}
