package lineedit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// operate deletes, changes or copies the text between the cursor and the target of a motion. If the
// operator is typed twice, whole lines are affected. An unknown motion has no effect.
func (v *Vim) operate(e *Editor, operator, key string, times int) {
	steps := len(e.undone)
	if key == operator {
		v.lines(e, operator, times)
		return
	}
	from, to, ok := span(e, operator, key, times)
	if !ok {
		return
	}
	if from < to {
		keep(e, textOf(e.buffer[from:to]))
	}
	if operator == "y" {
		e.move(from)
		return
	}
	e.change(other, from, to, nil)
	if operator == "c" {
		v.enterInsert(steps)
	}
}

// lines deletes, changes or copies whole lines. The stored text ends with a line break, so that
// [put] inserts whole lines.
func (v *Vim) lines(e *Editor, operator string, times int) {
	steps, was, from := len(e.undone), e.cursor, e.lineStart()
	to := e.lineEnd()
	for range times - 1 {
		if to < len(e.buffer) {
			e.cursor = to + 1
			to = e.lineEnd()
		}
	}
	e.cursor = was
	keep(e, textOf(e.buffer[from:to])+"\n")
	switch {
	case operator == "y":
		return
	case operator == "c":
		e.change(other, from, to, nil)
		e.move(from)
		v.enterInsert(steps)
		return
	case to < len(e.buffer):
		to++
	case from > 0: // the range of the last line includes the preceding line break
		from--
	}
	e.change(other, from, to, nil)
	e.move(firstOf(e))
}

// span returns the range that an operator and a motion select.
func span(e *Editor, operator, key string, times int) (from, to int, ok bool) {
	onText := e.cursor < len(e.buffer) && !e.buffer[e.cursor].space()
	switch {
	case operator == "c" && onText && (key == "w" || key == "W"): // cw keeps the space after the word
		to = e.cursor - 1
		for range times {
			to = wordEnd(e, to, key == "W")
		}
		return e.cursor, min(to+1, len(e.buffer)), true
	case key == "l" || key == " ":
		return e.cursor, min(e.cursor+times, e.lineEnd()), true
	}
	to, ok = motion(e, key, times)
	switch key {
	case "e", "E": // the range includes the last character
		to = min(to+1, len(e.buffer))
	case "w", "W":
		to = withinLine(e, to)
	}
	return min(e.cursor, to), max(e.cursor, to), ok
}

// withinLine adjusts the end of an operator's range for the motions w and W. If the range would end
// at the first word of a later line, withinLine returns the end of the preceding line.
func withinLine(e *Editor, to int) int {
	start := to
	for start > e.cursor && e.buffer[start-1].space() && !e.buffer[start-1].newline() {
		start--
	}
	if start > e.cursor && e.buffer[start-1].newline() {
		return start - 1
	}
	return to
}

// motion returns the position to which a motion moves the cursor. For an unknown motion, ok is
// false.
func motion(e *Editor, key string, times int) (to int, ok bool) {
	to = e.cursor
	big := key == "W" || key == "B" || key == "E"
	switch key {
	case "h":
		return max(e.lineStart(), to-times), true
	case "l", " ":
		return min(e.lineEnd(), to+times), true
	case "0":
		return e.lineStart(), true
	case "^":
		return firstOf(e), true
	case "$":
		return e.lineEnd(), true
	}
	for range times {
		switch key {
		case "w", "W":
			to = nextWord(e, to, big)
		case "b", "B":
			to = wordBefore(e, to, big)
		case "e", "E":
			to = min(wordEnd(e, to, big), len(e.buffer))
		default:
			return 0, false
		}
	}
	return to, true
}

// firstOf returns the position of the first nonblank character on the cursor's line. On a blank
// line, firstOf returns the end of the line.
func firstOf(e *Editor) int {
	at, end := e.lineStart(), e.lineEnd()
	for at < end && e.buffer[at].space() {
		at++
	}
	return at
}

// kind is a class of characters. In vi, adjacent characters of the same kind form a word. Each chip
// is a word of its own.
type kind uint8

const (
	blank kind = iota
	letters
	signs
	chip
)

// kindAt returns the kind of a character. If big is true, words end only at blanks and chips.
func kindAt(e *Editor, at int, big bool) kind {
	each := e.buffer[at]
	char, _ := utf8.DecodeRuneInString(each.text)
	switch {
	case each.chip != "":
		return chip
	case each.space():
		return blank
	case big, char == '_', unicode.IsLetter(char), unicode.IsDigit(char):
		return letters
	}
	return signs
}

func joined(e *Editor, at int, big bool) bool {
	one, two := kindAt(e, at, big), kindAt(e, at+1, big)
	return one == two && one != blank && one != chip
}

func nextWord(e *Editor, at int, big bool) int {
	end := len(e.buffer)
	for at+1 < end && joined(e, at, big) {
		at++
	}
	for at = min(at+1, end); at < end && kindAt(e, at, big) == blank; at++ {
		if e.buffer[at].newline() && e.buffer[at-1].newline() { // an empty line counts as a word
			break
		}
	}
	return at
}

func wordBefore(e *Editor, at int, big bool) int {
	for at--; at > 0 && kindAt(e, at, big) == blank; at-- {
		if e.buffer[at].newline() && e.buffer[at-1].newline() {
			break
		}
	}
	for at > 0 && joined(e, at-1, big) {
		at--
	}
	return max(at, 0)
}

// wordEnd returns the first position after pos at which a word ends.
func wordEnd(e *Editor, pos int, big bool) int {
	end := len(e.buffer)
	for pos++; pos < end && kindAt(e, pos, big) == blank; {
		pos++
	}
	for pos+1 < end && joined(e, pos, big) {
		pos++
	}
	return pos
}

// keep appends deleted or copied text to e.kills, for [put].
func keep(e *Editor, text string) {
	e.last = none
	e.kills = append(e.kills, text)
	if len(e.kills) > killDepth {
		e.kills = e.kills[1:]
	}
}

// put implements the commands p and P, which insert the last deleted or copied text after or before
// the cursor. Whole lines are inserted below or above the cursor's line.
func put(e *Editor, behind bool, times int) {
	if len(e.kills) == 0 {
		return
	}
	text := e.kills[len(e.kills)-1]
	text = strings.Repeat(text, min(times, mostPut/len(text)+1))
	lines, whole := strings.CutSuffix(text, "\n")
	at, with := e.cursor, pasted(text)
	switch {
	case whole && behind:
		at, with = e.lineEnd(), append(split("\n"), pasted(lines)...)
	case whole:
		at, with = e.lineStart(), append(pasted(lines), split("\n")...)
	case behind:
		at = min(at+1, e.lineEnd())
	}
	e.change(other, at, at, with)
	switch {
	case whole && behind:
		e.move(at + 1)
	case whole:
		e.move(at)
	default:
		e.move(e.cursor - 1)
		return
	}
	e.move(firstOf(e))
}
