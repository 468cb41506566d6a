package external

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"marvin/messages/acp"
	"marvin/messages/jsonlines"
)

// mostNoise is the maximum number of non-message lines, such as warnings, in an agent's output.
const mostNoise = 100

// conn is the connection to one agent. Only one goroutine uses lastID and out, so these fields need
// no lock.
type conn struct {
	out    io.Writer
	frames chan acp.Frame
	over   chan struct{} // closed when the reader goroutine ends
	err    error         // why the reader goroutine ended; safe to read after <-over
	lastID int64
}

func connect(ctx context.Context, in io.Reader, out io.Writer) *conn {
	c := &conn{out: out, frames: make(chan acp.Frame, 64), over: make(chan struct{})}
	startWork(func() { c.err = c.read(ctx, in) }, func(broken error) {
		if broken != nil {
			c.err = broken
		}
		close(c.over)
	})
	return c
}

// startWork starts a goroutine that calls work() and then done(nil). If work panics, the goroutine
// passes an error to done instead.
func startWork(work func(), done func(broken error)) {
	go func() {
		var broken error
		defer func() { done(broken) }()
		defer func() {
			if reason := recover(); reason != nil {
				broken = fmt.Errorf("internal error: %v (a fault in Marvin)", reason)
			}
		}()
		work()
	}()
}

func (c *conn) read(ctx context.Context, in io.Reader) error {
	noise := 0
	for reader := jsonlines.NewReader(in); ; {
		line, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return errGone
		case err != nil:
			return fmt.Errorf("reading from it: %w", err)
		case line.Err != nil:
			return fmt.Errorf("the agent broke the protocol: %w", line.Err)
		}
		frame, wrong := acp.Decode(line.Data)
		if wrong != nil {
			if noise++; noise > mostNoise {
				return fmt.Errorf("the agent broke the protocol: more than %d lines of its output are not messages (%w)", mostNoise, wrong)
			}
			continue
		}
		select {
		case c.frames <- frame:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// errGone means that the agent's output ended, for example because the agent exited.
var errGone = errors.New("it ended")

func (c *conn) write(value any) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := c.out.Write(line.Bytes())
	return err
}

// call sends a request. It returns the request's ID.
func (c *conn) call(method string, params any) (id string, err error) {
	c.lastID++
	number := c.lastID
	return fmt.Sprint(number), c.write(acp.Call{Version: acp.RPCVersion, ID: &number, Method: method, Params: params})
}

func (c *conn) notify(method string, params any) error {
	return c.write(acp.Call{Version: acp.RPCVersion, Method: method, Params: params})
}

func (c *conn) reply(id json.RawMessage, result any, wrong *acp.Fault) error {
	if wrong != nil {
		return c.write(acp.Failure{Version: acp.RPCVersion, ID: id, Error: wrong})
	}
	return c.write(acp.Result{Version: acp.RPCVersion, ID: id, Result: result})
}
