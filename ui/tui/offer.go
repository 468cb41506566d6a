package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/command"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// offerPanel shows a few choices above the input line. If the user types text that is not a choice,
// the panel closes and the text goes into the input line.
type offerPanel struct {
	frame *canvas.Canvas
	input *inputState
	open  *offer // nil for none
}

type offer struct {
	command.Offer
	typed string    // the digits typed so far
	at    time.Time // time of the last digit
}

// maxDigitPause is the maximum time between two digits at the start of a prompt. After a longer
// pause, the earlier digits are dropped.
const maxDigitPause = time.Second

// Offer implements [command.Forms].
func (f front) Offer(open command.Offer) bool {
	if !f.input.Empty() || !f.input.burst.due().IsZero() || f.ask.ID != "" {
		return false
	}
	f.offer.open = &offer{Offer: open}
	f.offer.move(open.At)
	return true
}

// key applies a key press to the panel. For keys that the input handles, the result is false.
func (o *offerPanel) key(name string, event *tcell.EventKey) bool {
	open := o.open
	switch name {
	case "":
		return o.rune(event)
	case "Up", "Shift-Tab", "Left":
		o.move(open.At - 1)
	case "Down", "Tab", "Right":
		o.move(open.At + 1)
	case "Enter":
		o.open = nil
		open.Chosen(open.At)
	case "Esc", "Ctrl-C", "Ctrl-G":
		o.leave("")
	default:
		return false
	}
	return true
}

// rune selects a choice by its number. Any other character closes the panel.
func (o *offerPanel) rune(event *tcell.EventKey) bool {
	open := o.open
	if event.When().Sub(open.at) > maxDigitPause {
		open.typed = ""
	}
	at := int(event.Rune() - '1')
	if at < 0 || at >= len(open.Items) {
		o.leave(open.typed)
		return false
	}
	open.typed, open.at = open.typed+string(event.Rune()), event.When()
	o.move(at)
	return true
}

// leave closes the panel and inserts the typed text into the input.
func (o *offerPanel) leave(typed string) {
	open := o.open
	o.open = nil
	o.input.Insert(typed)
	o.frame.Dirty = true
	open.Left()
}

// move selects a choice. The index wraps around at both ends.
func (o *offerPanel) move(to int) {
	count := len(o.open.Items)
	o.open.At = (to + count) % count
	o.open.Moved(o.open.At)
	o.frame.Dirty = true
}

// draw puts the choices above a row and returns their height in rows. It shows the sample only if
// there is room.
func (o *offerPanel) draw(bottom int) int {
	if o.open == nil || bottom < len(o.open.Items)+3 {
		return 0
	}
	heading := view.Line{{Role: view.Heading, Text: o.open.Title}}
	rows, row := []view.Line{heading}, heading
	for i, item := range o.open.Items {
		line := view.Line{{Role: view.Plain, Text: fmt.Sprintf("  %d %s", i+1, item)}}
		if i == o.open.At {
			line = view.Line{{Role: view.Assistant, Text: fmt.Sprintf("▸ %d ", i+1)}, {Role: view.Strong, Text: item}}
		}
		rows, row = append(rows, line), append(append(row, view.Span{Role: view.Plain, Text: "  "}), line...)
	}
	if bottom-len(rows) < greetingRows {
		rows = []view.Line{row}
	} else if sample := o.open.Sample(max(o.frame.Width-3, 1)); bottom-len(rows)-len(sample) > greetingRows {
		rows = append(append(rows, nil), sample...)
	}
	for i, row := range rows {
		o.frame.Put(bottom-len(rows)+i, view.Fold(append(view.Line{{Role: view.Plain, Text: " "}}, row...), o.frame.Width)[0])
	}
	return len(rows)
}

// greetingRows is the number of rows that must stay free for the greeting. If fewer stay free, the
// choices share one row and have no sample.
const greetingRows = 20

// hint describes the available keys.
func (o *offerPanel) hint() string {
	var numbers []string
	for i := range o.open.Items {
		numbers = append(numbers, fmt.Sprint(i+1))
	}
	return strings.Join(numbers, " ") + " or ↑ ↓ selects one · Enter confirms · Esc skips · or just type"
}
