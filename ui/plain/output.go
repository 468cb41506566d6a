package plain

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"marvin/ui/internal/typeahead"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// output writes to the screen and keeps track of the cursor.
type output struct {
	stdout   io.Writer
	terminal *os.File // nil without a terminal
	edits    bool     // Marvin edits the input line in raw mode
	whole    bool     // text is written line by line
	line     *line    // the input
	lost     func()   // called when output fails
	colours  Colours

	lineOpen bool          // the last text did not end with a line break
	shown    bool          // whether the cursor is on the input line
	held     string        // text that waits for the end of its line
	flow     flow          // wraps words
	printer  *view.Printer // for a formatted answer; may be nil
	cooked   *term.State   // the terminal's state before raw mode; nil outside raw mode
	ahead    typeahead.Lines
}

// enterRaw switches the terminal to raw mode if o.edits is true. On failure, it sets o.edits to
// false.
func (o *output) enterRaw() {
	if !o.edits || o.terminal == nil {
		o.edits = false
		return
	}
	cooked, err := term.MakeRaw(int(o.terminal.Fd()))
	if err != nil {
		o.edits = false
		return
	}
	o.cooked = cooked
	o.ahead.CountWaiting(int(o.terminal.Fd()))
	o.write("\x1b[?2004h") // ask the terminal to mark where a paste begins and ends
}

func (o *output) give() {
	if o.cooked != nil {
		o.write("\x1b[?2004l")
		_ = term.Restore(int(o.terminal.Fd()), o.cooked) // fails only if the terminal is gone
		o.cooked = nil
	}
}

// finish writes the remaining text, ends the line and restores the terminal.
func (o *output) finish() {
	o.settle()
	o.put(o.flow.rest())
	o.hide()
	if o.lineOpen || o.held != "" {
		o.print("\n")
	}
	o.give()
}

func (o *output) width() int { return widthOf(int(o.terminal.Fd())) }

// begin writes the input below the output.
func (o *output) begin(label string) {
	o.flush()
	if o.lineOpen {
		o.print("\n")
	}
	if o.edits {
		o.write(o.line.draw(label, o.width()))
	} else {
		o.write(label)
	}
	o.shown = true
}

func (o *output) redraw(label string) {
	if o.shown {
		o.write(o.line.erase() + o.line.draw(label, o.width()))
	}
}

// keepInput leaves the typed input on the screen and moves the cursor below the input.
func (o *output) keepInput(label string) {
	if o.shown {
		o.write(o.line.moveBelow(label, o.width()))
		o.shown = false
	}
}

// hide erases the input line, or starts a new line if the input line cannot be edited.
func (o *output) hide() {
	if !o.shown {
		return
	}
	o.shown = false
	if o.edits {
		o.write(o.line.erase())
		return
	}
	o.write("\n")
}

// say writes a message from Marvin on a new line and colors its prefix, such as "[Error]".
func (o *output) say(text string) { o.sayIn(text, o.colours.begin) }

// greet writes a line of the greeting.
func (o *output) greet(line string) {
	rows := []string{line}
	if o.terminal != nil && !o.whole {
		rows = view.WrapLabeled(line, o.width()-1)
	}
	for _, row := range rows {
		o.say(row)
	}
}

// quote writes complete lines without colors, so that quoted text cannot look like a message from
// Marvin.
func (o *output) quote(text string) { o.sayIn(text, func(text string) string { return text }) }

// sayIn cleans and wraps complete lines, calls paint to color them, and writes them.
func (o *output) sayIn(text string, paint func(string) string) {
	o.flush()
	o.hide()
	if o.lineOpen {
		o.print("\n")
	}
	o.put(paint(o.wrap(text + "\n")))
}

// sayRow cleans, colors and writes one row of a diff. Rows are never wrapped.
func (o *output) sayRow(row string, paint func(string) string) {
	o.flush()
	o.hide()
	if o.lineOpen {
		o.print("\n")
	}
	o.put(paint(termsafe.String(row + "\n")))
}

// print cleans, wraps and writes text.
func (o *output) print(text string) { o.put(o.wrap(text)) }

// wrap makes text safe for the terminal and breaks long lines. An incomplete word is held back.
func (o *output) wrap(text string) string {
	text = termsafe.String(text)
	if text == "" {
		return ""
	}
	if o.flow.width = 0; o.terminal != nil && !o.whole {
		o.flow.width = o.width()
	}
	return o.flow.feed(text)
}

// put writes text without cleaning or wrapping it.
func (o *output) put(text string) {
	if text == "" {
		return
	}
	o.hide()
	o.lineOpen = !strings.HasSuffix(text, "\n")
	o.write(strings.ReplaceAll(text, "\n", o.newline()))
}

// newline returns the line ending. A raw terminal also needs a carriage return.
func (o *output) newline() string {
	if o.cooked != nil {
		return "\r\n"
	}
	return "\n"
}

func (o *output) write(text string) {
	if _, err := io.WriteString(o.stdout, text); err != nil {
		o.lost()
	}
}

// showPlain shows the next piece of an unformatted answer. For screen readers, it shows only
// complete lines and holds back the rest.
func (o *output) showPlain(chunk string) {
	if !o.whole {
		o.print(chunk)
		return
	}
	o.held += chunk
	if at := strings.LastIndexByte(o.held, '\n'); at >= 0 {
		whole := o.held[:at+1]
		o.held = o.held[at+1:]
		o.print(whole)
	}
}

// flush writes text that was held back. It does nothing while a printer formats the answer.
func (o *output) flush() {
	if o.printer != nil { // the printer waits for more text
		return
	}
	held := o.held
	o.held = ""
	o.print(held)
	o.put(o.flow.rest())
}

// echo writes an input line that the terminal did not show.
func (o *output) echo(line string) {
	if o.terminal == nil && o.shown {
		o.shown = false
		o.print(line + "\n")
	}
	o.shown, o.lineOpen = false, false // the user's Enter ended the line
}
