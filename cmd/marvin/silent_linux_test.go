package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

func TestStartWithATerminalThatAnswersNothing(t *testing.T) {
	for _, kind := range []string{"xterm-256color", "tmux-256color", "linux", "vt100"} {
		t.Run(kind, func(t *testing.T) {
			master, slave := openPty(t)
			command := exec.Command(os.Args[0], "--provider", "offline")
			command.Args[0] = "marvin"
			command.Dir = t.TempDir()
			command.Env = []string{"HOME=" + t.TempDir(), "XDG_RUNTIME_DIR=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TERM=" + kind, "LANG=C.UTF-8"}
			command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
			command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			begun := time.Now()
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			slave.Close()
			t.Cleanup(func() { command.Process.Kill(); command.Wait() })
			// A question without an answer waits forever, or not at all.
			if err := master.SetReadDeadline(begun.Add(patience)); err != nil {
				t.Fatal(err)
			}
			var shown strings.Builder
			for piece := make([]byte, 4096); !strings.Contains(shown.String(), "Ask anything"); {
				n, err := master.Read(piece)
				shown.Write(piece[:n])
				if err != nil {
					t.Fatalf("%v behind %q", err, shown.String())
				}
			}
			t.Logf("the screen is there after %s", time.Since(begun).Round(time.Millisecond)) // 300 ms on a quiet machine
		})
	}
}

// openPty returns a terminal. The output of the program is read from master.
func openPty(t testing.TB) (master, slave *os.File) {
	t.Helper()
	master, slave, err := newPty()
	if errors.Is(err, errNoPty) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	return master, slave
}

var errNoPty = errors.New("there are no terminals here")

func newPty() (master, slave *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errNoPty, err)
	}
	master = os.NewFile(uintptr(fd), "master")
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	err = errors.Join(err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0),
		unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		return nil, nil, errors.Join(err, master.Close())
	}
	return master, slave, nil
}

// rawTerminal returns a terminal that does not change any written byte.
func rawTerminal() (master, slave *os.File, err error) {
	if master, slave, err = newPty(); err == nil {
		_, err = term.MakeRaw(int(slave.Fd()))
	}
	return master, slave, err
}
