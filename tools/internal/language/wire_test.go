package language

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestMessagesAreRead(t *testing.T) {
	const ping = "Content-Length: 17\r\n\r\n" + `{"method":"ping"}`
	padded := func(size int) string { // JSON of exactly this size
		return fmt.Sprintf("Content-Length: %d\r\n\r\n", size) + `{"method":"ping"}` + strings.Repeat(" ", size-17)
	}
	for _, one := range []struct {
		what, text, wrong string // "" for a message that is read
	}{
		{"a message", ping, ""},
		{"line ends without returns", "Content-Length: 17\n\n" + `{"method":"ping"}`, ""},
		{"a header in another spelling", "X: y\r\n content-length :17 \r\nContent-Type: a\r\n\r\n" + `{"method":"ping"}`, ""},
		{"empty lines and chatter before", "\r\nStarting up\n\r\n" + ping, ""},
		{"chatter longer than the buffer", strings.Repeat("x", 40_000) + "\n" + ping, ""},
		{"chatter without an end", strings.Repeat("x", longestHeader+1), "its output is not the Language Server Protocol"},
		{"lines without an end", strings.Repeat("x\n", longestHeader), "its output is not the Language Server Protocol"},
		{"no number", "Content-Length: many\r\n\r\n", `it sent an invalid message length: " many"`},
		{"a negative number", "Content-Length: -1\r\n\r\n", `it sent an invalid message length: " -1"`},
		{"an empty message", "Content-Length: 0\r\n\r\n", "a message is not JSON: unexpected end of JSON input"},
		{"no JSON", "Content-Length: 2\r\n\r\n[]", "a message is not JSON: "},
		{"the longest", padded(longestMessage), ""},
		{"a longer one", padded(longestMessage + 1), "the message is too long"},
		{"a longer one that ends early", padded(longestMessage + 9)[:longestMessage], "EOF"},
		{"a message that ends early", ping[:len(ping)-1], "unexpected EOF"},
		{"nothing", "", "EOF"},
		{"half a header", "Content-Le", "EOF"},
	} {
		from := bufio.NewReaderSize(strings.NewReader(one.text+ping), 1<<12)
		if one.wrong != "" && strings.Contains(one.wrong, "EOF") {
			from = bufio.NewReader(strings.NewReader(one.text))
		}
		got, err := readMessage(from)
		if one.wrong == "" && (err != nil || got.Method != "ping") || one.wrong != "" && (err == nil || !strings.HasPrefix(err.Error(), one.wrong)) {
			t.Errorf("%s: %.60q, %v", one.what, got.Method, err)
		}
		if one.wrong == "" || errors.Is(err, errTooLong) { // the next message is understood
			if next, err := readMessage(from); err != nil || next.Method != "ping" {
				t.Errorf("behind %s: %.60q, %v", one.what, next.Method, err)
			}
		}
	}
	for longest, wrong := range map[int]bool{longestHeader - 22: false, longestHeader - 21: true} { // plus the 22 bytes of the header and its empty line
		text := strings.Repeat("x", longest-1) + "\n" + ping
		if _, err := readMessage(bufio.NewReaderSize(strings.NewReader(text), longestHeader)); (err != nil) != wrong {
			t.Errorf("behind %d bytes: %v", longest, err)
		}
	}
}

// peers returns the messages at the other end of a connection, which replies with answer and is
// closed at the end of the test.
func peers(t *testing.T, s *Session, answer func(one message) message) (said chan message) {
	t.Helper()
	in, theirOut := io.Pipe()
	theirIn, out := io.Pipe()
	said = make(chan message, 100)
	s.conn = newConn(in, out, s.hear, s.handleRequest)
	over := make(chan struct{})
	go func() {
		defer close(over)
		for from := bufio.NewReader(theirIn); ; {
			one, err := readMessage(from)
			if err != nil {
				_ = theirOut.Close()
				return
			}
			said <- one
			if reply := answer(one); reply.ID != nil || reply.Method != "" {
				text, _ := frame(reply)
				_, _ = theirOut.Write(text)
			}
		}
	}()
	t.Cleanup(func() {
		s.conn.end(errors.New("the test is over"))
		_, _, _ = in.Close(), out.Close(), theirOut.Close()
		<-over
	})
	return said
}

func TestQuestionsAndTheirAnswers(t *testing.T) {
	s := &Session{held: *unread(t)}
	ctx, stop := context.WithCancelCause(t.Context())
	said := peers(t, s, func(one message) message {
		switch one.Method {
		case "number":
			return message{ID: one.ID, Result: json.RawMessage("7")}
		case "nothing":
			return message{ID: one.ID}
		case "refused":
			return message{ID: one.ID, Error: &rpcError{codeContentModified, "it changed"}}
		case "silence":
			stop(errors.New("Esc"))
		case "ask": // Marvin's reply is sent back
			return message{ID: json.RawMessage(`"q"`), Method: "workspace/workspaceFolders"}
		case "ask more":
			return message{ID: json.RawMessage(`"q"`), Method: "whatever/else"}
		}
		return message{}
	})
	var number int
	if err := s.conn.call(t.Context(), "number", nil, &number); err != nil || number != 7 {
		t.Errorf("%d, %v", number, err)
	}
	if asked := <-said; asked.Params != nil || string(asked.ID) != "1" || asked.Version != "2.0" {
		t.Errorf("a question without parameters: %+v", asked)
	}
	var text string
	if err := s.conn.call(t.Context(), "number", map[string]int{"a": 1}, &text); err == nil {
		t.Error("a number was taken for a text")
	}
	if asked := <-said; string(asked.Params) != `{"a":1}` || string(asked.ID) != "2" {
		t.Errorf("a question with parameters: %+v", asked)
	}
	if err := s.conn.call(t.Context(), "nothing", nil, &number); err != nil || number != 7 {
		t.Errorf("an empty answer: %d, %v", number, err)
	}
	if err := s.conn.call(t.Context(), "number", nil, nil); err != nil {
		t.Errorf("an answer that no one wants: %v", err)
	}
	var refused *rpcError
	if err := s.conn.call(t.Context(), "refused", nil, nil); !errors.As(err, &refused) || err.Error() != "it changed (-32801)" {
		t.Errorf("%v", err)
	}
	if err := s.conn.call(ctx, "silence", nil, nil); err == nil || err.Error() != "Esc" {
		t.Errorf("%v", err)
	}
	for range 4 {
		<-said
	}
	if taken := <-said; taken.Method != "$/cancelRequest" || string(taken.Params) != `{"id":6}` {
		t.Errorf("the question is taken back by %+v", taken)
	}
	for method, want := range map[string]string{"ask": `[{"name":"`, "ask more": `there is no whatever/else`} {
		if err := s.conn.notify(method, nil); err != nil {
			t.Fatal(err)
		}
		<-said
		answer := <-said
		if text, _ := frame(answer); !strings.Contains(string(text), want) || string(answer.ID) != `"q"` || (answer.Error != nil) != (method == "ask more") {
			t.Errorf("to %s it was answered %s", method, text)
		}
	}
	for what, err := range map[string]error{
		"a question": s.conn.call(t.Context(), "x", make(chan int), nil), "a message": s.conn.notify("x", make(chan int)),
	} {
		if err == nil {
			t.Errorf("%s was made of invalid JSON", what)
		}
	}
	if len(s.conn.waiting) > 0 {
		t.Errorf("there are still waited for: %v", s.conn.waiting)
	}
}

// A connection ends once, with the first reason, and sends nothing after its end.
func TestConnectionEndsOnce(t *testing.T) {
	broken := errors.New("broken")
	for err, want := range map[error]string{nil: "it closed the connection", io.EOF: "it closed the connection", io.ErrUnexpectedEOF: "it closed the connection", broken: "broken"} {
		c := unread(t).conn
		if err := c.notify("x", nil); err != nil || c.queued == 0 {
			t.Errorf("%v, %d bytes wait", err, c.queued)
		}
		c.end(err)
		c.end(errors.New("later"))
		if got := c.failure(); got == nil || got.Error() != want || len(c.queue) > 0 {
			t.Errorf("%v: %v, %d messages wait", err, got, len(c.queue))
		}
		if err := c.notify("x", nil); err == nil || err.Error() != want {
			t.Errorf("a message: %v", err)
		}
		if err := c.call(t.Context(), "x", nil, nil); err == nil || err.Error() != want {
			t.Errorf("a question: %v", err)
		}
		<-c.over
	}
	c := unread(t).conn
	c.runGuarded(func() error { panic("a bug") })
	if err := c.failure(); err == nil || err.Error() != "reading it: a bug" {
		t.Errorf("%v", err)
	}
}

func TestAServerThatReadsNothing(t *testing.T) {
	c := unread(t).conn
	text, err := frame(message{Method: "x", Params: json.RawMessage(`""`)})
	if err != nil {
		t.Fatal(err)
	}
	rest := mostQueued - len(text)
	c.queued = rest
	if err := c.notify("x", ""); err != nil || c.queued != mostQueued {
		t.Errorf("up to the limit: %v, %d", err, c.queued)
	}
	if err := c.notify("x", ""); !errors.Is(err, errSlow) || len(c.queue) != 1 {
		t.Errorf("beyond it: %v, %d", err, len(c.queue))
	}
}

// The reason for the end is recorded on both sides: reading fails for another protocol, or writing
// fails.
func TestConnectionErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, one := range []struct {
		said string
		out  error
		want string
	}{
		{"Content-Length: many\r\n\r\n", nil, `it sent an invalid message length: " many"`},
		{"", nil, "it closed the connection"},
		{"open", broken, "broken pipe"},
	} {
		read, write := io.Pipe()
		var in io.Reader = read
		if one.said != "open" {
			in = strings.NewReader(one.said)
		}
		c := newConn(in, failing{one.out}, nil, nil)
		_ = c.notify("x", nil)
		<-c.over
		if err := c.failure(); err == nil || err.Error() != one.want {
			t.Errorf("%q: %v", one.said, err)
		}
		_ = write.Close()
	}
}

// failing is a writer that returns err.
type failing struct{ err error }

func (f failing) Write(p []byte) (int, error) { return len(p), f.err }
