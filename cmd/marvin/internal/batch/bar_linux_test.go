package batch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"marvin/ui/jsonl"
)

// narrow returns a terminal with this many columns, and a reader of its output.
func narrow(t *testing.T, columns int) (terminal *os.File, shown *bufio.Reader) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err = errors.Join(err, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)); err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err == nil {
		err = unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 5, Col: uint16(columns)})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = terminal.Close(), master.Close() })
	return terminal, bufio.NewReader(master)
}

// The bar leaves the last column free, because a line that fills it would wrap.
func TestTheBarFitsTheTerminal(t *testing.T) {
	for columns, want := range map[int]string{10: "012345678", 11: "0123456789", 12: "0123456789", 1: ""} {
		terminal, shown := narrow(t, columns)
		NewBar(nil, terminal).draw("0123456789")
		if got, err := shown.ReadString('K'); err != nil || got != "\r"+want+"\x1b[K" {
			t.Errorf("%d columns show %q, %v", columns, got, err)
		}
	}
}

// The bar shows the progress in relation to the lines of the file, which counting does not consume.
// After the end nothing is drawn.
func TestTheBarIsDrawnUntilTheEnd(t *testing.T) {
	prompts, err := os.Create(filepath.Join(t.TempDir(), "prompts"))
	if err == nil {
		_, err = prompts.WriteString("one\ntwo\nthree")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer prompts.Close()
	if _, err := prompts.Seek(4, 0); err != nil {
		t.Fatal(err)
	}
	terminal, shown := narrow(t, 40)
	bar, drawn := NewBar(nil, terminal), atomic.Int32{}
	bar.begin(func(all int) string { return fmt.Sprint(drawn.Add(1), " of ", all) }, prompts)
	for _, want := range []string{"\r1 of 3\x1b[K", "\r2 of 3\x1b[K"} {
		if got, err := shown.ReadString('K'); err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	done := bar.done
	bar.End()
	select {
	case <-done:
	default:
		t.Error("it ended, and keeps drawing")
	}
	last := drawn.Load()
	if bar.shown || bar.stop != nil {
		t.Errorf("behind the end: shown %v, %v", bar.shown, bar.stop)
	}
	bar.End()
	for range last - 2 {
		_, _ = shown.ReadString('K')
	}
	if got, err := shown.ReadString('K'); err != nil || got != "\r\x1b[K" {
		t.Errorf("the end is %q, %v", got, err)
	}
	if at, err := prompts.Seek(0, 1); err != nil || at != 4 {
		t.Errorf("the prompts are read on at %d, %v", at, err)
	}
	bar = NewBar(nil, nil)
	bar.begin(nil, nil)
	bar.End()
}

func TestResultsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := &Results{file: file, out: jsonl.NewWriter(file)}
	if err := r.resume(os.Stdin, nil); err == nil || !strings.Contains(err.Error(), "bad file descriptor") {
		t.Errorf("a file that is only written: %v", err)
	}
	gone := filepath.Join(dir, "gone")
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenResults("out", nil, nil, nil); err == nil || !strings.HasPrefix(err.Error(), "--output: getwd: ") {
		t.Errorf("a directory that is gone: %v", err)
	}
	b, input, _ := running(t, "")
	_ = input.Close()
	if ended := b.Run(context.Background(), input, func() error { return nil }); ended.Err == nil || !strings.HasPrefix(ended.Err.Error(), "read the prompts: ") {
		t.Errorf("prompts that cannot be read: %+v", ended)
	}
	for name, want := range map[string]int{os.DevNull: 0, path: 0} {
		opened, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := countPrompts(opened); got != want {
			t.Errorf("%s has %d prompts", name, got)
		}
		_ = opened.Close()
		if got := countPrompts(opened); got != 0 {
			t.Errorf("closed it has %d prompts", got)
		}
	}
}
