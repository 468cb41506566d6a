package tui

import (
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/slash"
)

// enter executes the typed command or sends the typed prompt.
func (s *Screen) enter() {
	text := s.input.Text()
	if strings.TrimSpace(text) == "" {
		return
	}
	s.input.complete.open = nil
	s.input.past.remember(strings.TrimSpace(text))
	s.input.Reset()
	s.input.draft.scheduleSave(true)
	s.engine.Take(text)
}

// cancel closes the list of completions or, if the list is not open, stops the running turn or
// commands and keeps the output.
func (s *Screen) cancel() {
	switch {
	case s.input.complete.open != nil:
		s.input.complete.open = nil
	case s.view.Turn.Running:
		s.Client.Send(messages.Cancel{})
		s.view.Turn.Doing = "cancelling"
	default:
		s.engine.Cancel()
	}
}

// leaveHint is shown if Ctrl-C has no other effect.
const leaveHint = "Ctrl-C again leaves"

// interrupt responds to Ctrl-C. It ends the turn or a command, or clears the input. If there is
// nothing to end or clear, a second Ctrl-C within two seconds ends Marvin.
func (s *Screen) interrupt() {
	s.input.complete.open = nil
	switch {
	case s.view.Turn.Running:
		s.cancel()
	case s.engine.Cancel():
	case !s.input.Empty():
		s.input.past.remember(s.input.Text()) // the Up key brings the text back
		s.input.Clear()
	case s.input.warned:
		s.leave()
	default:
		s.say(leaveHint, 2*time.Second)
	}
}

func (s *Screen) leaveOrDelete() {
	if s.input.Empty() {
		s.leave()
		return
	}
	s.input.Delete()
}

// typedAs returns the line that a user would type to send the given prompt.
func typedAs(prompt messages.Prompt) string {
	switch {
	case prompt.Provider != "":
		return "/pro " + prompt.Text
	case slash.Parse(prompt.Text, false).Verb != slash.Prompt:
		return " " + prompt.Text // without the space, the prompt would be a command
	}
	return prompt.Text
}
