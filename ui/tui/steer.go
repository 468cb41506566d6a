package tui

import (
	"fmt"

	"marvin/messages"
	"marvin/ui/conversation"
)

// What is typed while a turn runs: Enter sends it into the next request of that turn,
// Alt-Enter keeps it for after it. Until then it can be taken back.

// steer gives a prompt to the running turn.
func (s *Screen) steer(prompt messages.Prompt) {
	s.input.steers++
	prompt.Steer = true
	request := fmt.Sprintf("steer-%d", s.input.steers)
	s.view.Queue = append(s.view.Queue, conversation.Queued{Prompt: prompt, Request: request, Sent: true})
	s.Client.Send(messages.Request{ID: request, Op: prompt})
}

// later queues what is typed for after the running turn; without one it begins a line.
func (s *Screen) later() {
	if !s.view.Turn.Running || s.input.Empty() {
		s.input.Insert("\n")
		return
	}
	s.input.after = true
	s.enter()
	s.input.after = false
}

// withdrawn is a prompt that the conversation gives back: the one that the person wants to
// change goes into the input; the others wait here.
func (s *Screen) withdrawn(request string) {
	if request == "" || request != s.input.askedBack || !s.input.Empty() {
		return
	}
	if one, ok := s.view.Queue.Remove(request); ok {
		s.input.SetText(typedAs(one.Prompt))
		s.input.askedBack = ""
	}
}
