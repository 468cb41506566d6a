package tui

import (
	"fmt"
	"slices"

	"marvin/messages"
)

// What is typed while a turn runs: Enter sends it into the next request of that turn,
// Alt-Enter keeps it for after it. Until then it can be taken back.

// queued is a prompt that waits. With a request the conversation has it already, for the
// running turn; without it waits here.
type queued struct {
	messages.Prompt
	request string
}

// steer gives a prompt to the running turn.
func (s *Screen) steer(prompt messages.Prompt) {
	s.steers++
	prompt.Steer = true
	waiting := queued{prompt, fmt.Sprintf("steer-%d", s.steers)}
	s.queue = append(s.queue, waiting)
	s.Client.Send(messages.Request{ID: waiting.request, Op: prompt})
}

// later queues what is typed for after the running turn; without one it begins a line.
func (s *Screen) later() {
	if !s.view.Status.Busy || s.input.Empty() {
		s.input.Insert("\n")
		return
	}
	s.after = true
	s.enter()
	s.after = false
}

// taken forgets a prompt that the conversation took.
func (s *Screen) taken(request string) {
	if request != "" {
		s.queue = slices.DeleteFunc(s.queue, func(one queued) bool { return one.request == request })
	}
}

// withdrawn is a prompt that the conversation gave back: to be changed, or because the turn
// that it was about is cancelled.
func (s *Screen) withdrawn(request string) {
	for i, one := range s.queue {
		switch {
		case one.request != request || request == "":
		case s.askedBack == request && s.input.Empty():
			s.queue = slices.Delete(s.queue, i, i+1)
			s.input.SetText(typedAs(one.Prompt))
			s.askedBack = ""
			return
		default:
			s.queue[i].request, s.queue[i].Steer = "", false
			return
		}
	}
}
