package plain_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/plain"
)

// sat is a user at a pseudo terminal: the side for typing and reading, and the screen's side.
type sat struct {
	*screen
	sent     sentOps
	typed    *os.File
	terminal *os.File
	talk     told
	config   plain.Config
}

// sentOps contains the ops that the front end sent.
type sentOps chan messages.Op

// heardOps is a client that records the ops that it receives.
type heardOps struct {
	told
	sentOps
}

func (h heardOps) Send(op messages.Op) { h.sentOps <- op }

// sits opens a pseudo terminal of a width and creates a screen on it without running it.
func sits(t *testing.T, columns uint16) *sat {
	t.Helper()
	typed, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no pseudo terminals here:", err)
	}
	if err := unix.IoctlSetPointerInt(int(typed.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(typed.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	s := &sat{
		screen: &screen{t: t, ended: make(chan error, 1), grew: make(chan struct{}, 1)}, sent: make(sentOps, 100),
		typed: typed, terminal: terminal, talk: make(told),
	}
	shown := make(chan struct{})
	go func() {
		_, _ = io.Copy(s.screen, typed) // until the other side closes
		close(shown)
	}()
	t.Cleanup(func() {
		_, _ = typed.WriteString("\r") // wake the reader: the terminal closes only after it
		terminal.Close()
		<-shown
		typed.Close()
	})
	client := heardOps{s.talk, s.sent}
	s.config = plain.Config{
		Client: client, Stdin: terminal, Stdout: terminal, Now: time.Now, Terminal: terminal, Edits: true,
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: client, Front: front, Now: time.Now}}
		},
	}
	return s
}

// begin runs the screen until a prompt can be typed.
func (s *sat) begin() {
	front := plain.Screen{Config: s.config}
	go func() { s.ended <- front.Run(s.t.Context()) }()
	s.talk <- []messages.Envelope{{Event: messages.Opened{Profile: "default", Provider: "groq", Model: "m", Coding: true, Approval: messages.ApproveEdits}}}
	s.expect("You: ")
}

func (s *sat) press(keys string) {
	s.t.Helper()
	if _, err := s.typed.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// prompt waits for the next sent prompt.
func (s *sat) prompt() string {
	s.t.Helper()
	for {
		select {
		case op := <-s.sent:
			if prompt, is := op.(messages.Prompt); is {
				return prompt.Text
			}
		case <-time.After(actorstest.Patience):
			s.t.Fatalf("nothing was sent; the screen:\n%s", s.read())
		}
	}
}

// end closes the conversation and waits until the terminal is restored.
func (s *sat) end() {
	s.t.Helper()
	s.talk <- []messages.Envelope{{Event: messages.Closed{}}}
	if err := <-s.ended; err != nil {
		s.t.Error(err)
	}
}

// modes returns the line settings of the terminal.
func (s *sat) modes() unix.Termios {
	s.t.Helper()
	modes, err := unix.IoctlGetTermios(int(s.terminal.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	return *modes
}

func (s *sat) raw() bool { return s.modes().Lflag&(unix.ICANON|unix.ECHO|unix.ISIG) == 0 }

// The terminal is raw while its line is edited, its width is respected, and its settings are
// restored afterwards. Input typed before the screen starts is sent.
func TestATerminalIsTakenAndGivenBack(t *testing.T) {
	s := sits(t, 30)
	before := s.modes()
	s.press("typed before\r")
	s.begin()
	if got := s.prompt(); got != "typed before" {
		t.Errorf("%q was sent", got)
	}
	if !s.raw() {
		t.Error("the terminal edits by itself")
	}
	s.press("one\ntwo\x1b[D\x7f\r") // Ctrl-J starts a second line
	if got := s.prompt(); got != "one\nto" {
		t.Errorf("%q was sent", got)
	}
	s.press("\x1b[200~pasted\rbelow\x1b[201~\r")
	if got := s.prompt(); got != "pasted\nbelow" {
		t.Errorf("%q was sent", got)
	}
	s.talk <- []messages.Envelope{{Event: messages.Notice{Text: "some words that are longer than this terminal is wide"}}}
	s.expect("[System] some words that are\r\nlonger than this terminal is\r\nwide\r\n")
	s.end()
	if after := s.modes(); after != before {
		t.Errorf("the terminal is left as %+v, and was %+v", after, before)
	}
	s.expect("\x1b[?2004l") // another goroutine reads
	if got := s.read(); strings.Count(got, "\x1b[?2004h") != 1 || !strings.HasSuffix(got, "\x1b[?2004l") {
		t.Errorf("pastes are marked, or not any more, in\n%q", got)
	}
}

// A row of a diff is one line for the terminal, however narrow the terminal is.
func TestRowsOfADiffAreNotWrapped(t *testing.T) {
	s := sits(t, 30)
	s.config.Colours = plain.Sixteen
	s.begin()
	change := "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n+the new line is wider than this terminal\n"
	s.talk <- []messages.Envelope{
		{Event: messages.ToolStarted{Call: "1", Name: "apply_patch", Title: "apply_patch x"}},
		{Event: messages.ToolEnded{Call: "1", Name: "apply_patch", Status: messages.OK, View: &messages.View{Kind: messages.Diff, Text: change}}},
	}
	s.expect(" line is wider than this terminal")
	s.talk <- []messages.Envelope{{Event: messages.Asked{
		Ask: "2", Kind: messages.AskConsent, Tool: "apply_patch", Title: "Patch?", Diff: true, Choices: []messages.Choice{messages.Yes, messages.No},
		Detail: "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+the proposed line is wider than this terminal\n",
	}}}
	s.expect("+the proposed line is wider than this terminal")
	s.end()
}

func TestAnEditorHasTheTerminal(t *testing.T) {
	s := sits(t, 80)
	type edit struct {
		text string
		err  error
	}
	opened, closes := make(chan string), make(chan edit)
	s.config.Edit = func(text string) (string, error) {
		opened <- text
		done := <-closes
		return done.text, done.err
	}
	s.begin()
	s.press("a draft\x07") // Ctrl-G
	if got := <-opened; got != "a draft" {
		t.Errorf("it opens with %q", got)
	}
	if s.raw() {
		t.Error("the terminal is raw in the editor")
	}
	closes <- edit{"written\nin it", nil}
	s.expect("in it")
	if !s.raw() {
		t.Error("the terminal edits by itself behind the editor")
	}
	s.press("!\x07")
	if got := <-opened; got != "written\nin it!" {
		t.Errorf("it opens with %q", got)
	}
	closes <- edit{"", errors.New("the editor broke")}
	s.expect("[Error] the editor broke\r\n")
	s.press("?\r")
	if got := s.prompt(); got != "written\nin it!?" {
		t.Errorf("%q was sent", got)
	}
	s.end()
}
