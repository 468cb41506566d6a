package plain

import (
	"cmp"
	"strings"

	"marvin/messages"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// On a terminal, answers are formatted as in full-screen mode. A pipe gets the original text.

// endsFormatting reports whether an event ends the current formatted text. Remarks do not end the
// text, because they may arrive in the middle of a table.
func endsFormatting(event messages.Event) bool {
	switch event.(type) {
	case messages.Thinking, messages.ToolsCalled, messages.ToolStarted, messages.ToolEnded, messages.TurnStarted, messages.TurnEnded,
		messages.Steered, messages.Asked, messages.Recalled, messages.Cleared, messages.Rewound, messages.Resumed, messages.Closed:
		return true
	default: // the answer's text continues after these events
		return false
	}
}

// showFormatted formats and shows the next piece of a Markdown text. If o.whole is true, only
// complete lines are shown.
func (o *output) showFormatted(chunk string) {
	if o.printer == nil {
		o.flush()
		o.hide()
		if o.lineOpen {
			o.put("\n")
		}
		o.printer = view.NewPrinter(max(o.width()-1, 1), o.whole)
	}
	if o.whole {
		o.held += chunk
		at := strings.LastIndexByte(o.held, '\n') + 1
		chunk, o.held = o.held[:at], o.held[at:]
	}
	o.rows(o.printer.Add(termsafe.String(chunk)))
}

// settle writes the rest of an answer.
func (o *output) settle() {
	if o.printer == nil {
		return
	}
	o.rows(o.printer.Add(termsafe.String(o.held)))
	o.rows(o.printer.End())
	o.printer, o.held = nil, ""
}

// rows writes the next lines of an answer. If continued is true, the first line continues the
// answer's last line.
func (o *output) rows(rows []view.Line, continued bool) {
	for i, row := range rows {
		text := o.colours.modelRow(row)
		switch {
		case i == 0 && continued && !o.lineOpen: // text outside the answer ended the previous row
			text = strings.TrimLeft(text, " ")
		case (i > 0 || !continued) && o.lineOpen:
			o.put("\n")
		}
		text = cmp.Or(text, "\n")
		o.put(text)
	}
}

// modelRow formats a row of an answer. It uses attributes such as bold but no colors, so that the
// row cannot look like a message from Marvin.
func (c Colours) modelRow(row view.Line) string {
	if c == NoColours {
		return row.String()
	}
	codes := map[view.Role]string{view.Strong: "1", view.Heading: "1", view.Emphasis: "3", view.Link: "4", view.Struck: "9"}
	var text strings.Builder
	for _, span := range row {
		if code := codes[span.Role]; code != "" && span.Text != "" {
			text.WriteString("\x1b[" + code + "m" + span.Text + "\x1b[0m")
		} else {
			text.WriteString(span.Text)
		}
	}
	return text.String()
}
