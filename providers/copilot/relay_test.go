package copilot

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

// relayed starts a relay with a CLI made of pipes.
func relayed(t *testing.T) (relay *relay, heard *bufio.Reader, say *io.PipeWriter, over chan error) {
	t.Helper()
	relay, err := newRelay()
	if err != nil {
		t.Fatal(err)
	}
	stdin, toCLI := io.Pipe()
	stdout, fromCLI := io.Pipe()
	over = make(chan error, 1)
	go relay.serve(toCLI, stdout, func(err error) { over <- err })
	t.Cleanup(func() {
		stdin.Close()
		fromCLI.Close()
		relay.listener.Close()
		<-relay.done
	})
	return relay, bufio.NewReader(stdin), fromCLI, over
}

func dial(t *testing.T, relay *relay, first string) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", relay.address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	if err := writeFrame(connection, []byte(first)); err != nil {
		t.Fatal(err)
	}
	return connection
}

func TestRelayAdmitsOnlyTheTokenAndKeepsIt(t *testing.T) {
	relay, heard, say, _ := relayed(t)
	for _, first := range []string{
		`{"method":"connect","params":{"token":"guess"}}`, `{"method":"connect","params":{}}`, `{"method":"session.create"}`, `[]`, `no`,
	} {
		stranger := dial(t, relay, first)
		if n, err := stranger.Read(make([]byte, 1)); err == nil {
			t.Errorf("%s was answered with %d bytes", first, n)
		}
	}
	friend := dial(t, relay, `{"id":"1","method":"connect","params":{"token":"`+relay.token+`","x":1}}`)
	message, err := readFrame(heard)
	if err != nil || strings.Contains(string(message), relay.token) || !strings.Contains(string(message), `"x":1`) {
		t.Fatalf("the CLI heard %s, %v", message, err)
	}
	go writeFrame(say, []byte(`{"id":"1"}`))
	if message, err = readFrame(bufio.NewReader(friend)); err != nil || string(message) != `{"id":"1"}` {
		t.Errorf("the SDK heard %s, %v", message, err)
	}
	if late, err := net.Dial("tcp", relay.address()); err == nil {
		late.Close()
		t.Error("a second connection was made")
	}
}

func TestRelayPassesNothingButMessages(t *testing.T) {
	for name, said := range map[string]string{
		"a greeting": "Welcome!\n", "no length": "X: y\r\n\r\n", "too long": "Content-Length: 99999999999\r\n\r\n", "negative": "Content-Length: -1\r\n\r\n",
	} {
		relay, heard, say, over := relayed(t)
		friend := dial(t, relay, `{"params":{"token":"`+relay.token+`"}}`)
		if _, err := readFrame(heard); err != nil {
			t.Fatal(err)
		}
		go io.WriteString(say, said)
		if got, err := io.ReadAll(friend); len(got) > 0 || err != nil {
			t.Errorf("%s: the SDK was given %q, %v", name, got, err)
		}
		if err := <-over; !errors.Is(err, errNoServer) {
			t.Errorf("%s: %v", name, err)
		}
		friend.Close()
	}
}

func TestRelayKnowsOfTheEndBeforeTheSDK(t *testing.T) {
	relay, heard, say, over := relayed(t)
	friend := dial(t, relay, `{"params":{"token":"`+relay.token+`"}}`)
	if _, err := readFrame(heard); err != nil {
		t.Fatal(err)
	}
	if len(over) > 0 {
		t.Error("it is over while the CLI can speak")
	}
	say.Close()
	if got, err := io.ReadAll(friend); len(got) > 0 || err != nil {
		t.Errorf("the SDK was given %q, %v", got, err)
	}
	select {
	case err := <-over:
		if err != nil {
			t.Errorf("an end is nothing wrong: %v", err)
		}
	default:
		t.Error("the SDK saw the end first")
	}
	friend.Close()
}
