package tui

import (
	"time"

	"marvin/messages"
	"marvin/ui/internal/suspend"
)

// edit lets the person write the input in an editor.
func (s *Screen) edit() {
	if s.Edit == nil {
		s.say("There is no editor; set EDITOR to one to one", 3*time.Second)
		return
	}
	var text string
	var err error
	s.suspend(func() { text, err = s.Edit(s.input.Text()) })
	if err != nil {
		s.view.Say(messages.Problem, err.Error())
		return
	}
	s.input.SetText(text)
}

// stop gives the terminal to the shell until the person comes back.
func (s *Screen) stop() {
	s.suspend(func() { suspend.Process(s.goesOn) })
}
