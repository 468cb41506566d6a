package door

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"marvin/messages"
	"marvin/ui/internal/beside"
	"marvin/ui/jsonl"
	"marvin/ui/rpc"
)

const (
	// mostUnsent is the maximum number of ops that wait for a process that does not read.
	mostUnsent = 1024
	// mostUnread is the maximum number of received lines that wait for a caller of Next. Further
	// lines wait in the other process.
	mostUnread = 64
	// readBuffer is small because each of up to 200 idle pages needs one.
	readBuffer = 4 << 10
)

// Client is a window on a conversation in another process. It implements ui.Client.
type Client struct {
	conn   net.Conn
	came   chan []byte // delivers received lines; closed when the connection ends
	ops    chan any
	closed chan struct{}
	once   sync.Once
	ended  atomic.Bool          // true after the last event, messages.Closed
	quits  atomic.Bool          // true after a messages.Quit was sent
	images [][]messages.Picture // pictures of the next event
}

// Dial opens a window on the conversation whose socket is at path. The deadline of ctx applies only
// until the window is open.
func Dial(ctx context.Context, path, name string, role messages.WindowRole) (*Client, error) {
	wish := request{Type: enterType}
	wish.Op.Role, wish.Op.Name, wish.Op.Images = role, name, true
	conn, lines, err := ask(ctx, path, wish)
	if err != nil {
		return nil, err
	}
	if _, err := readReply(lines); err != nil { // a reply without an error is a "hello" line
		return nil, errors.Join(fmt.Errorf("open a window on the conversation: %w", err), conn.Close())
	}
	_ = conn.SetDeadline(time.Time{}) // if this fails, so does the next read
	client := &Client{conn: conn, came: make(chan []byte, mostUnread), ops: make(chan any, mostUnsent), closed: make(chan struct{})}
	work := beside.New()
	work.Start(client.write, func() {})
	work.Start(func() { client.read(lines) }, func() { close(client.came) })
	return client, nil
}

// ask connects to the socket at path and sends a request.
func ask(ctx context.Context, path string, wish request) (net.Conn, *bufio.Reader, error) {
	short, done, err := address(path)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	dialer := net.Dialer{Timeout: patience}
	conn, err := dialer.DialContext(ctx, "unix", short)
	if err != nil {
		return nil, nil, err
	}
	until := time.Now().Add(patience + time.Second)
	if given, bounded := ctx.Deadline(); bounded {
		until = given
	}
	_ = conn.SetDeadline(until) // if this fails, so does the next write
	if err := jsonl.NewWriter(conn).Write(wish); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, bufio.NewReaderSize(conn, readBuffer), nil
}

func readReply(lines *bufio.Reader) (told reply, err error) {
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return told, err
	}
	if err = json.Unmarshal(line, &told); err == nil && told.Type == "error" {
		err = errors.New(told.Error)
	}
	return told, err
}

// Send sends an op to the conversation without waiting. It closes the connection if the other
// process no longer reads.
func (c *Client) Send(op messages.Op) {
	request, is := op.(messages.Request)
	if !is {
		request = messages.Request{Op: op}
	}
	if _, quits := request.Op.(messages.Quit); quits {
		c.quits.Store(true)
	}
	c.put(wireForm(request))
}

func (c *Client) put(request any) {
	select {
	case c.ops <- request:
	case <-c.closed:
	default:
		c.Close()
	}
}

// Type sends a prompt or a command as if the user had typed it in the terminal. If the line is
// refused, a [messages.Refused] event with the same id gives the reason.
func (c *Client) Type(id, line string) {
	request := typed{Version: messages.WireVersion, ID: id, Type: "line"}
	request.Op.Text = line
	c.put(request)
}

// Over reports whether the conversation or its process has ended. It is false if the user closed
// only this window.
func (c *Client) Over() bool { return c.ended.Load() && !c.quits.Load() }

func (c *Client) write() {
	out := jsonl.NewWriter(bounded{c.conn})
	for {
		select {
		case op := <-c.ops:
			if err := out.Write(op); err != nil {
				c.Close()
				return
			}
		case <-c.closed:
			return
		}
	}
}

// Close closes the window. The conversation continues.
func (c *Client) Close() {
	c.once.Do(func() {
		close(c.closed)
		_ = c.conn.Close()
	})
}

// read delivers lines to [Client.Next] until the connection ends. Canceling a call to Next loses no
// lines.
func (c *Client) read(lines *bufio.Reader) {
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		select {
		case c.came <- line:
		case <-c.closed:
			return
		}
	}
}

// Next waits for at least one event, and returns all events since the last call. After the last
// event, it returns io.EOF. If ctx is done before an event arrives, Next returns
// context.Cause(ctx).
func (c *Client) Next(ctx context.Context) (batch []messages.Envelope, err error) {
	if c.ended.Load() {
		return nil, io.EOF
	}
	for len(batch) == 0 || len(c.came) > 0 {
		select {
		case line, open := <-c.came:
			if !open {
				return c.reportLoss(batch), nil
			}
			if envelope, is := c.decode(line); is {
				batch = append(batch, envelope)
				if _, over := envelope.Event.(messages.Closed); over {
					c.ended.Store(true)
					c.Close()
					return batch, nil
				}
			}
		case <-ctx.Done():
			if len(batch) > 0 {
				return batch, nil
			}
			return nil, context.Cause(ctx)
		}
	}
	return batch, nil
}

// reportLoss closes the client and adds a notice that the connection is lost.
func (c *Client) reportLoss(batch []messages.Envelope) []messages.Envelope {
	c.ended.Store(true)
	c.Close()
	return append(batch,
		messages.Envelope{Event: messages.Notice{Level: messages.Problem, Text: "The connection to the Marvin process that runs this conversation is closed. To list the running conversations, run marvin live; to continue one that has ended, run marvin -c."}},
		messages.Envelope{Event: messages.Closed{}})
}

// decode parses a line. It converts messages and errors to events, and keeps pictures for the next
// event. It returns false if the line yields no event.
func (c *Client) decode(line []byte) (messages.Envelope, bool) {
	var told reply
	if err := json.Unmarshal(line, &told); err != nil {
		return messages.Envelope{}, false
	}
	switch {
	case told.Type == rpc.ImagesType:
		c.images = told.Images
		return messages.Envelope{}, false
	case told.Type == "said":
		return messages.Envelope{Event: messages.Notice{Level: told.Level, Text: told.Text}}, true
	case told.Type == "error":
		return messages.Envelope{Event: messages.Refused{Request: told.ID, Err: told.Error}}, true
	case told.Event == nil:
		return messages.Envelope{}, false
	}
	var envelope messages.Envelope
	err := json.Unmarshal(line, &envelope)
	envelope.Event, c.images = messages.WithImages(envelope.Event, c.images), nil
	return envelope, err == nil
}
