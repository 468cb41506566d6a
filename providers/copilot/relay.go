package copilot

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"time"
)

// relay connects the SDK's TCP connection to the CLI's stdin and stdout. A message consists of
// "Content-Length: n", an empty line and n bytes. The first message must contain the token, because
// any local user can connect to the port. The relay parses every message from the CLI, because the
// SDK would print malformed messages to Marvin's stdout.
type relay struct {
	listener net.Listener
	token    string
	silent   chan struct{} // closed when the relay has stopped sending to the SDK
	done     chan struct{} // closed when both sides have disconnected
}

// maxFrame is the size limit of a message, in bytes. A message may contain a whole conversation.
const maxFrame = 64 << 20

func newRelay() (*relay, error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open a local connection for the Copilot CLI: %w", err)
	}
	return &relay{listener: listener, token: rand.Text(), silent: make(chan struct{}), done: make(chan struct{})}, nil
}

func (r *relay) address() string { return r.listener.Addr().String() }

// serve waits for the first client that sends the token, and connects this client to the CLI until
// both sides close. When the CLI's output ends, serve invokes onEnd before the SDK notices the end.
// The argument of onEnd is an error if the output was malformed.
func (r *relay) serve(stdin io.WriteCloser, stdout io.Reader, onEnd func(error)) {
	defer close(r.done)
	defer stdin.Close() // the CLI exits when stdin is closed
	connection, inbound, err := r.accept(stdin)
	r.listener.Close()
	if err != nil {
		close(r.silent)
		return // there is no connection if the start was abandoned
	}
	defer connection.Close()
	left := make(chan struct{})
	go func() {
		defer close(left)
		_, _ = io.Copy(stdin, inbound)
		stdin.Close()
		_, _ = io.Copy(io.Discard, inbound) // if bytes remained unread, the SDK would get a reset and print it
	}()
	onEnd(pump(connection, bufio.NewReader(stdout)))
	if half, ok := connection.(*net.TCPConn); ok {
		_ = half.CloseWrite()
	}
	close(r.silent)
	<-left
}

// accept waits for a connection whose first message contains the token. It removes the token and
// forwards the message, because the CLI would refuse the token.
func (r *relay) accept(stdin io.Writer) (net.Conn, *bufio.Reader, error) {
	for {
		connection, err := r.listener.Accept()
		if err != nil {
			return nil, nil, err
		}
		inbound := bufio.NewReader(connection)
		// Another program might connect and send nothing.
		silent := time.AfterFunc(time.Second, func() { connection.Close() })
		first, err := readFrame(inbound)
		silent.Stop()
		if err == nil {
			first, err = r.admit(first)
		}
		if err == nil {
			err = writeFrame(stdin, first)
		}
		if err == nil {
			return connection, inbound, nil
		}
		connection.Close()
	}
}

func (r *relay) admit(message []byte) ([]byte, error) {
	var request map[string]json.RawMessage
	var params map[string]json.RawMessage
	var token string
	if err := errors.Join(json.Unmarshal(message, &request), json.Unmarshal(request["params"], &params), json.Unmarshal(params["token"], &token)); err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(r.token)) != 1 {
		return nil, errors.New("a stranger connected")
	}
	delete(params, "token")
	var err error
	if request["params"], err = json.Marshal(params); err != nil {
		return nil, err
	}
	return json.Marshal(request)
}

// pump forwards messages until the end of input. Malformed input is an error.
func pump(to io.Writer, from *bufio.Reader) error {
	for {
		message, err := readFrame(from)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := writeFrame(to, message); err != nil {
			return nil // the SDK has disconnected
		}
	}
}

func readFrame(from *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(from).ReadMIMEHeader()
	if _, malformed := errors.AsType[textproto.ProtocolError](err); malformed {
		return nil, fmt.Errorf("%w: %w", errNoServer, err)
	}
	if err != nil {
		return nil, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || length < 0 || length > maxFrame {
		return nil, fmt.Errorf("%w: a message of %q bytes", errNoServer, header.Get("Content-Length"))
	}
	message := make([]byte, length)
	_, err = io.ReadFull(from, message)
	return message, err
}

func writeFrame(to io.Writer, message []byte) error {
	_, err := to.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(message)), message...))
	return err
}
