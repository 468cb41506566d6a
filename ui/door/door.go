package door

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/internal/beside"
	"marvin/ui/jsonl"
)

const (
	patience        = 5 * time.Second  // time limit for the first line of a connection
	writes          = 10 * time.Second // time limit of a write to a window that may have stopped reading
	mostConnections = 1024
)

// Window is the connection of an additional front end to a conversation.
type Window interface {
	ui.Client
	Close()
}

// WindowOptions are the rights and options of a window.
type WindowOptions struct {
	Role   messages.WindowRole
	Images bool // send pictures, too
}

// Host is the conversation that a door serves.
type Host interface {
	Live() messages.Live
	// Enter opens a window.
	Enter(name string, role messages.WindowRole) (Window, error)
	// Complete lists the completions of the last word of text.
	Complete(text string) Completions
	// Stop ends the conversation, and with it the process.
	Stop()
	// Done returns a channel that is closed when the conversation has ended.
	Done() <-chan struct{}
}

// Door listens for connections from windows in other processes.
type Door struct {
	Host Host
	// Serve speaks the protocol of docs/rpc.md with a window until the window closes.
	Serve func(ctx context.Context, window ui.Client, wish WindowOptions, in io.Reader, out io.Writer) error

	work     beside.Runner
	listener *net.UnixListener
	path     string
	ctx      context.Context
	stop     context.CancelFunc
	mu       sync.Mutex
	open     map[net.Conn]bool
	running  sync.WaitGroup
}

// Open creates the directory if needed, creates this process's socket there, and listens on the
// socket. If another process removes the directory before the socket exists, Open tries again.
func (d *Door) Open(dir string) error {
	for tries := 1; ; tries++ {
		if err := Dir(dir); err != nil {
			return err
		}
		if err := d.listen(dir); tries == 5 || !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
}

func (d *Door) listen(dir string) error {
	d.path = filepath.Join(dir, nameOf(os.Getpid()))
	short, done, err := address(d.path)
	if err != nil {
		return fmt.Errorf("let other windows join this conversation: %w", err)
	}
	defer done()
	_ = os.Remove(d.path) // an earlier process with this process ID might have left a socket
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
	if err != nil {
		return fmt.Errorf("let other windows join this conversation: %w", err)
	}
	// The listener may have a short path, which is invalid after done(). Door.Close removes d.path.
	listener.SetUnlinkOnClose(false)
	if err := os.Chmod(d.path, 0o600); err != nil {
		return errors.Join(fmt.Errorf("let other windows join this conversation: %w", err), listener.Close())
	}
	d.listener, d.work, d.open = listener, beside.New(), map[net.Conn]bool{}
	d.ctx, d.stop = context.WithCancel(context.Background())
	d.running.Add(1)
	d.work.Start(d.accept, d.running.Done)
	return nil
}

// Close ends the connections of all windows and removes the socket.
func (d *Door) Close() {
	if d.listener == nil {
		return
	}
	_ = os.Remove(d.path)
	_ = os.Remove(filepath.Dir(d.path)) // a directory with other sockets is not removed
	_ = d.listener.Close()
	d.stop()
	d.mu.Lock()
	for conn := range d.open {
		_ = conn.SetReadDeadline(time.Unix(1, 0)) // reads fail from now on; pending writes continue
	}
	d.mu.Unlock()
	d.running.Wait()
}

func (d *Door) accept() {
	for {
		conn, err := d.listener.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // a temporary error, such as too many open files
			select {
			case <-time.After(100 * time.Millisecond):
			case <-d.ctx.Done():
				return
			}
			continue
		}
		if !d.enter(conn) {
			_ = conn.Close()
			continue
		}
		d.running.Add(1)
		d.work.Start(func() { d.talk(conn) }, func() { d.closeConn(conn); d.running.Done() })
	}
}

func (d *Door) enter(conn net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.open) >= mostConnections {
		return false
	}
	d.open[conn] = true
	return true
}

func (d *Door) closeConn(conn net.Conn) {
	_ = conn.Close()
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, conn)
}

func (d *Door) talk(conn *net.UnixConn) {
	out := bounded{conn}
	started, err := peerOf(conn)
	if err != nil {
		refuse(out, err)
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(patience)) // if this fails, the connection is closed below
	first := newFirstLine(conn)
	var wish request
	line, err := first.read()
	if err == nil {
		if err = json.Unmarshal(line, &wish); err != nil {
			err = fmt.Errorf("the first line is not a request: %w", messages.Misread(err))
		}
	}
	if err = cmp.Or(err, wish.check()); err != nil {
		refuse(out, err)
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	if d.ctx.Err() != nil {
		return
	}
	switch {
	case wish.Type == statusType:
		live := d.Host.Live()
		live.ID, live.Process = cmp.Or(live.ID, Unkept(os.Getpid())), os.Getpid()
		_ = jsonl.NewWriter(out).Write(reply{Version: messages.WireVersion, Type: statusType, Live: &live}) // the client may be gone
	case started && (wish.Type == stopType || wish.Op.Role != messages.RoleSee):
		refuse(out, errors.New("a tool call started this program, so it can only open a window with the role \"see\"; only the user can answer, continue or end a conversation"))
	case wish.Type == completeType:
		found := d.Host.Complete(wish.Op.Text)
		_ = jsonl.NewWriter(out).Write(reply{Version: messages.WireVersion, Type: completeType, Completions: &found}) // the client may be gone
	case wish.Type == stopType:
		d.Host.Stop()
		select {
		case <-d.Host.Done():
		case <-time.After(patience):
		}
		_ = jsonl.NewWriter(out).Write(reply{Version: messages.WireVersion, Type: "stopped"}) // the client may be gone
	default:
		d.serve(wish, first, out)
	}
}

// serve opens a window for the client, and returns when the connection ends.
func (d *Door) serve(wish request, in io.Reader, out io.Writer) {
	window, err := d.Host.Enter(cmp.Or(wish.Op.Name, "another program"), wish.Op.Role)
	if err != nil {
		refuse(out, err)
		return
	}
	defer window.Close()
	_ = d.Serve(d.ctx, window, WindowOptions{wish.Op.Role, wish.Op.Images}, in, out) // the client is gone or has received the error
}

func refuse(out io.Writer, err error) {
	_ = jsonl.NewWriter(out).Write(reply{Version: messages.WireVersion, Type: "error", Error: err.Error()}) // the client may be gone
}

// bounded is a connection that sets a deadline for each write.
type bounded struct{ net.Conn }

func (b bounded) Write(text []byte) (int, error) {
	if err := b.SetWriteDeadline(time.Now().Add(writes)); err != nil {
		return 0, err
	}
	return b.Conn.Write(text)
}
