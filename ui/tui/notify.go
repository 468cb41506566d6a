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

// longTurn is the minimum duration of a turn whose end is worth a notification.
const longTurn = 10 * time.Second

// notifier notifies a user who is not looking at the terminal.
type notifier struct {
	talk      *conversation.State
	frame     *canvas.Canvas
	now       func() time.Time
	way       string // "bell" or "osc9"; "" for no notifications
	unfocused bool   // the terminal reported that it lost the focus
	called    string // title of the window
}

// titleWidth is the maximum width, in cells, of a name in the window title.
const titleWidth = 40

// title gives the window a title: the conversation's name or directory. "?" means that Marvin is
// waiting for the user, and "…" means that Marvin is working. The terminal gets its old title back
// when Marvin ends.
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

// tell notifies the user of a question or the end of a long turn. It does nothing while the
// terminal has the focus. A notification contains only fixed text, never a model's words.
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
