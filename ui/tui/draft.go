package tui

import (
	"slices"
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
)

// Unsent is what was typed and not sent: the input, and what waits for the running turn
// to end.
type Unsent struct {
	Input string
	Queue []string
}

// draftDelay is how long after a key what is unsent is kept.
const draftDelay = 400 * time.Millisecond

// draft keeps what is unsent where it outlives the program.
type draft struct {
	kept   Unsent
	due    time.Time // zero when all is kept
	saving bool
	failed bool // it was said
}

// restoreUnsent puts what the last window could not send where it was.
func (s *Screen) restoreUnsent() {
	for _, text := range s.Unsent.Queue {
		s.view.Queue = append(s.view.Queue, conversation.Queued{Prompt: messages.Prompt{Text: text}})
	}
	if s.Unsent.Input != "" {
		s.input.Paste(s.Unsent.Input)
	}
	s.input.draft.kept = s.Unsent
	if len(s.view.Queue) > 0 {
		s.say("What was not sent is back; it goes out after the next answer, "+s.keys.First("dequeue")+" takes it back", 2*hintTime)
	} else if s.Unsent.Input != "" {
		s.say("What was not sent is back", hintTime)
	}
}

// changed notes that something may have to be kept; what was sent at once, so that a
// crash does not bring it back.
func (s *Screen) changed(atOnce bool) {
	if s.Save == nil {
		return
	}
	if atOnce {
		s.input.draft.due = s.Now()
	} else if s.input.draft.due.IsZero() {
		s.input.draft.due = s.Now().Add(draftDelay)
	}
}

func (s *Screen) unsent() Unsent {
	unsent := Unsent{Input: s.input.Text()}
	for _, prompt := range s.view.Queue {
		unsent.Queue = append(unsent.Queue, typedAs(prompt.Prompt))
	}
	return unsent
}

// keepIfDue keeps what is unsent, beside the loop, one at a time.
func (s *Screen) keepIfDue() {
	if s.input.draft.due.IsZero() || s.input.draft.saving || s.Now().Before(s.input.draft.due) {
		return
	}
	s.input.draft.due = time.Time{}
	unsent := s.unsent()
	if unsent.Input == s.input.draft.kept.Input && slices.Equal(unsent.Queue, s.input.draft.kept.Queue) {
		return
	}
	s.input.draft.saving = true
	apart(s, func() func() {
		err := s.Save(unsent)
		return func() {
			s.input.draft.saving, s.input.draft.kept = false, unsent
			if err != nil && !s.input.draft.failed {
				s.input.draft.failed = true
				s.view.Say(messages.Warning, "What you type is not kept for the case of a crash: "+err.Error())
			}
		}
	})
}

// keepAtLast keeps what is unsent when the person leaves, and waits for it.
func (s *Screen) keepAtLast() error {
	if s.Save == nil {
		return nil
	}
	late := time.NewTimer(time.Second)
	defer late.Stop()
	for s.input.draft.saving {
		select {
		case then := <-s.done:
			if then != nil {
				then()
			}
		case <-late.C:
			return nil
		}
	}
	return s.Save(s.unsent())
}
