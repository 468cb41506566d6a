package pace_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/providers/pace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open connects to a server that serves one connection, paced.
func open(t *testing.T, every time.Duration, serve func(net.Conn)) net.Conn {
	t.Helper()
	return openAt(t, every, time.Now, serve)
}

func openAt(t *testing.T, every time.Duration, now func() time.Time, serve func(net.Conn)) net.Conn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		peer, err := listener.Accept()
		if err != nil {
			return
		}
		defer peer.Close()
		serve(peer)
	}()
	dial := pace.Connections((&net.Dialer{}).DialContext, every, now)
	connection, err := dial(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close(); listener.Close(); <-served })
	return connection
}

// trickle sends n drops, one every millisecond: the pace of a model.
func trickle(peer net.Conn, n int) {
	for range n {
		if _, err := peer.Write([]byte("drop ")); err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestAStreamIsReadInSipsAndNothingIsLost(t *testing.T) {
	const drops, every = 300, 40 * time.Millisecond
	connection := open(t, every, func(peer net.Conn) { trickle(peer, drops) })
	var got strings.Builder
	begun, reads := time.Now(), 0
	buffer := make([]byte, 4<<10)
	for {
		n, err := connection.Read(buffer)
		got.Write(buffer[:n])
		reads++
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := strings.Repeat("drop ", drops); got.String() != want {
		t.Errorf("%d bytes of %d", got.Len(), len(want))
	}
	// Eight at once, then one in every 40 ms, and as many again should the machine have
	// stood still for long enough to look like the end of the stream.
	if most := 2*8 + int(time.Since(begun)/every) + 2; reads > most {
		t.Errorf("%d reads for %d drops, at most %d", reads, drops, most)
	}
}

// An hour between two reads would show as a test that does not end.
const hour = time.Hour

func TestTheFirstWordsAreNotHeldBack(t *testing.T) {
	connection := open(t, hour, func(peer net.Conn) {
		for range 8 {
			trickle(peer, 1)
			if _, err := io.ReadFull(peer, make([]byte, 1)); err != nil {
				return
			}
		}
		trickle(peer, 7)
	})
	buffer := make([]byte, 5)
	for range 8 {
		if _, err := io.ReadFull(connection, buffer); err != nil {
			t.Fatal(err)
		}
		if _, err := connection.Write([]byte("?")); err != nil { // the next exchange
			t.Fatal(err)
		}
	}
	if _, err := io.ReadFull(connection, make([]byte, 7*5)); err != nil {
		t.Fatal(err)
	}
}

// After a pause the first words are not held back again.
func TestAPauseBeginsAnew(t *testing.T) {
	wanted, now := make(chan struct{}), time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	connection := openAt(t, hour, func() time.Time { return now }, func(peer net.Conn) {
		for range wanted {
			trickle(peer, 1)
		}
	})
	defer close(wanted)
	for range 3 {
		for range 7 {
			wanted <- struct{}{}
			if _, err := io.ReadFull(connection, make([]byte, 5)); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(2 * hour)
	}
}

func TestAFullReadIsFollowedByTheNext(t *testing.T) {
	const size = 1 << 20
	connection := open(t, hour, func(peer net.Conn) { _, _ = peer.Write(make([]byte, size)) })
	buffer := make([]byte, 4<<10)
	for got := 0; got < size; {
		n, err := io.ReadFull(connection, buffer)
		got += n
		if err != nil {
			t.Fatalf("after %d bytes: %v", got, err)
		}
	}
}

func TestClosingEndsTheWait(t *testing.T) {
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	connection := open(t, hour, func(peer net.Conn) {
		trickle(peer, 20)
		<-ctx.Done()
	})
	go func() {
		buffer := make([]byte, 5) // a drop each, so that the ninth read waits
		for {
			if _, err := connection.Read(buffer); err != nil {
				ended <- err
				return
			}
		}
	}()
	time.Sleep(50 * time.Millisecond) // whether it waits already or not, it must end
	connection.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("the read ended with %v", err)
	}
}
