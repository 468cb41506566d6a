package tui

import (
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/command"
)

// enter carries out what was typed: a command, or a prompt.
func (s *Screen) enter() {
	text := s.input.Text()
	if strings.TrimSpace(text) == "" {
		return
	}
	s.complete.open = nil
	s.past.remember(strings.TrimSpace(text))
	s.input.Reset()
	s.draft.changed(true)
	s.engine.Take(text)
}

// cancel ends the running turn, or the command that runs; what was said stays.
func (s *Screen) cancel() {
	switch {
	case s.complete.open != nil:
		s.complete.open = nil
	case s.view.Turn.Running:
		s.Client.Send(messages.Cancel{})
		s.view.Turn.Doing = "cancelling"
	default:
		s.engine.Cancel()
	}
}

// leaveHint is shown after a Ctrl-C that had nothing to end.
const leaveHint = "Ctrl-C again leaves"

// interrupt is Ctrl-C: it ends the turn, or clears the input, or, the second time
// within two seconds, leaves.
func (s *Screen) interrupt() {
	s.complete.open = nil
	switch {
	case s.view.Turn.Running:
		s.cancel()
	case s.engine.Cancel():
	case !s.input.Empty():
		s.past.remember(s.input.Text()) // not lost: Up brings it back
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

func (s *Screen) toggleMouse() {
	if s.mouse = !s.mouse; s.mouse {
		s.screen.EnableMouse(tcell.MouseButtonEvents)
		s.say("The wheel scrolls again", 3*time.Second)
		return
	}
	s.screen.DisableMouse()
	s.say("The mouse selects text now; "+s.keys.First("mouse")+" gives the wheel back", 5*time.Second)
}

// dequeue takes the newest queued prompt back to change it.
func (s *Screen) dequeue() {
	n := len(s.view.Queue)
	switch {
	case n == 0:
	case !s.input.Empty():
		s.say("Send or clear what you are writing first", hintTime)
	case s.view.Queue[n-1].Request != "":
		s.input.askedBack = s.view.Queue[n-1].Request
		s.Client.Send(messages.Cancel{Request: s.input.askedBack})
	default:
		s.input.SetText(typedAs(s.view.Queue[n-1].Prompt))
		s.view.Queue = s.view.Queue[:n-1]
	}
}

// takeQueueBack puts everything that waits in front of the draft.
func (s *Screen) takeQueueBack() {
	var texts []string
	for _, prompt := range s.view.Queue {
		texts = append(texts, typedAs(prompt.Prompt))
	}
	if !s.input.Empty() {
		texts = append(texts, s.input.Text())
	}
	s.view.Queue = nil
	s.input.SetText(strings.Join(texts, "\n"))
}

// typedAs is a prompt as it would be typed.
func typedAs(prompt messages.Prompt) string {
	switch {
	case prompt.Provider != "":
		return "!pro " + prompt.Text
	case command.Parse(prompt.Text, false).Verb != command.Prompt:
		return " " + prompt.Text // it was sent as a prompt and stays one
	}
	return prompt.Text
}
