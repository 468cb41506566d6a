package main

import (
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"marvin/providers/modeltest"
)

func TestRPCClientThatDoesNotReadDoesNotKeepItAlive(t *testing.T) {
	t.Parallel()
	endless := func(modeltest.Request) modeltest.Step { return modeltest.EndlessText() }
	for name, leave := range map[string]func(*client){
		"signal":       func(c *client) { c.command.Process.Signal(syscall.SIGTERM) },
		"end of input": func(c *client) { c.in.Close() },
		"interrupt":    func(c *client) { c.command.Process.Signal(syscall.SIGINT) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, endless)
			c.send(`{"type":"prompt","op":{"text":"talk"}}`)
			c.until("text")
			c.fills()
			leave(c)
			if state, err := c.command.Process.Wait(); err != nil || state.ExitCode() != 1 {
				t.Errorf("%v, %v", state, err)
			}
		})
	}
}

// fills waits until the unread pipe is full.
func (c *client) fills() {
	c.t.Helper()
	for deadline, before := time.Now().Add(patience), 0; time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		held, err := unix.IoctlGetInt(int(c.stdout.Fd()), unix.TIOCINQ)
		if err != nil {
			c.t.Fatal(err)
		}
		if held > 16<<10 && held == before {
			return
		}
		before = held
	}
	c.t.Fatal("the pipe does not fill")
}
