package tui

import (
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/keymap"
)

// A terminal without bracketed paste sends what is pasted as keys. They come faster
// than anybody types, and Enter among them must not send line after line. So an Enter
// close behind another key waits for the next one; nobody notices that it does.
const (
	quick     = 30 * time.Millisecond // between two keys that may be of a paste, on a busy machine too
	heldEnter = 35 * time.Millisecond // for another key to follow an Enter that came so fast
	lull      = 60 * time.Millisecond // ends a paste
)

// burst is a paste that looks like typing.
type burst struct {
	enter time.Time // of an Enter that may be part of it, zero for none
	text  strings.Builder
	last  time.Time // of its keys; zero when there is none
}

// burstKey takes a key that is part of a paste, or may be.
func (s *Screen) burstKey(name string, event *tcell.EventKey, before time.Time) bool {
	b, at := &s.input.burst, event.When()
	plain := name == "" || name == "Enter" || name == "Tab" || name == "Ctrl-J"
	if !b.last.IsZero() {
		if plain && at.Sub(b.last) < lull {
			b.last = at
			b.write(name, event)
			return true
		}
		s.endBurst()
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
		s.enter()
		return false
	}
	if name == "Enter" && s.keys.Action(keymap.Typing, name) == "send" && !s.input.Empty() && at.Sub(before) < quick {
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

// endBurst puts what was pasted into the input.
func (s *Screen) endBurst() {
	text := s.input.burst.text.String()
	s.input.burst = burst{}
	s.input.Paste(text)
	s.draft.changed(false)
	s.frame.dirty, s.frame.soon = true, true
}

// burstDue is when an Enter counts as pressed, or a paste as ended; zero for never.
func (b *burst) due() time.Time {
	switch {
	case !b.last.IsZero():
		return b.last.Add(lull)
	case !b.enter.IsZero():
		return b.enter.Add(heldEnter)
	}
	return time.Time{}
}

func (s *Screen) burstIfDue(now time.Time) {
	if due := s.input.burst.due(); due.IsZero() || now.Before(due) || len(s.incoming) > 0 {
		return
	}
	if s.input.burst.last.IsZero() {
		s.input.burst = burst{}
		s.enter()
	} else {
		s.endBurst()
	}
	s.frame.dirty, s.frame.soon = true, true
}
