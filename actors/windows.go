package actors

import (
	"context"
	"errors"

	windows "marvin/actors/internal/audience"
	"marvin/actors/internal/mail"
	"marvin/messages"
)

// A conversation may have several windows: the terminal that it began in, others that join
// through the door of the process, pages. Each is a front end's side of it.

// ErrNoWindow means that a conversation takes no further window.
var ErrNoWindow = errors.New("the conversation has ended, or has reached its limit of windows")

// Window is a further front end's side of a conversation.
type Window struct {
	client *Client
	window *windows.Window
}

// Window opens a further window. Its first events are the conversation so far. Others see the
// name where this window answers a question. A silent window is not counted among the windows
// of users.
func (c *Client) Window(name string, role messages.WindowRole, silent bool) (*Window, error) {
	if c.hall == nil {
		return nil, ErrNoWindow
	}
	window := c.hall.Open(windows.WindowOptions{Name: name, Role: role, Silent: silent})
	if window == nil {
		return nil, ErrNoWindow
	}
	return &Window{c, window}, nil
}

// Live describes the conversation, as lists show it.
func (c *Client) Live() messages.Live { return c.hall.Live() }

// Over is closed when the conversation is.
func (c *Client) Over() <-chan struct{} { return c.hall.Over() }

// Leave closes the window of this client. The conversation continues.
func (c *Client) Leave() {
	if c.window != nil {
		c.close(c.window)
	}
}

// close ends a window. The session learns when that leaves the conversation alone.
func (c *Client) close(window *windows.Window) {
	window.Close()
	if !c.hall.Watched() {
		c.system.Root.Send(c.entrance, mail.LeftAlone{})
	}
}

// Send asks something of the session, if the role allows it. [messages.Quit] closes this
// window and not the conversation.
func (w *Window) Send(op messages.Op) {
	id, asked := "", op
	if request, is := op.(messages.Request); is {
		id, asked = request.ID, request.Op
	}
	if _, leaves := asked.(messages.Quit); leaves {
		w.Close()
		return
	}
	if err := w.window.Role.Allows(asked); err != nil {
		w.window.Refuse(id, err.Error())
		return
	}
	w.client.pass(w.window.Sends(op))
}

// Next returns the events since the last call, waiting for at least one. It returns io.EOF
// when the window or the conversation is closed.
func (w *Window) Next(ctx context.Context) ([]messages.Envelope, error) { return w.window.Next(ctx) }

// Close ends the window. The conversation continues.
func (w *Window) Close() { w.client.close(w.window) }
