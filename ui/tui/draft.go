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

// Unsent is unsent text: the input, and prompts that wait for the running turn to end.
type Unsent struct {
	Input string
	Queue []string
}

// draftDelay is the time between a key press and the moment when the unsent text is saved.
const draftDelay = 400 * time.Millisecond

// A draft saves unsent text, and restores the text when Marvin starts again.
type draft struct {
	view   *view.View
	input  *lineedit.Editor
	now    func() time.Time
	say    func(text string, during time.Duration)
	beside func(work func() (then func()))
	done   <-chan func()      // functions that background work passes to the loop
	save   func(Unsent) error // nil if unsent text is never saved

	kept   Unsent
	due    time.Time // zero if everything is saved
	saving bool
	failed bool // a failure was reported
}

// restore adds the unsent text from the previous window to the input and the queue. editKey is the
// key that edits a queued prompt.
func (d *draft) restore(left Unsent, editKey string) {
	for _, text := range left.Queue {
		d.view.Queue = append(d.view.Queue, conversation.Queued{Prompt: messages.Prompt{Text: text}})
	}
	if left.Input != "" {
		d.input.Paste(left.Input)
	}
	d.kept = left
	if len(d.view.Queue) > 0 {
		d.say("Your unsent prompts are back. Marvin sends them after the next answer; "+editKey+" lets you edit them", 2*canvas.HintTime)
	} else if left.Input != "" {
		d.say("Your unsent text is back", canvas.HintTime)
	}
}

// scheduleSave schedules a save of the unsent text. If atOnce is true, the save has no delay.
// Callers that send text set atOnce. Otherwise, after a crash during the delay, Marvin would
// restore text that has already been sent.
func (d *draft) scheduleSave(atOnce bool) {
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

// saveIfDue saves the unsent text in the background. Only one save runs at a time.
func (d *draft) saveIfDue() {
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
				d.view.AddNotice(messages.Warning, "If Marvin crashes, the text that you are typing is lost, because it cannot be saved: "+err.Error())
			}
		}
	})
}

// keepAtLast saves unsent text when the program ends. It gives up if an earlier save does not
// finish within 1 s.
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
