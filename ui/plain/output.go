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

// output is the state of the screen: the position and style of the cursor.
type output struct {
	stdout   io.Writer
	terminal *os.File // nil without a terminal
	edits    bool     // the line is edited on the terminal, which is raw
	whole    bool     // text is said line by line
	line     *line    // the input
	lost     func()   // called when the reader is gone
	colours  Colours

	lineOpen bool          // behind text
	shown    bool          // behind the label of the input
	held     string        // text that waits for the end of its line
	flow     flow          // of the words
	printer  *view.Printer // of a formatted answer; may be nil
	cooked   *term.State   // of the terminal, while it is raw
	ahead    typeahead.Lines
}

// take makes the terminal raw if lines are edited on it. Where that fails the
// terminal's own editing has to do.
func (o *output) take() {
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
	o.ahead.Took(int(o.terminal.Fd()))
	o.write("\x1b[?2004h") // pastes are marked as such
}

func (o *output) give() {
	if o.cooked != nil {
		o.write("\x1b[?2004l")
		_ = term.Restore(int(o.terminal.Fd()), o.cooked) // a terminal that is gone needs no modes
		o.cooked = nil
	}
}

// finish leaves the terminal as it was found, the cursor at the beginning of a line.
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

// begin puts the input on the screen, behind what was said.
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

// redraw shows the input as it is now, if it is on the screen.
func (o *output) redraw(label string) {
	if o.shown {
		o.write(o.line.erase() + o.line.draw(label, o.width()))
	}
}

// sent leaves the input as typed, and continues below it.
func (o *output) sent(label string) {
	if o.shown {
		o.write(o.line.below(label, o.width()))
		o.shown = false
	}
}

// hide takes the input off the screen, or ends its line where that is not possible.
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

// say writes whole lines of Marvin's own.
func (o *output) say(text string) { o.sayIn(text, o.colours.begin) }

// quote writes lines that begin with foreign text, without colors, which could pass for Marvin's.
func (o *output) quote(text string) { o.sayIn(text, func(text string) string { return text }) }

// sayIn writes whole lines in colours, which paint what is clean already.
func (o *output) sayIn(text string, paint func(string) string) {
	o.flush()
	o.hide()
	if o.lineOpen {
		o.print("\n")
	}
	o.put(paint(o.broken(text + "\n")))
}

// print writes text that Marvin did not write, a word when it is whole.
func (o *output) print(text string) { o.put(o.broken(text)) }

// broken is text, cleaned, in lines of the terminal; of a word that did not end as much as
// before it.
func (o *output) broken(text string) string {
	text = termsafe.String(text)
	if text == "" {
		return ""
	}
	if o.flow.width = 0; o.terminal != nil && !o.whole {
		o.flow.width = o.width()
	}
	return o.flow.feed(text)
}

// put writes text as it is.
func (o *output) put(text string) {
	if text == "" {
		return
	}
	o.hide()
	o.lineOpen = !strings.HasSuffix(text, "\n")
	o.write(strings.ReplaceAll(text, "\n", o.newline()))
}

// newline is what ends a line: a raw terminal does not go back to its beginning.
func (o *output) newline() string {
	if o.cooked != nil {
		return "\r\n"
	}
	return "\n"
}

func (o *output) write(text string) {
	if _, err := io.WriteString(o.stdout, text); err != nil {
		o.lost() // nobody reads
	}
}

// text shows the next piece of the answer, or its whole lines.
func (o *output) text(chunk string) {
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

// flush shows the beginning of a line whose end did not come.
func (o *output) flush() {
	if o.printer != nil { // it waits for more
		return
	}
	held := o.held
	o.held = ""
	o.print(held)
	o.put(o.flow.rest())
}

// echo shows a line that was not typed visibly.
func (o *output) echo(line string) {
	if o.terminal == nil && o.shown {
		o.shown = false
		o.print(line + "\n")
	}
	o.shown, o.lineOpen = false, false // the person's Enter ended the line
}
