package coding

import (
	"fmt"
	"strings"

	"marvin/tools"
)

// matches is the result of a search. The lines are sorted by file and line number.
type matches struct {
	context, limit int
	show           string         // "lines", "files" or "counts"
	counts         map[string]int // number of matching lines per file; nil if the lines themselves are shown

	lines []line
	count int
	more  bool // there are matches beyond the limit
}

// line is one line of a file: either a match, or part of the context of a match.
type line struct {
	path   string
	number int
	match  bool
	text   string
}

// add appends a line to m.lines. For a match beyond the limit, add sets m.more and returns false.
func (m *matches) add(next line) (more bool) {
	if m.counts != nil && next.match {
		if m.counts[next.path]++; m.counts[next.path] > 1 {
			return true // only the first matching line of each file is stored
		}
	}
	if next.match {
		if m.count == m.limit {
			m.more = true
			return false
		}
		m.count++
	}
	next.text = shownLine(next.text)
	m.lines = append(m.lines, next)
	return true
}

func shownLine(text string) string {
	if len(text) > lineLimit {
		text = text[:lineLimit] + " [… long line]"
	}
	return strings.ToValidUTF8(strings.TrimRight(text, "\r\n"), "�")
}

// addVerified adds a line that [search.verify] has checked. m.counts already includes the line.
func (m *matches) addVerified(again line) {
	if m.counts == nil {
		m.add(again)
		return
	}
	m.lines, m.count = append(m.lines, again), m.count+1
}

// files returns the names of the files that have matches. If show is "counts", it also returns the
// number of matching lines in each file.
func (m *matches) files() string {
	var text strings.Builder
	for _, line := range m.lines {
		if m.show == "counts" {
			fmt.Fprintf(&text, "%5d  ", m.counts[line.path])
		}
		text.WriteString(visibleName(line.path) + "\n")
	}
	if m.more {
		fmt.Fprintf(&text, "[%s; there are more: narrow the pattern, path or glob_filter, or raise max_results]\n", firstPhrase(m.count, "file", "files"))
	}
	return text.String()
}

// String formats blocks of consecutive lines. The header of each block is the file name and the
// number of the first matching line.
func (m *matches) String() string {
	if m.counts != nil {
		return m.files()
	}
	var text strings.Builder
	for begin := 0; begin < len(m.lines); {
		end := begin + 1
		for end < len(m.lines) && m.lines[end].path == m.lines[begin].path && m.lines[end].number == m.lines[end-1].number+1 {
			end++
		}
		m.block(&text, m.lines[begin:end])
		begin = end
	}
	if m.more {
		fmt.Fprintf(&text, "[%s; there are more: narrow the pattern, path or glob_filter, or raise max_results]\n", firstPhrase(m.count, "match", "matches"))
	}
	return text.String()
}

func (m *matches) block(text *strings.Builder, lines []line) {
	first, last := -1, -1
	for i, line := range lines {
		if line.match {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return // the block has only context lines; its match is beyond the limit
	}
	if text.Len() > 0 {
		text.WriteByte('\n')
	}
	fmt.Fprintf(text, "%s:%d\n", visibleName(lines[first].path), lines[first].number)
	for _, line := range lines[:min(len(lines), last+m.context+1)] {
		mark := ' '
		if line.match {
			mark = '>'
		}
		fmt.Fprintf(text, "%c %4d  %s\n", mark, line.number, line.text)
	}
}

// visibleName returns a file name on one line, with invisible characters made visible.
func visibleName(name string) string {
	return tools.Visible(oneLine.Replace(name))
}

var oneLine = strings.NewReplacer("\n", `\n`, "\t", `\t`)

func firstPhrase(n int, one, many string) string {
	if n == 1 {
		return "the first " + one
	}
	return fmt.Sprintf("the first %d %s", n, many)
}
