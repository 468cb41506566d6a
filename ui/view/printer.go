package view

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printer formats streaming Markdown for output that cannot be redrawn. It prints a word as soon as
// later text can no longer change the word's appearance. It prints code line by line, and tables as
// a whole.
//
// New text can change unsettled rows. For example, the tenth item of a list increases the
// indentation of the whole list. For unsettled rows, the printer therefore counts the printed
// letters and digits. It also stores the characters printed after the last letter or digit.
type Printer struct {
	document
	steady stableText
	laid   int             // length of the laid-out text, in bytes
	base   int             // number of printed rows that no longer change
	count  int             // number of letters and digits printed after the base rows
	tail   string          // non-space characters printed after the last letter or digit
	given  strings.Builder // all printed letters and digits
}

// NewPrinter returns a printer for rows of at most width columns. For a screen reader, the printer
// omits frames and prints each cell of a table row as a line.
func NewPrinter(width int, screenReader bool) *Printer {
	return &Printer{document: document{width: width + 2, apart: true, listed: screenReader}}
}

// Add adds text, which must be safe for a terminal, and returns the rows that can be printed. If
// goesOn is true, the first row continues the row that was printed last.
func (p *Printer) Add(text string) (rows []Line, goesOn bool) {
	ready := p.steady.add(text)
	if ready <= p.laid {
		return nil, false
	}
	p.laid = ready
	return p.unprintedRows(p.layOut(p.steady.text[:ready]), false)
}

// End returns the unprinted rows. If the printed letters and digits differ from those of the final
// layout, End also returns the source text, so that no word is lost. In one of three thousand
// random inputs, overlapping marks caused such a difference.
func (p *Printer) End() (rows []Line, goesOn bool) {
	p.apart, p.seen = false, -1
	all := p.layOut(p.steady.text)
	rows, goesOn = p.unprintedRows(all, true)
	if p.given.String() == p.letters(all) {
		return rows, goesOn
	}
	rows = append(rows, nil)
	for line := range strings.Lines(p.steady.text) {
		rows = append(rows, Line{{Role: Plain, Text: strings.TrimRight(line, " \t\n")}})
	}
	return rows, goesOn
}

// letters concatenates the letters and digits of rows.
func (p *Printer) letters(rows []Line) string {
	var all strings.Builder
	for _, row := range rows {
		if !p.listed || !framed(row) {
			all.WriteString(lettersOf(p.withoutMargin(row).String()))
		}
	}
	return all.String()
}

func lettersOf(text string) string {
	return strings.Map(func(char rune) rune {
		if isLetter(char) {
			return char
		}
		return -1
	}, text)
}

// unprintedRows returns the unprinted rows and records them as printed. If more text can follow,
// trailing blank rows and frames are omitted, because a frame can grow.
func (p *Printer) unprintedRows(all []Line, end bool) (rows []Line, goesOn bool) {
	for !end && len(all) > p.base && (len(all[len(all)-1]) == 0 || framed(all[len(all)-1])) {
		all = all[:len(all)-1]
	}
	left, tail := p.count, p.tail
	for i := p.base; i < len(all); i++ {
		row := p.withoutMargin(all[i])
		if p.listed && framed(all[i]) {
			continue
		}
		if left == 0 && tail == "" {
			rows = append(rows, row.trimRight())
			continue
		}
		text := row.String()
		var at int
		at, left, tail = printedOf(text, left, tail)
		if strings.TrimSpace(text[at:]) == "" {
			continue
		}
		rows, goesOn, left, tail = append(rows, row.cutStart(at).trimRight()), at > 0, 0, ""
	}
	p.recordPrinted(all)
	for _, row := range rows {
		p.given.WriteString(lettersOf(row.String()))
	}
	return rows, goesOn
}

// printedOf returns the length, in bytes, of the printed part of a row. The printed text from this
// row on has the given number of letters and digits, followed by the given tail of other
// characters. lettersLeft and tailLeft are the corresponding values for the next row.
func printedOf(text string, letters int, tail string) (at, lettersLeft int, tailLeft string) {
	for i, char := range text {
		size := utf8.RuneLen(char)
		switch {
		case unicode.IsSpace(char):
			continue // white space is printed together with the next character
		case letters > 0:
			if isLetter(char) {
				letters--
			}
		case strings.HasPrefix(tail, string(char)):
			tail = tail[size:]
		default:
			return at, 0, ""
		}
		at = i + size
	}
	return at, letters, tail
}

// recordPrinted records that all rows are printed.
func (p *Printer) recordPrinted(all []Line) {
	p.base = max(p.base, min(p.settled, len(all)))
	p.count, p.tail = 0, ""
	for _, line := range all[min(p.base, len(all)):] {
		if p.listed && framed(line) {
			continue
		}
		for _, char := range p.withoutMargin(line).String() {
			switch {
			case isLetter(char):
				p.count, p.tail = p.count+1, ""
			case !unicode.IsSpace(char):
				p.tail += string(char)
			}
		}
	}
}

func isLetter(char rune) bool { return unicode.IsLetter(char) || unicode.IsDigit(char) }

// withoutMargin returns a row without its first span, which is the margin. For a screen reader, it
// also replaces each bar at the start of a quotation with ">".
func (p *Printer) withoutMargin(line Line) Line {
	if len(line) == 0 {
		return nil
	}
	words := line[1:]
	for i := 0; p.listed && i < len(words) && words[i].Part == Margin; i++ {
		if words[i].Text == "│ " { // a screen reader says "vertical bar"
			words = slices.Clone(words)
			words[i].Text = "> "
		}
	}
	return words
}

// framed is true if a row contains only a frame.
func framed(line Line) bool {
	frame := false
	for _, span := range line {
		if span.Text != "" && span.Part != Frame && span.Part != Margin && span.Part != Indent {
			return false
		}
		frame = frame || span.Part == Frame && span.Text != ""
	}
	return frame
}

func (l Line) cutStart(at int) Line {
	for i, span := range l {
		if at < len(span.Text) {
			span.Text = span.Text[at:]
			return append(Line{span}, l[i+1:]...)
		}
		at -= len(span.Text)
	}
	return nil
}

// trimRight removes white space at the end of a line.
func (l Line) trimRight() Line {
	for last := len(l) - 1; last >= 0; last-- {
		if text := strings.TrimRight(l[last].Text, " \t"); text != "" {
			span := l[last]
			span.Text = text
			return append(l[:last:last], span)
		}
	}
	return nil
}
