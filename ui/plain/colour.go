package plain

import (
	"strings"

	"marvin/ui/view"
)

// Colours is a set of colors for diffs and for Marvin's own lines. The model's text has no colors.
type Colours int

// The sets of colors.
const (
	NoColours   Colours = iota
	Sixteen             // the colors of the terminal
	SafeColours         // the same colors, but never red beside green
)

// role determines the color of a piece of text.
type role int

const (
	bold role = iota + 1
	faint
	good
	bad
	note
)

// beginnings contains the strings with which Marvin's own lines start.
var beginnings = []struct {
	text string
	role role
}{
	{"[Error]", bad}, {"Error:", bad}, {"  ✗", bad}, {"  ✓", good}, {"[System]", faint}, {"[Cancelled]", note}, {"[Plan]", note}, {"  »", note}, {"  🔧", faint}, {"> ", bold},
}

// begin paints the prefix of text that [beginnings] lists, if any.
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

// paintChange colors a diff row that begins with "  +" or "  -" and ends with a line break.
func (c Colours) paintChange(row string) string {
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

// paintWords colors a row of a change and underlines the changed words.
func (c Colours) paintWords(row string, line view.Line) string {
	if text, marks := underlineChanges(line); marks {
		return c.paintChange("  " + text + "\n")
	}
	return c.paintChange(row)
}

// proposed paints a row of a proposed change and underlines the changed words. The row has no
// indent.
func (c Colours) proposed(row string, line view.Line) string {
	text, marks := underlineChanges(line)
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

// underlineChanges returns a row with its changed words underlined. The second result is false if
// no word is underlined.
func underlineChanges(line view.Line) (text string, marks bool) {
	for _, span := range line {
		if span.Role == view.AddedWord || span.Role == view.RemovedWord {
			span.Text, marks = "\x1b[4m"+span.Text+"\x1b[24m", true
		}
		text += span.Text
	}
	return text, marks
}

// paint encloses text in the escape sequences for a role. It uses the terminal's palette, because
// that palette suits the background.
func (c Colours) paint(as role, text string) string {
	codes := map[role]string{bold: "1", faint: "2", good: "32", bad: "31", note: "36"}
	if c == SafeColours {
		codes[good], codes[bad] = "34", "33"
	}
	return "\x1b[" + codes[as] + "m" + text + "\x1b[0m"
}
