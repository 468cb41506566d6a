package typeahead_test

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"marvin/ui/internal/typeahead"
)

// terminal opens a pseudo terminal and returns both sides; the first is for typing.
func terminal(t *testing.T) (keys, terminal *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { keys.Close() })
	if err := unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return keys, terminal
}

func TestTypeAheadKeepsEnterKeys(t *testing.T) {
	keys, terminal := terminal(t)
	press := func(text string) {
		if _, err := keys.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	var lines typeahead.Lines
	read := func(size int) string {
		piece := make([]byte, size)
		n, err := terminal.Read(piece)
		if err != nil {
			t.Fatal(err)
		}
		lines.Mend(piece[:n])
		return string(piece[:n])
	}
	press("one\rtwo\rth")
	if _, err := term.MakeRaw(int(terminal.Fd())); err != nil {
		t.Fatal(err)
	}
	lines.CountWaiting(int(terminal.Fd()))
	got := read(2) // in pieces, as they arrive
	press("ree\nfour\r")
	for len(got) < len("one\rtwo\rthree\nfour\r") {
		got += read(64)
	}
	if want := "one\rtwo\rthree\nfour\r"; got != want { // a Ctrl-J typed later stays a Ctrl-J
		t.Errorf("read %q, want %q", got, want)
	}
}
