package view

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"marvin/ui/internal/highlight"
)

// Diffs have line numbers and syntax colors, and the changed words in a line are marked. A wide
// window shows a diff in two columns.

const (
	mostColoured = 3000 // maximum number of lines; a longer diff has no syntax colors
	mostWords    = 400  // approximate maximum number of words per line in a comparison by word
	// twoColumns is the minimum width of a two-column diff. It leaves five cells of a 140-cell
	// terminal for the margin and the scroll bar.
	twoColumns = 135
)

// diffLine is a line of a diff.
type diffLine struct {
	sign     byte // '+', '-' or ' '; '@' for a hunk header; 0 for other text
	text     string
	old, new int // line numbers; 0 means none
	spans    Line
}

// DiffRows lays out a unified diff in rows of at most width cells. The result contains no terminal
// control sequences.
func DiffRows(text string, width int) []Line { return diffRows(safe(text), max(width, 1)) }

// ChangedWords returns the lines of a unified diff, without terminal control sequences. Changed
// words have the roles [AddedWord] and [RemovedWord].
func ChangedWords(text string) []Line {
	lines := readDiff(safe(text))
	plainSpans(lines)
	markWords(lines)
	rows := make([]Line, len(lines))
	for i, line := range lines {
		sign := ""
		if line.sign == '+' || line.sign == '-' || line.sign == ' ' {
			sign = string(line.sign)
		}
		rows[i] = append(Line{{Role: line.role(), Text: sign}}, line.spans...)
	}
	return rows
}

func diffRows(text string, width int) []Line {
	lines := readDiff(text)
	if len(lines) <= mostColoured {
		colour(lines)
	} else {
		plainSpans(lines)
	}
	markWords(lines)
	lines = shortenHeads(lines)
	digits := 1
	for _, line := range lines {
		digits = max(digits, len(strconv.Itoa(max(line.old, line.new))))
	}
	if width >= twoColumns {
		return besideRows(lines, width, digits)
	}
	var rows []Line
	for _, line := range lines {
		rows = append(rows, line.rows(width, digits)...)
	}
	return rows
}

// colour adds syntax colors for the language of the file. It reads the old side of a hunk as one
// text, and the new side as another.
func colour(lines []diffLine) {
	plainSpans(lines)
	language := ""
	for i := 0; i < len(lines); i++ {
		if name, ok := strings.CutPrefix(lines[i].text, "+++ "); ok && lines[i].sign == 0 {
			name, _, _ = strings.Cut(name, "\t")
			language = strings.TrimPrefix(path.Ext(name), ".")
		}
		end := i + 1
		if lines[i].sign != '@' || language == "" {
			continue
		}
		for end < len(lines) && lines[end].sign != 0 && lines[end].sign != '@' {
			end++
		}
		colourSide(lines[i+1:end], '+', language)
		colourSide(lines[i+1:end], '-', language)
		i = end - 1
	}
}

// colourSide adds syntax colors to one side of a diff: the lines with the given sign, and the
// unchanged lines.
func colourSide(lines []diffLine, sign byte, language string) {
	code := highlight.New(language)
	if !code.Known() {
		return
	}
	var side []int
	for i := range lines {
		if lines[i].sign == sign || lines[i].sign == ' ' {
			side = append(side, i)
			code.Add(lines[i].text)
		}
	}
	coloured := append(code.Settle(), code.Rest()...)
	for at, tokens := range coloured[:min(len(coloured), len(side))] {
		line := &lines[side[at]]
		line.spans = line.spans[:0]
		for _, token := range tokens {
			role := cmp.Or(codeRoles[token.Kind], line.role())
			line.spans = append(line.spans, Span{Role: role, Text: token.Text})
		}
	}
}

func plainSpans(lines []diffLine) {
	for i := range lines {
		lines[i].spans = Line{{Role: lines[i].role(), Text: lines[i].text}}
	}
}

func (l *diffLine) role() Role {
	switch {
	case l.sign == '+':
		return Added
	case l.sign == '-':
		return Removed
	case l.sign == '@':
		return Hunk
	case l.sign == 0 && (strings.HasPrefix(l.text, "+++ ") || strings.HasPrefix(l.text, "--- ")):
		return Strong
	}
	return Plain
}

// rows lays out a line of a one-column diff.
func (l *diffLine) rows(width, digits int) []Line {
	if l.sign == 0 || l.sign == '@' {
		return Fold(l.spans, width)
	}
	margin := Line{{Role: Faint, Part: Margin, Text: number(l.old, digits) + " " + number(l.new, digits) + " "}, {Role: l.role(), Part: Margin, Text: string(l.sign) + " "}}
	return l.withMargin(margin, width, true)
}

func (l *diffLine) withMargin(margin Line, width int, grounds bool) []Line {
	indent := margin.Width()
	rows := Fold(l.spans, max(width-indent, 1))
	for i := range rows {
		begin := margin
		if i > 0 {
			begin = Line{{Role: Plain, Part: Margin, Text: strings.Repeat(" ", indent)}}
		}
		switch {
		case grounds && l.sign == '+':
			begin = append(Line{{Role: AddedGround, Text: ""}}, begin...)
		case grounds && l.sign == '-':
			begin = append(Line{{Role: RemovedGround, Text: ""}}, begin...)
		}
		rows[i] = append(begin[:len(begin):len(begin)], rows[i]...)
	}
	return rows
}

func number(of, digits int) string {
	if of == 0 {
		return strings.Repeat(" ", digits)
	}
	return fmt.Sprintf("%*d", digits, of)
}

// besideRows lays out a diff in two columns, with removed lines to the left of the lines that
// replaced them.
func besideRows(lines []diffLine, width, digits int) []Line {
	half := (width - 3) / 2
	side := func(line *diffLine, number string) []Line {
		if line == nil {
			return nil
		}
		return line.withMargin(Line{{Role: Faint, Part: Margin, Text: number + " "}, {Role: line.role(), Part: Margin, Text: string(line.sign) + " "}}, half, true)
	}
	var rows []Line
	for i := 0; i < len(lines); i++ {
		line := &lines[i]
		switch line.sign {
		case 0, '@':
			rows = append(rows, Fold(line.spans, width)...)
			continue
		case ' ':
			rows = append(rows, joinColumns(side(line, number(line.old, digits)), side(line, number(line.new, digits)), half)...)
			continue
		}
		went, came := changeSize(lines, i)
		for at := range max(went, came) {
			var left, right []Line
			if at < went {
				left = side(&lines[i+at], number(lines[i+at].old, digits))
			}
			if at < came {
				right = side(&lines[i+went+at], number(lines[i+went+at].new, digits))
			}
			rows = append(rows, joinColumns(left, right, half)...)
		}
		i += went + came - 1
	}
	return rows
}

// changeSize counts the consecutive removed lines that begin at index i, and the added lines
// directly after them.
func changeSize(lines []diffLine, i int) (went, came int) {
	for i+went < len(lines) && lines[i+went].sign == '-' {
		went++
	}
	for i+went+came < len(lines) && lines[i+went+came].sign == '+' {
		came++
	}
	return went, came
}

func joinColumns(left, right []Line, half int) []Line {
	rows := make([]Line, max(len(left), len(right)))
	for i := range rows {
		if i < len(left) {
			rows[i] = append(rows[i], left[i]...)
		}
		rows[i] = append(rows[i], pad(half-rows[i].Width())...)
		rows[i] = append(rows[i], Span{Role: NoGround, Text: ""}, Span{Role: Faint, Part: Side, Text: " │ "})
		if i < len(right) {
			rows[i] = append(rows[i], right[i]...)
		}
	}
	return rows
}
