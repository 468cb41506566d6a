package view

import (
	"strings"

	"marvin/ui/internal/highlight"
)

// fenced is a code block that can still grow.
type fenced struct {
	width    int
	mark     string // the opening fence
	indent   int
	language string
	code     *highlight.Code
	opened   bool
}

func openFence(text string, width int) *fenced {
	line, _, _ := strings.Cut(text, "\n")
	trimmed := strings.TrimLeft(line, " ")
	f := &fenced{width: width, indent: len(line) - len(trimmed)}
	info := strings.TrimLeft(trimmed, trimmed[:1])
	f.mark, f.language = trimmed[:len(trimmed)-len(info)], strings.TrimSpace(info)
	f.code = highlight.New(f.language)
	return f
}

// readLines reads complete lines up to the closing fence.
func (f *fenced) readLines(text string) (rows []Line, used int, closed bool) {
	for used < len(text) && !closed {
		line, _, _ := strings.Cut(text[used:], "\n")
		used += len(line) + 1
		switch {
		case !f.opened:
			f.opened = true
			rows = append(rows, codeBegins(f.language, f.width)...)
		case f.closes(line):
			closed = true
		default:
			f.code.Add(f.dedent(line))
		}
	}
	rows = append(rows, codeRows(f.code.Settle(), f.code.Known(), f.width)...)
	if closed {
		rows = append(rows, codeRows(f.code.Rest(), f.code.Known(), f.width)...)
		rows = append(rows, codeEnds())
	}
	return rows, used, closed
}

// openRows returns the rows of the unfinished part of the code: the lines whose colors can still
// change, and the incomplete line.
func (f *fenced) openRows(partial string) []Line {
	if !f.opened {
		return codeBegins(f.language, f.width)
	}
	if f.closes(partial) { // many answers end without a line break
		return append(codeRows(f.code.Rest(), f.code.Known(), f.width), codeEnds())
	}
	if partial == "" {
		return codeRows(f.code.Rest(), f.code.Known(), f.width)
	}
	return codeRows(f.code.Open(f.dedent(partial)), f.code.Known(), f.width)
}

// codeBegins returns the rows that replace the opening fence.
func codeBegins(language string, width int) []Line {
	rows := Fold(Line{{Role: Faint, Text: strings.TrimRight("╭╴"+language, " ")}}, width)
	for _, row := range rows {
		row[0].Part = Frame
	}
	return withGround(Ground, rows)
}

func codeEnds() Line {
	return Line{{Role: Ground, Text: ""}, {Role: Faint, Part: Frame, Text: "╰╴"}}
}

// withGround gives rows a background role.
func withGround(role Role, rows []Line) []Line {
	for i := range rows {
		rows[i] = append(Line{{Role: role, Text: ""}}, rows[i]...)
	}
	return rows
}

func (f *fenced) closes(line string) bool {
	trimmed := strings.TrimLeft(line, " ")
	return len(line)-len(trimmed) < 4 && strings.HasPrefix(trimmed, f.mark) && strings.Trim(trimmed, f.mark[:1]+" \t") == "" &&
		!strings.Contains(strings.TrimRight(trimmed, " \t"), " ")
}

func (f *fenced) dedent(line string) string {
	for range f.indent {
		line = strings.TrimPrefix(line, " ")
	}
	return line
}

// codeRows lays out code. A long line continues in the next row.
func codeRows(lines [][]highlight.Token, known bool, width int) []Line {
	var rows []Line
	for _, tokens := range lines {
		line := make(Line, 0, len(tokens))
		for _, token := range tokens {
			role := Code
			if known {
				role = codeRoles[token.Kind]
			}
			line = append(line, Span{Role: role, Text: token.Text})
		}
		rows = append(rows, withGround(Ground, Fold(line, width))...)
	}
	return rows
}

var codeRoles = [...]Role{
	highlight.Plain: Plain, highlight.Keyword: Keyword, highlight.Name: Name, highlight.String: Quoted,
	highlight.Number: Number, highlight.Comment: Comment, highlight.Added: Added, highlight.Removed: Removed, highlight.Hunk: Hunk,
}
