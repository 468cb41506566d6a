package tui

import (
	"time"

	"marvin/messages"
	"marvin/ui/internal/suspend"
)

// edit opens the text of the input in the user's editor.
func (s *Screen) edit() {
	if s.Edit == nil {
		s.say("No editor was found; set EDITOR to an editor", 3*time.Second)
		return
	}
	var text string
	var err error
	s.suspend(func() { text, err = s.Edit(s.input.Text()) })
	if err != nil {
		s.view.AddNotice(messages.Problem, err.Error())
		return
	}
	s.input.SetText(text)
}

// stop suspends Marvin and gives the terminal to the shell.
func (s *Screen) stop() {
	s.suspend(func() { suspend.Process(s.goesOn) })
}
