package tui

import (
	"time"

	"marvin/messages"
)

// longTurn is how long a turn takes whose end is told to somebody who looked away.
const longTurn = 10 * time.Second

// tellAway rings when a person who works elsewhere is waited for: a long turn ended, or
// there is a question. The words are our own: what a model wrote is no notification.
func (s *Screen) tellAway(event messages.Event) {
	if !s.unfocused {
		return
	}
	text := ""
	switch event := event.(type) {
	case messages.Asked:
		text = "Marvin asks for your decision"
	case messages.TurnEnded:
		if s.Now().Sub(s.view.Turn.Began) < longTurn {
			return
		}
		if text = "Marvin has answered"; event.Outcome == messages.Failed {
			text = "Marvin could not answer"
		}
	default:
		return
	}
	switch s.Notify {
	case "bell":
		s.screen.Beep()
	case "osc9":
		s.frame.raw("\x1b]9;" + text + "\x1b\\")
	}
}

// raw writes to the terminal past the frame.
func (f *frame) raw(sequence string) {
	if tty, ok := f.screen.Tty(); ok {
		tty.Write([]byte(sequence))
	}
}
