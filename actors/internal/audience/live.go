package audience

import (
	"slices"
	"strings"
	"time"

	"marvin/messages"
)

// longestTitle is the maximum length of a title taken from a prompt, in bytes.
const longestTitle = 80

// listEntry describes a conversation in a list of conversations.
type listEntry struct {
	title, dir string
	since      time.Time
	cost       float64
	turn       bool
	prompts    int
	asks       []messages.Asked
	asked      time.Time
	closed     bool
}

// take applies an event to the list entry.
func (l *listEntry) take(event messages.Event, at time.Time) {
	switch event := event.(type) {
	case messages.Opened:
		l.dir = event.Dir
	case messages.ModeChanged:
		l.dir = event.Dir
	case messages.TurnStarted:
		l.turn = true
		l.countPrompt(event.Prompt)
	case messages.TurnEnded:
		l.turn, l.asks, l.cost = false, nil, event.Usage.Cost
	case messages.UsageChanged:
		l.cost = event.Usage.Cost
	case messages.Recalled:
		l.countPrompt(event.Prompt)
	case messages.Resumed:
		if event.Title != "" {
			l.title = event.Title
		}
	case messages.Cleared:
		l.title, l.asks, l.prompts = "", nil, 0
	case messages.Asked:
		l.ask(event, at)
	case messages.Answered:
		l.asks = slices.DeleteFunc(slices.Clone(l.asks), func(asked messages.Asked) bool { return asked.Ask == event.Ask })
	default: // no other event changes the description
	}
}

// countPrompt counts a prompt. If the conversation has no title, the prompt becomes the title.
func (l *listEntry) countPrompt(prompt string) {
	l.prompts++
	if l.title != "" {
		return
	}
	l.title = strings.Join(strings.Fields(prompt), " ")
	if len(l.title) > longestTitle {
		l.title = strings.ToValidUTF8(l.title[:longestTitle], "") + "…"
	}
}

// ask adds a question, or replaces an earlier question with the same id.
func (l *listEntry) ask(event messages.Asked, at time.Time) {
	if len(l.asks) == 0 {
		l.asked = at
	}
	l.asks = slices.Clone(l.asks)
	if i := slices.IndexFunc(l.asks, func(asked messages.Asked) bool { return asked.Ask == event.Ask }); i >= 0 {
		l.asks[i] = event
		return
	}
	l.asks = append(l.asks, event)
}

// state returns what the conversation is doing, given the number of [messages.RoleDrive] windows
// that a user is looking at.
func (l *listEntry) state(drivers int) messages.LiveState {
	switch {
	case l.closed:
		return messages.LiveDone
	case len(l.asks) > 0:
		return messages.LiveWaiting
	case l.turn:
		return messages.LiveWorking
	case drivers == 0 && l.prompts > 0:
		return messages.LiveDone
	default:
		return messages.LiveIdle
	}
}

func (l *listEntry) snapshot() messages.Live {
	told := messages.Live{Title: l.title, Dir: l.dir, Since: l.since, Cost: l.cost, Prompts: l.prompts, Waits: l.asks}
	if len(l.asks) > 0 {
		told.Asked = l.asked
	}
	return told
}
