package actors

import (
	"context"
	"errors"

	windows "marvin/actors/internal/audience"
	"marvin/actors/internal/mail"
	"marvin/messages"
)

// A conversation may have several windows: the terminal in which it began, windows that join
// through the socket of the process, and web pages.

// ErrNoWindow means that the conversation has ended or accepts no more windows.
var ErrNoWindow = errors.New("the conversation has ended or accepts no more windows")

// Window connects an additional front end to a conversation.
type Window struct {
	client *Client
	window *windows.Window
}

// Window opens an additional window, which first receives the events of the conversation so far.
// The name is shown in the other windows when the new window answers a question. If silent is true,
// the new window counts as unwatched.
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

// Live returns a summary of the open conversation.
func (c *Client) Live() messages.Live { return c.hall.Live() }

// Done returns a channel that is closed when the conversation ends.
func (c *Client) Done() <-chan struct{} { return c.hall.Done() }

// Leave closes the window of this client. The conversation continues.
func (c *Client) Leave() {
	if c.window != nil {
		c.close(c.window)
	}
}

// close closes a window, and tells the session if the conversation is now unwatched.
func (c *Client) close(window *windows.Window) {
	window.Close()
	if !c.hall.Watched() {
		c.system.Root.Send(c.entrance, mail.NoWindowOpen{})
	}
}

// Send sends an op to the session if the window's role allows the op. A [messages.Quit] closes only
// this window, not the conversation.
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
	w.client.pass(w.window.PrepareOp(op))
}

// Next waits for at least one event and returns all events since the previous call. It returns
// io.EOF when the window or the conversation is closed.
func (w *Window) Next(ctx context.Context) ([]messages.Envelope, error) { return w.window.Next(ctx) }

// Close ends the window. The conversation continues.
func (w *Window) Close() { w.client.close(w.window) }
