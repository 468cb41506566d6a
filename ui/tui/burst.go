package tui

import (
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/lineedit"
	"marvin/ui/tui/internal/canvas"
)

// A terminal without bracketed paste sends a paste as keys, faster than anyone types. An Enter
// within the paste must not submit the input. So an Enter right after another key waits briefly for
// the next key.
const (
	quick     = 30 * time.Millisecond // maximum time between two keys of a paste, even on a busy machine
	heldEnter = 35 * time.Millisecond // maximum delay of an Enter key
	lull      = 60 * time.Millisecond // minimum pause that ends a paste
)

// burst is a paste that looks like typing.
type burst struct {
	enter time.Time // time of the delayed Enter key; zero if no Enter is delayed
	text  strings.Builder
	last  time.Time // time of the last key of the paste; zero if there is no paste
}

// bursts detects pastes that look like typing.
type bursts struct {
	burst
	input  *lineedit.Editor
	draft  *draft
	frame  *canvas.Canvas
	enters func() // submits the input
}

// key returns true if it consumed an event that could be part of a paste. actionName is the action
// bound to the key, and previous is the time of the preceding key.
func (b *bursts) key(actionName, name string, event *tcell.EventKey, previous time.Time) bool {
	at := event.When()
	plain := name == "" || name == "Enter" || name == "Tab" || name == "Ctrl-J"
	if !b.last.IsZero() {
		if plain && at.Sub(b.last) < lull {
			b.last = at
			b.write(name, event)
			return true
		}
		b.end()
		return false
	}
	if !b.enter.IsZero() {
		held := b.enter
		b.enter = time.Time{}
		if plain && at.Sub(held) < heldEnter {
			b.last = at
			b.text.WriteByte('\n')
			b.write(name, event)
			return true
		}
		b.enters()
		return false
	}
	if name == "Enter" && actionName == "send" && !b.input.Empty() && at.Sub(previous) < quick {
		b.enter = at
		return true
	}
	return false
}

func (b *burst) write(name string, event *tcell.EventKey) {
	switch name {
	case "":
		b.text.WriteRune(event.Rune())
	case "Tab":
		b.text.WriteByte('\t')
	default:
		b.text.WriteByte('\n')
	}
}

// end inserts the pasted text into the input.
func (b *bursts) end() {
	text := b.text.String()
	b.burst = burst{}
	b.input.Paste(text)
	b.draft.scheduleSave(false)
	b.frame.Dirty, b.frame.Soon = true, true
}

// due returns the time at which the current paste ends or the delayed Enter submits the input.
// Without a paste or a delayed Enter, due returns the zero time.
func (b *burst) due() time.Time {
	switch {
	case !b.last.IsZero():
		return b.last.Add(lull)
	case !b.enter.IsZero():
		return b.enter.Add(heldEnter)
	}
	return time.Time{}
}

// endIfDue ends the paste or submits the input if the time of [burst.due] has passed. It does
// nothing while terminal events are waiting.
func (b *bursts) endIfDue(now time.Time, waiting int) {
	if due := b.due(); due.IsZero() || now.Before(due) || waiting > 0 {
		return
	}
	if b.last.IsZero() {
		b.burst = burst{}
		b.enters()
	} else {
		b.end()
	}
	b.frame.Dirty, b.frame.Soon = true, true
}
