package tui

import (
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
)

// actions is what keys can do, by name.
var actions map[string]func(*Screen)

func init() { // the actions reach the table through key
	actions = map[string]func(*Screen){
		"send":            (*Screen).enter,
		"newline":         func(s *Screen) { s.input.Insert("\n") },
		"cancel-or-leave": (*Screen).interrupt,
		"cancel":          (*Screen).cancel,
		"leave":           (*Screen).leave,
		"leave-or-delete": (*Screen).leaveOrDelete,
		"suspend":         (*Screen).stop,
		"redraw":          func(s *Screen) { s.screen.Sync() },
		"editor":          (*Screen).edit,
		"results":         func(s *Screen) { s.window.Results = !s.window.Results },
		"thoughts":        func(s *Screen) { s.window.Thoughts = !s.window.Thoughts },
		"mouse":           (*Screen).toggleMouse,
		"dequeue":         (*Screen).dequeue,

		"page-up":   func(s *Screen) { s.window.Scroll(-max(s.page-2, 1)) },
		"page-down": func(s *Screen) { s.window.Scroll(max(s.page-2, 1)) },
		"line-up":   func(s *Screen) { s.window.Scroll(-1) },
		"line-down": func(s *Screen) { s.window.Scroll(1) },
		"top":       func(s *Screen) { s.window.Home() },
		"bottom":    func(s *Screen) { s.window.End() },
		"home": func(s *Screen) {
			if s.input.Empty() {
				s.window.Home()
			} else {
				s.input.LineStart()
			}
		},
		"end": func(s *Screen) {
			if s.input.Empty() {
				s.window.End()
			} else {
				s.input.LineEnd()
			}
		},

		"left":            func(s *Screen) { s.input.Left() },
		"right":           func(s *Screen) { s.input.Right() },
		"up":              (*Screen).up,
		"down":            (*Screen).down,
		"older":           (*Screen).older,
		"newer":           (*Screen).newer,
		"search":          (*Screen).searchBack,
		"word-left":       func(s *Screen) { s.input.WordLeft() },
		"word-right":      func(s *Screen) { s.input.WordRight() },
		"line-start":      func(s *Screen) { s.input.LineStart() },
		"line-end":        func(s *Screen) { s.input.LineEnd() },
		"backspace":       func(s *Screen) { s.input.Backspace() },
		"delete":          func(s *Screen) { s.input.Delete() },
		"kill-to-end":     func(s *Screen) { s.input.KillToEnd() },
		"kill-to-start":   func(s *Screen) { s.input.KillToStart() },
		"kill-word-left":  func(s *Screen) { s.input.KillWordLeft() },
		"kill-word-right": func(s *Screen) { s.input.KillWordRight() },
		"yank":            func(s *Screen) { s.input.Yank() },
		"yank-older":      func(s *Screen) { s.input.YankOlder() },
		"undo":            func(s *Screen) { s.input.Undo() },
		"redo":            func(s *Screen) { s.input.Redo() },
		"open-paste":      func(s *Screen) { s.input.OpenChip() },
	}
}

// enter sends what was typed. quit and exit leave when they are the whole of it.
func (s *Screen) enter() {
	text := strings.TrimSpace(s.input.Text())
	switch {
	case text == "":
	case strings.EqualFold(text, "quit"), strings.EqualFold(text, "exit"):
		s.leave()
	case text == "!pro":
		s.say("!pro PROMPT asks Copilot for one answer", 5*time.Second)
	default:
		s.history.Add(text)
		s.input.Reset()
		s.submit(text)
	}
}

// prompt is the op for a text that was typed.
func prompt(text string) messages.Prompt {
	if forced, ok := strings.CutPrefix(text, "!pro "); ok {
		return messages.Prompt{Text: strings.TrimSpace(forced), Provider: "copilot"}
	}
	return messages.Prompt{Text: text}
}

// cancel ends the running turn; what was said stays.
func (s *Screen) cancel() {
	if s.view.Status.Busy {
		s.Client.Send(messages.Cancel{})
		s.view.Status.Doing = "cancelling"
	}
}

// leaveHint is shown after a Ctrl-C that had nothing to end.
const leaveHint = "Ctrl-C again leaves"

// interrupt is Ctrl-C: it ends the turn, or clears the input, or, the second time
// within two seconds, leaves.
func (s *Screen) interrupt() {
	switch {
	case s.view.Status.Busy:
		s.cancel()
	case !s.input.Empty():
		s.history.Add(s.input.Text()) // not lost: Up brings it back
		s.input.Clear()
	case s.hint == leaveHint && s.Now().Before(s.hintEnds):
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
	s.say("The mouse selects text now; F6 gives the wheel back", 5*time.Second)
}

// dequeue takes the newest queued prompt back to change it.
func (s *Screen) dequeue() {
	if n := len(s.queue); n > 0 && s.input.Empty() {
		s.input.SetText(s.queue[n-1])
		s.queue = s.queue[:n-1]
	}
}

// takeQueueBack puts everything that waits in front of the draft.
func (s *Screen) takeQueueBack() {
	texts := s.queue
	if !s.input.Empty() {
		texts = append(texts, s.input.Text())
	}
	s.queue = nil
	s.input.SetText(strings.Join(texts, "\n"))
}
