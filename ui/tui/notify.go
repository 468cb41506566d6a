package tui

import (
	"cmp"
	"path/filepath"
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// longTurn is how long a turn must take for a notification at its end.
const longTurn = 10 * time.Second

// notifier tells a person who looks elsewhere that they are waited for.
type notifier struct {
	talk      *conversation.State
	frame     *canvas.Canvas
	now       func() time.Time
	way       string // bell or osc9; "" is neither
	unfocused bool   // the terminal said that the person looks elsewhere
	called    string // the title of the window
}

// titleWidth is how much of a name the window title shows, in cells.
const titleWidth = 40

// title calls the window after the conversation, or else its directory, with a sign while
// Marvin works and another where it asks: who has several windows sees which one waits. The
// terminal gets back the title that it had.
func (n *notifier) title() {
	if !n.talk.Opened {
		return
	}
	title := "Marvin"
	if name := n.talk.Title; name != "" || n.talk.Dir != "" {
		title = view.Cut(canvas.OneRow(termsafe.String(cmp.Or(name, filepath.Base(n.talk.Dir)))), titleWidth) + " · " + title
	}
	switch {
	case len(n.talk.Asked) > 0:
		title = "? " + title
	case n.talk.Turn.Running:
		title = "… " + title
	}
	if title != n.called {
		n.called = title
		n.frame.Screen.SetTitle(title)
	}
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
		n.frame.Screen.Beep()
	case "osc9":
		n.frame.Raw("\x1b]9;" + text + "\x1b\\")
	}
}
