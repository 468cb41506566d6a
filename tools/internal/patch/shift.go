package patch

import (
	"slices"
	"strings"
)

// shift adapts an edit's indentation to the file. It replaces tabs with spaces or spaces with tabs,
// and then adds or removes a constant indentation on every line.
type shift struct {
	from, to string // the edit's and the file's unit of indentation; "" for no replacement
	add, cut string
}

func (s shift) line(line string) string {
	if strings.TrimSpace(line) == "" {
		return line
	}
	indent := indentation(line)
	body := line[len(indent):]
	if s.from != "" {
		indent = strings.ReplaceAll(indent, s.from, s.to)
	}
	return s.add + strings.TrimPrefix(indent, s.cut) + body
}

// shiftOf finds the shift that gives the expected lines the indentation of the file's lines. The
// added lines also show how the edit is indented.
func shiftOf(have, wanted, added []string) (shift, bool) {
	steps := []shift{{}}
	tabs := usesIndent(have, "\t")
	edit := append(append([]string{}, wanted...), added...)
	if tabs && !usesIndent(edit, "\t") {
		for _, width := range []int{narrowest(edit), 4, 2, 8} {
			steps = append(steps, shift{from: strings.Repeat(" ", width), to: "\t"})
		}
		steps = append(steps[1:], steps[0])
	}
	if !tabs && usesIndent(edit, "\t") {
		for _, width := range []int{4, 2, 8} {
			steps = append(steps, shift{from: "\t", to: strings.Repeat(" ", width)})
		}
	}
	for _, step := range steps {
		if fitted, ok := step.fit(have, wanted); ok {
			return fitted, true
		}
	}
	return shift{}, false
}

// fit computes a shift that gives the first nonblank wanted line the file's indentation. The bool
// reports whether the shift suits all wanted lines.
func (s shift) fit(have, wanted []string) (shift, bool) {
	first := true
	for i, line := range wanted {
		if strings.TrimSpace(line) == "" {
			continue
		}
		there, now := indentation(have[i]), indentation(s.line(line))
		if first {
			first = false
			if add, ok := strings.CutSuffix(there, now); ok {
				s.add = add
			} else if cut, ok := strings.CutSuffix(now, there); ok {
				s.cut = cut
			}
			now = indentation(s.line(line))
		}
		if now != there {
			return s, false
		}
	}
	return s, true
}

func usesIndent(lines []string, sign string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(indentation(line), sign) })
}

// narrowest returns the smallest indentation of two or more spaces, or 4 if there is none.
func narrowest(lines []string) int {
	least := 0
	for _, line := range lines {
		if width := len(indentation(line)); width > 1 && (least == 0 || width < least) {
			least = width
		}
	}
	if least == 0 {
		return 4
	}
	return least
}
