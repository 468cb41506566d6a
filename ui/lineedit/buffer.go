package lineedit

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"marvin/ui/termsafe"
)

// element is a grapheme cluster, a line break, or text that is displayed as a chip. The cursor
// never stops inside an element.
type element struct {
	text string
	chip string // label that is shown instead of the text; "" for plain text
}

// screenText returns the text that the screen shows for the element.
func (e element) screenText() string {
	switch {
	case e.chip != "":
		return e.chip
	case e.text == "\t":
		return "    "
	}
	return e.text
}

func (e element) space() bool { return e.chip == "" && strings.TrimSpace(e.text) == "" }

func (e element) newline() bool { return e.chip == "" && e.text == "\n" }

// clean converts all line breaks to \n and removes terminal control characters.
func clean(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return termsafe.String(strings.ReplaceAll(text, "\r", "\n"))
}

// split divides text into grapheme clusters.
func split(text string) []element {
	elements := make([]element, 0, len(text))
	state := -1
	for text != "" {
		var cluster string
		cluster, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		elements = append(elements, element{text: cluster})
	}
	return elements
}

func textOf(elements []element) string {
	var text strings.Builder
	for _, each := range elements {
		text.WriteString(each.text)
	}
	return text.String()
}

// replace returns a copy of the buffer in which new elements replace buffer[from:to]. It also
// returns the position after the new elements. Adjacent text is segmented again, because an accent
// combines with the preceding letter.
func replace(buffer []element, from, to int, with []element) ([]element, int) {
	changed := slices.Concat(buffer[:from], with, buffer[to:])
	first, last := from, from+len(with)
	for first > 0 && !barrier(changed[first-1]) {
		first--
	}
	for last < len(changed) && !barrier(changed[last]) {
		last++
	}
	behind := 0 // number of bytes from changed[first] to the cursor
	for _, each := range changed[first : from+len(with)] {
		behind += len(each.text)
	}
	var line []element
	cursor := -1
	for run := first; run < last; {
		end := run
		for end < last && changed[end].chip == "" {
			end++
		}
		for _, each := range split(textOf(changed[run:end])) {
			if behind <= 0 && cursor < 0 {
				cursor = first + len(line)
			}
			behind -= len(each.text)
			line = append(line, each)
		}
		if end < last {
			if behind <= 0 && cursor < 0 {
				cursor = first + len(line)
			}
			behind -= len(changed[end].text)
			line = append(line, changed[end])
			end++
		}
		run = end
	}
	if cursor < 0 {
		cursor = first + len(line)
	}
	return slices.Concat(changed[:first], line, changed[last:]), cursor
}

// barrier returns true if an element always stays separate from its neighbors.
func barrier(e element) bool { return e.chip != "" || e.newline() }
