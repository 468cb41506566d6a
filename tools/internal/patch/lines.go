package patch

import (
	"strings"

	"marvin/tools/internal/text"
)

// document is a text as lines that remember how they end.
type document struct {
	bom   string
	lines []line
	usual string // how most lines end
}

type line struct {
	text, end string // end is "\n", "\r\n", or "" for a last line without newline
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

// join puts lines in place of the document's. Only the last line may end without
// a newline; it does if the document did.
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

// endAt is how a line that is put before index i should end: as its neighbour.
func (d *document) endAt(i int) string {
	for _, near := range []int{i - 1, i} {
		if near >= 0 && near < len(d.lines) && d.lines[near].end != "" {
			return d.lines[near].end
		}
	}
	return d.usual
}

// texts are the lines without their endings.
func (d *document) texts() []string {
	texts := make([]string, len(d.lines))
	for i, l := range d.lines {
		texts[i] = l.text
	}
	return texts
}

// places returns every index from start on where wanted occurs: exactly, or else
// without regard to white space at line ends.
func places(lines, wanted []string, start int) []int {
	for _, same := range []func(a, b string) bool{equal, equalTrimmed} {
		var found []int
		for i := start; i+len(wanted) <= len(lines); i++ {
			if matches(lines[i:], wanted, same) {
				found = append(found, i)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func matches(lines, wanted []string, same func(a, b string) bool) bool {
	if len(lines) < len(wanted) {
		return false
	}
	for i, want := range wanted {
		if !same(lines[i], want) {
			return false
		}
	}
	return true
}

func equal(a, b string) bool { return a == b }

func equalTrimmed(a, b string) bool {
	return strings.TrimRight(a, " \t\r") == strings.TrimRight(b, " \t\r")
}
