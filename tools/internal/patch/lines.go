package patch

import (
	"slices"
	"strings"

	"marvin/messages/lists"
	"marvin/tools/internal/text"
)

// document holds the lines of a file with their line endings.
type document struct {
	bom   string
	lines []line
	usual string // the most frequent line ending
}

type line struct {
	text, end string // end is "\n" or "\r\n"; "" is possible only in the last line
}

func split(content []byte) *document {
	body, marked := strings.CutPrefix(string(content), text.BOM)
	d := &document{usual: text.Ending(body)}
	if marked {
		d.bom = text.BOM
	}
	for whole := range strings.Lines(body) {
		d.lines = append(d.lines, cutEnd(whole))
	}
	return d
}

func cutEnd(whole string) line {
	for _, end := range []string{"\r\n", "\n"} {
		if body, ok := strings.CutSuffix(whole, end); ok {
			return line{body, end}
		}
	}
	return line{whole, ""}
}

// join returns d's byte order mark and the given lines. If the last line of d has no newline, the
// result ends without a newline.
func (d *document) join(lines []line) []byte {
	open := len(d.lines) > 0 && d.lines[len(d.lines)-1].end == ""
	var out strings.Builder
	out.WriteString(d.bom)
	for i, l := range lines {
		out.WriteString(l.text)
		last := i == len(lines)-1
		switch {
		case last && open:
		case l.end == "":
			out.WriteString(d.usual)
		default:
			out.WriteString(l.end)
		}
	}
	return []byte(out.String())
}

// endAt returns the ending for a line inserted before index i: a neighboring line's ending, or
// d.usual if no neighboring line has one.
func (d *document) endAt(i int) string {
	for _, near := range []int{i - 1, i} {
		if near >= 0 && near < len(d.lines) && d.lines[near].end != "" {
			return d.lines[near].end
		}
	}
	return d.usual
}

func (d *document) texts() []string {
	return lists.Map(d.lines, func(l line) string { return l.text })
}

// indexesFrom returns every index at which the wanted lines occur. It searches only lines[start:],
// but the indexes count from lines[0]. It compares the lines exactly or, if that finds nothing,
// without regard to white space at line ends.
func indexesFrom(lines, wanted []string, start int) []int {
	for _, key := range []func(string) string{exact, trimmed} {
		if found := occurrences(lines[start:], wanted, key); len(found) > 0 {
			for i := range found {
				found[i] += start
			}
			return found
		}
	}
	return nil
}

// occurrences returns every index at which the wanted lines occur. Two lines are equal if their
// keys are equal. The keys are computed only once, so that the search is fast in a long file.
func occurrences(lines, wanted []string, key func(string) string) []int {
	have, want := keys(lines, key), keys(wanted, key)
	var found []int
	for i := 0; i+len(want) <= len(have); i++ {
		if slices.Equal(have[i:i+len(want)], want) {
			found = append(found, i)
		}
	}
	return found
}

func keys(lines []string, key func(string) string) []string {
	return lists.Map(lines, key)
}

func exact(line string) string { return line }

func trimmed(line string) string { return strings.TrimRight(line, " \t\r") }
