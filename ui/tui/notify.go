package tui

import (
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
)

// longTurn is how long a turn takes whose end is told to somebody who looked away.
const longTurn = 10 * time.Second

// notifier tells a person who looks elsewhere that they are waited for.
type notifier struct {
	talk      *conversation.State
	frame     *frame
	now       func() time.Time
	way       string // bell or osc9; "" is neither
	unfocused bool   // the terminal said that the person looks elsewhere
}

// tell rings when a person who works elsewhere is waited for: a long turn ended, or
// there is a question. The words are our own: what a model wrote is no notification.
func (n *notifier) tell(event messages.Event) {
	if !n.unfocused {
		return
	}
	text := ""
	switch event := event.(type) {
	case messages.Asked:
		text = "Marvin asks for your decision"
	case messages.TurnEnded:
		if n.now().Sub(n.talk.Turn.Began) < longTurn {
			return
		}
		if text = "Marvin has answered"; event.Outcome == messages.Failed {
			text = "Marvin could not answer"
		}
	default:
		return
	}
	switch n.way {
	case "bell":
		n.frame.screen.Beep()
	case "osc9":
		n.frame.raw("\x1b]9;" + text + "\x1b\\")
	}
}

// raw writes to the terminal past the frame.
func (f *frame) raw(sequence string) {
	if tty, ok := f.screen.Tty(); ok {
		tty.Write([]byte(sequence))
	}
}
