package tui

import (
	"time"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/tui/internal/canvas"
)

// openChange opens the user's editor at the first change in the focused block's diff.
func openChange(s *Screen) {
	block := s.window.Focused()
	if block == nil || block.Tool == nil || !block.Tool.Diff {
		s.say("This block contains no file change", canvas.HintTime)
		return
	}
	command.OpenChange(s.engine, block.Text())
}

// editProposed opens the proposed change in the user's editor. If the user edits the change,
// editProposed rejects the proposal and asks the model to make the edited change instead.
func editProposed(s *Screen) {
	if s.ask.Unread() {
		return
	}
	var answer messages.Answer
	var edited bool
	var err error
	s.suspend(func() { answer, edited, err = command.EditProposed(s.engine, s.ask.Asked, s.Edit) })
	switch {
	case err != nil:
		s.view.AddNotice(messages.Problem, err.Error())
	case !edited:
		s.say("You made no edits; the question is still open", 3*time.Second)
	default:
		s.ask.Decide(answer)
	}
}
