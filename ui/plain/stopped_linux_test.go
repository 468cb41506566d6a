package plain_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/plain"
)

// onTerminal is the variable that makes this test binary run a screen on its terminal.
const onTerminal = "MARVIN_TEST_ON_TERMINAL"

// says is a conversation that repeats its prompts and ends with Quit.
type says chan []messages.Envelope

func (s says) Send(op messages.Op) {
	switch op := op.(type) {
	case messages.Prompt:
		s <- []messages.Envelope{{Event: messages.TurnStarted{Prompt: op.Text}}, {Event: messages.Notice{Text: "sent: " + op.Text}}, {Event: messages.TurnEnded{Outcome: messages.Completed}}}
	case messages.Quit:
		s <- []messages.Envelope{{Event: messages.Closed{}}}
	}
}

func (s says) Next(ctx context.Context) ([]messages.Envelope, error) {
	select {
	case batch := <-s:
		return batch, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// aScreen runs in the process that the test stops.
func aScreen(t *testing.T) {
	talk := make(says, 10)
	talk <- []messages.Envelope{{Event: messages.Opened{Profile: "default", Provider: "groq", Model: "m", Coding: true, Approval: messages.ApproveEdits}}}
	front := plain.Screen{Config: plain.Config{
		Client: talk, Stdin: os.Stdin, Stdout: os.Stdin, Now: time.Now, Terminal: os.Stdin, Edits: true,
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: talk, Front: front, Now: time.Now}}
		},
	}}
	if err := front.Run(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAStoppedProcessLeavesTheTerminalToOthers(t *testing.T) {
	if os.Getenv(onTerminal) != "" {
		aScreen(t)
		return
	}
	s := sits(t, 80)
	before := s.modes()
	ctx, stop := context.WithTimeout(t.Context(), actorstest.Patience)
	defer stop()
	var told bytes.Buffer
	process := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$")
	process.Env = append(os.Environ(), onTerminal+"=1")
	process.Stdin, process.Stdout, process.Stderr = s.terminal, &told, &told
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // like a shell: stop the whole group
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := func() {
		t.Helper()
		var status unix.WaitStatus
		for {
			_, err := unix.Wait4(process.Process.Pid, &status, unix.WUNTRACED, nil)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil || !status.Stopped() {
				t.Fatalf("it does not stop: %v, %v\n%s\n%s", status, err, told.String(), s.read())
			}
			return
		}
	}
	signals := func(signal unix.Signal) {
		t.Helper()
		if err := unix.Kill(process.Process.Pid, signal); err != nil {
			t.Fatal(err)
		}
	}
	s.expect("You: ")
	if !s.raw() {
		t.Error("the terminal edits by itself")
	}
	s.press("half a line\x1a")
	stopped()
	if got := s.modes(); got != before {
		t.Errorf("it stops with the terminal as %+v, and that was %+v", got, before)
	}
	s.expect("\x1b[?2004l") // read beside the test
	if got := s.read(); strings.Count(got, "\x1b[?2004h") != 1 || !strings.HasSuffix(got, "\r\x1b[J\x1b[?2004l") {
		t.Errorf("it stops behind %q", got)
	}
	signals(unix.SIGCONT)
	s.press(" and more\r")
	s.expect("[System] sent: half a line and more\r\n")

	signals(unix.SIGSTOP)
	stopped()
	if err := unix.IoctlSetTermios(int(s.terminal.Fd()), unix.TCSETS, &before); err != nil {
		t.Fatal(err)
	}
	signals(unix.SIGCONT)
	for !s.raw() && ctx.Err() == nil { // bracketed paste is switched on after raw mode
		select {
		case <-s.grew:
		case <-ctx.Done():
		}
	}
	s.press("again\r")
	s.expect("[System] sent: again\r\n")
	s.press("\x04")
	if err := process.Wait(); err != nil {
		t.Errorf("%v\n%s", err, told.String())
	}
	if got := s.modes(); got != before {
		t.Errorf("the terminal is left as %+v, and was %+v", got, before)
	}
}
