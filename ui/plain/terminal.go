package plain

import "marvin/messages"

// suspend releases the terminal, calls f and takes the terminal back. It discards every Ctrl-C that
// arrives in the meantime.
func (s *Screen) suspend(f func() error) error {
	s.hide()
	edited := s.edits
	s.give()
	err := f()
	if s.enterRaw(); s.edits != edited {
		s.leave() // the terminal is gone
	}
	for len(s.Interrupts) > 0 {
		<-s.Interrupts
	}
	return err
}

// label returns the text in front of the input.
func (s *Screen) label() string {
	switch {
	case s.ask.open.sheet != nil:
		return "Your answer: "
	case len(s.talk.Asked) > 0:
		return "Choose a number (Enter means no): "
	case s.engine.ShellMode():
		return "$ "
	}
	switch s.talk.Approval {
	case "", messages.ApproveEdits:
		return "You: "
	}
	return "You (" + string(s.talk.Approval) + "): "
}

// show writes the input line if the user can type now.
func (s *Screen) show() {
	if s.shown || s.leaving || s.talk.Closed || !s.talk.Opened || s.ended || s.busy() && len(s.talk.Asked) == 0 {
		return
	}
	s.begin(s.label())
}
