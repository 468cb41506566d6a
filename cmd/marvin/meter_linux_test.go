package main

import (
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"marvin/cmd/marvin/internal/cli"
)

func TestMeterTellsATerminal(t *testing.T) {
	master, slave := openPty(t)
	now := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	world := cli.World{Stderr: slave, Getenv: func(string) string { return "xterm" }, Now: func() time.Time { return now }}
	said := func(world cli.World) {
		meter := cli.NewMeter(world, "Reading")
		for _, later := range []time.Duration{0, 900 * time.Millisecond, 100 * time.Millisecond, 100 * time.Millisecond, 100 * time.Millisecond, 0} {
			now = now.Add(later)
			meter.Step(9)
		}
		meter.End()
		meter.End()
	}
	said(world)
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 12}); err != nil {
		t.Fatal(err)
	}
	said(world)
	world.Getenv = func(string) string { return "dumb" }
	said(world)
	if _, err := io.WriteString(slave, "end"); err != nil {
		t.Fatal(err)
	}
	const want = "\rReading: 3 of 9\x1b[K\rReading: 5 of 9\x1b[K\r\x1b[K" + "\rReading: 3…\x1b[K\rReading: 5…\x1b[K\r\x1b[K" + "end"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(master, got); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	world.Stderr, world.Getenv = write, func(string) string { return "xterm" }
	said(world)
	write.Close()
	if text, err := io.ReadAll(read); err != nil || len(text) > 0 {
		t.Errorf("a pipe gets %q, %v", text, err)
	}
}
