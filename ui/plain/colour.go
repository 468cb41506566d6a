package plain

import (
	"strings"

	"marvin/ui/view"
)

// Colours are those of lines. They mark how a line begins, and changed lines whole; what the
// model says is left as it is.
type Colours int

// Colours that people choose from.
const (
	NoColours   Colours = iota
	Sixteen             // of the terminal
	SafeColours         // the same, in which nothing depends on red beside green
)

// role is what a beginning is marked as.
type role int

const (
	bold role = iota + 1
	faint
	good
	bad
	note
)

// beginnings are how lines begin that Marvin says.
var beginnings = []struct {
	text string
	role role
}{
	{"[Error]", bad}, {"Error:", bad}, {"  ✗", bad}, {"  ✓", good}, {"[System]", faint}, {"[Cancelled]", note}, {"[Plan]", note}, {"  »", note}, {"  🔧", faint}, {"> ", bold},
}

// begin marks how a text begins, if it is known.
func (c Colours) begin(text string) string {
	if c == NoColours {
		return text
	}
	for _, one := range beginnings {
		if rest, ok := strings.CutPrefix(text, one.text); ok {
			return c.paint(one.role, one.text) + rest
		}
	}
	return text
}

// changed marks a row of a change, with its line break, by its sign.
func (c Colours) changed(row string) string {
	text := strings.TrimSuffix(row, "\n")
	switch {
	case c == NoColours:
	case strings.HasPrefix(text, "  +"):
		return c.paint(good, text) + "\n"
	case strings.HasPrefix(text, "  -"):
		return c.paint(bad, text) + "\n"
	}
	return row
}

// words is a row of a change in which the words that changed are underlined.
func (c Colours) words(row string, line view.Line) string {
	if text, marks := underlined(line); marks {
		return c.changed("  " + text + "\n")
	}
	return c.changed(row)
}

// proposed is a row of a proposed change, without the indent of a completed one.
func (c Colours) proposed(row string, line view.Line) string {
	text, marks := underlined(line)
	if !marks {
		text = strings.TrimSuffix(row, "\n")
	}
	switch line[0].Role {
	case view.Added:
		return c.paint(good, text) + "\n"
	case view.Removed:
		return c.paint(bad, text) + "\n"
	}
	return row
}

// underlined is a row of a change, and whether words of it changed.
func underlined(line view.Line) (text string, marks bool) {
	for _, span := range line {
		if span.Role == view.AddedWord || span.Role == view.RemovedWord {
			span.Text, marks = "\x1b[4m"+span.Text+"\x1b[24m", true
		}
		text += span.Text
	}
	return text, marks
}

// paint is text of a role, in the terminal's own colors, which suit its ground.
func (c Colours) paint(as role, text string) string {
	codes := map[role]string{bold: "1", faint: "2", good: "32", bad: "31", note: "36"}
	if c == SafeColours {
		codes[good], codes[bad] = "34", "33"
	}
	return "\x1b[" + codes[as] + "m" + text + "\x1b[0m"
}
