package plain

import (
	"io"
	"strings"

	"golang.org/x/term"

	"marvin/messages"
	"marvin/ui/termsafe"
)

// takeTerminal makes the terminal raw if lines are edited on it. Where that fails the
// terminal's own editing has to do.
func (s *Screen) takeTerminal() {
	if !s.Edits || s.Terminal == nil {
		s.Edits = false
		return
	}
	cooked, err := term.MakeRaw(int(s.Terminal.Fd()))
	if err != nil {
		s.Edits = false
		return
	}
	s.out.cooked = cooked
	s.ahead.Took(int(s.Terminal.Fd()))
	s.write("\x1b[?2004h") // pastes are marked as such
}

func (s *Screen) giveTerminal() {
	if s.out.cooked != nil {
		s.write("\x1b[?2004l")
		_ = term.Restore(int(s.Terminal.Fd()), s.out.cooked) // a terminal that is gone needs no modes
		s.out.cooked = nil
	}
}

// suspend gives the terminal away while use runs. A Ctrl-C meanwhile was for that.
func (s *Screen) suspend(use func() error) error {
	s.hide()
	edited := s.Edits
	s.giveTerminal()
	err := use()
	if s.takeTerminal(); s.Edits != edited {
		s.leave() // the terminal is gone
	}
	for len(s.Interrupts) > 0 {
		<-s.Interrupts
	}
	return err
}

// finish leaves the terminal as it was found, the cursor at the beginning of a line.
func (s *Screen) finish() {
	s.put(s.out.flow.rest())
	s.hide()
	if s.out.lineOpen || s.out.held != "" {
		s.print("\n")
	}
	s.giveTerminal()
}

func (s *Screen) width() int { return widthOf(int(s.Terminal.Fd())) }

// label stands in front of what is typed.
func (s *Screen) label() string {
	switch {
	case s.ask.sheet != nil:
		return "Your answer: "
	case len(s.talk.Asked) > 0:
		return "Choose a number (Enter is no): "
	case s.engine.ShellMode():
		return "$ "
	}
	switch s.talk.Approval {
	case "", messages.ApproveEdits:
		return "You: "
	}
	return "You (" + string(s.talk.Approval) + "): "
}

// show puts the input on the screen when there is something to type for.
func (s *Screen) show() {
	if s.out.shown || s.leaving || s.talk.Closed || !s.talk.Opened || s.ended || s.busy() && len(s.talk.Asked) == 0 {
		return
	}
	s.flush()
	if s.out.lineOpen {
		s.print("\n")
	}
	if s.Edits {
		s.write(s.line.draw(s.label(), s.width()))
	} else {
		s.write(s.label())
	}
	s.out.shown = true
}

func (s *Screen) redraw() {
	s.write(s.line.erase() + s.line.draw(s.label(), s.width()))
}

// hide takes the input off the screen, or ends its line where that is not possible.
func (s *Screen) hide() {
	if !s.out.shown {
		return
	}
	s.out.shown = false
	if s.Edits {
		s.write(s.line.erase())
		return
	}
	s.write("\n")
}

// say writes whole lines.
func (s *Screen) say(text string) {
	s.flush()
	s.hide()
	if s.out.lineOpen {
		s.print("\n")
	}
	s.print(text + "\n")
}

// print writes text that Marvin did not write, a word when it is whole.
func (s *Screen) print(text string) {
	text = termsafe.String(text)
	if text == "" {
		return
	}
	if s.out.flow.width = 0; s.Terminal != nil && !s.Whole {
		s.out.flow.width = s.width()
	}
	s.put(s.out.flow.feed(text))
}

// put writes text as it is.
func (s *Screen) put(text string) {
	if text == "" {
		return
	}
	s.hide()
	s.out.lineOpen = !strings.HasSuffix(text, "\n")
	s.write(strings.ReplaceAll(text, "\n", s.newline()))
}

// newline is what ends a line: a raw terminal does not go back to its beginning.
func (s *Screen) newline() string {
	if s.out.cooked != nil {
		return "\r\n"
	}
	return "\n"
}

func (s *Screen) write(text string) {
	if _, err := io.WriteString(s.Stdout, text); err != nil {
		s.leave() // nobody reads
	}
}
