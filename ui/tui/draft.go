package tui

import (
	"slices"
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
	"marvin/ui/lineedit"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
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
	view   *view.View
	input  *lineedit.Editor
	now    func() time.Time
	say    func(text string, during time.Duration)
	beside func(work func() (then func()))
	done   <-chan func()      // what follows work beside the loop
	save   func(Unsent) error // nil for nowhere

	kept   Unsent
	due    time.Time // zero when all is kept
	saving bool
	failed bool // it was said
}

// restore puts what the last window could not send where it was. Back is the key that takes
// it back.
func (d *draft) restore(left Unsent, back string) {
	for _, text := range left.Queue {
		d.view.Queue = append(d.view.Queue, conversation.Queued{Prompt: messages.Prompt{Text: text}})
	}
	if left.Input != "" {
		d.input.Paste(left.Input)
	}
	d.kept = left
	if len(d.view.Queue) > 0 {
		d.say("Your unsent text is back; Marvin sends it after the next answer, "+back+" takes it back", 2*canvas.HintTime)
	} else if left.Input != "" {
		d.say("Your unsent text is back", canvas.HintTime)
	}
}

// changed notes that something may have to be kept; what was sent at once, so that a
// crash does not bring it back.
func (d *draft) changed(atOnce bool) {
	if d.save == nil {
		return
	}
	if atOnce {
		d.due = d.now()
	} else if d.due.IsZero() {
		d.due = d.now().Add(draftDelay)
	}
}

func (d *draft) unsent() Unsent {
	unsent := Unsent{Input: d.input.Text()}
	for _, prompt := range d.view.Queue {
		unsent.Queue = append(unsent.Queue, typedAs(prompt.Prompt))
	}
	return unsent
}

// keep keeps what is unsent, beside the loop, one at a time.
func (d *draft) keep() {
	if d.due.IsZero() || d.saving || d.now().Before(d.due) {
		return
	}
	d.due = time.Time{}
	unsent := d.unsent()
	if unsent.Input == d.kept.Input && slices.Equal(unsent.Queue, d.kept.Queue) {
		return
	}
	d.saving = true
	d.beside(func() func() {
		err := d.save(unsent)
		return func() {
			d.saving, d.kept = false, unsent
			if err != nil && !d.failed {
				d.failed = true
				d.view.Say(messages.Warning, "Marvin cannot keep what you type in case of a crash: "+err.Error())
			}
		}
	})
}

// keepAtLast keeps what is unsent when the person leaves, and waits for it.
func (d *draft) keepAtLast() error {
	if d.save == nil {
		return nil
	}
	late := time.NewTimer(time.Second)
	defer late.Stop()
	for d.saving {
		select {
		case then := <-d.done:
			if then != nil {
				then()
			}
		case <-late.C:
			return nil
		}
	}
	return d.save(d.unsent())
}
