package patch

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marvin/messages/lists"
)

// Apply applies the hunks of a section to the content of a file. The hunks must be in the order in
// which they occur in the file.
func Apply(content []byte, hunks []Hunk) (Result, error) {
	for _, hunk := range hunks {
		if err := checkEncoding(content, hunk.text('+')); err != nil {
			return Result{}, err
		}
	}
	d := split(content)
	lines, out := d.texts(), []line(nil)
	result := Result{Hunks: len(hunks)}
	done := 0
	for i, hunk := range hunks {
		at, hunk, err := hunk.locate(lines, done)
		if err != nil {
			return Result{}, fmt.Errorf("hunk %d (line %d of the patch): %w", i+1, hunk.Line, err)
		}
		out = append(out, d.lines[done:at]...)
		old := hunk.oldLines()
		move, _ := shiftOf(lines[at:at+len(old)], old, hunk.added())
		result.mend(describeDifferences(lines[at:at+len(old)], old))
		for _, l := range hunk.Lines {
			switch l.Kind {
			case ' ':
				out = append(out, d.lines[at]) // the bytes of the file, not of the patch
				at++
			case '-':
				result.first(len(out))
				at++
			case '+':
				result.first(len(out))
				out = append(out, line{move.line(l.Text), d.endAt(at)})
			}
		}
		done = at
	}
	result.Content = d.join(append(out, d.lines[done:]...))
	if last := hunks[len(hunks)-1:]; len(last) > 0 && done == len(d.lines) {
		result.Content = last[0].fixEnd(result.Content)
	}
	return result, nil
}

// fixEnd adds or removes the newline at the end of the file. It changes nothing if the hunk has no
// "\ No newline at end of file" line.
func (h Hunk) fixEnd(content []byte) []byte {
	said, open := false, false
	for _, l := range h.Lines {
		said = said || l.open
		if l.Kind != '-' && (!l.bare || l.open) { // a bare line could be a separator after the hunk
			open = l.open
		}
	}
	switch {
	case !said:
	case open:
		return bytes.TrimSuffix(bytes.TrimSuffix(content, []byte("\n")), []byte("\r"))
	case len(content) > 0 && !bytes.HasSuffix(content, []byte("\n")):
		if bytes.Contains(content, []byte("\r\n")) {
			return append(content, "\r\n"...)
		}
		return append(content, '\n')
	}
	return content
}

func (r *Result) first(index int) {
	r.Line = cmp.Or(r.Line, index+1)
}

// locate searches lines from start on, and returns the index at which h fits. If h fits at several
// indexes, h.At must select one of them. The blank lines at the end of h can be mere separators. If
// h fits only without these blank lines, the returned hunk lacks them.
func (h Hunk) locate(lines []string, start int) (int, Hunk, error) {
	for _, hunk := range []Hunk{h, h.withoutBlankEnd()} {
		at, err := hunk.possibleStarts(lines, start)
		if err != nil {
			return 0, h, err
		}
		switch {
		case len(at) == 1:
			return at[0], hunk, nil
		case len(at) > 1 && h.At != nil && slices.Contains(at, *h.At-1):
			return *h.At - 1, hunk, nil
		case len(at) > 1:
			return 0, h, fmt.Errorf("%w: at %s. Add lines of context, or an @@ line that names the function around the change.\n%s", ErrAmbiguous, lineNumbers(plusOne(at)), choices(lines, at))
		}
	}
	return 0, h, h.explain(lines, start)
}

// possibleStarts returns the indexes of the lines at which the hunk may begin.
func (h Hunk) possibleStarts(lines []string, start int) ([]int, error) {
	old := h.oldLines()
	if h.EndOfFile {
		at := len(lines) - len(old)
		if at >= start && len(findPlaces(lines[at:], old, 0)) > 0 {
			return []int{at}, nil
		}
		return nil, nil
	}
	if len(old) == 0 && len(lines) == 0 {
		return []int{0}, nil
	}
	if len(h.Anchors) == 0 {
		if len(old) == 0 {
			return h.addition(len(lines), start)
		}
		return findPlaces(lines, old, start), nil
	}
	anchors, err := h.anchors(lines, start)
	if err != nil {
		return nil, err
	}
	var found []int
	for _, anchor := range anchors {
		next := []int{anchor + 1}
		if len(old) > 0 {
			// The hunk's first line can repeat the anchor, so the search begins at the anchor.
			next = findPlaces(lines, old, anchor)
		}
		if len(next) > 0 && !slices.Contains(found, next[0]) {
			found = append(found, next[0])
		}
	}
	return found, nil
}

// addition returns the index at which a hunk without old lines is inserted. If h.At is nil, this
// index is the end of the file. Codex does the same, and models expect that.
func (h Hunk) addition(total, start int) ([]int, error) {
	if h.At == nil {
		return []int{total}, nil
	}
	if *h.At < start || *h.At > total {
		return nil, fmt.Errorf("%w: it adds lines after line %d, but the file has only %d lines. Add lines of context", errPlace, *h.At, total)
	}
	return []int{*h.At}, nil
}

// anchors returns the indexes of the lines that match the innermost anchor. Each match of an outer
// anchor contributes only the first match of the next anchor below it.
func (h Hunk) anchors(lines []string, start int) ([]int, error) {
	at := anchorPlaces(lines, h.Anchors[0], start)
	if len(at) > maxPlaces {
		return nil, fmt.Errorf("%w: the line after @@ (%s) occurs %d times in the file. Instead, write after @@ the line that begins the function or class", ErrAmbiguous, clip(h.Anchors[0]), len(at))
	}
	for _, inner := range h.Anchors[1:] {
		var next []int
		for _, outer := range at {
			if found := anchorPlaces(lines, inner, outer+1); len(found) > 0 {
				next = append(next, found[0])
			}
		}
		at = slices.Compact(next)
	}
	if len(at) == 0 {
		return nil, &miss{
			reason: fmt.Errorf("%w: the line after @@ (%s) does not occur in the file after the previous hunk", ErrNoMatch, clip(strings.Join(h.Anchors, " @@ "))),
			hint:   nearest(lines, h.Anchors[len(h.Anchors)-1:]),
		}
	}
	return at, nil
}

// anchorPlaces works like [indexesFrom] for a single line. If no line matches, anchorPlaces ignores
// indentation, because models often leave it out in @@ lines.
func anchorPlaces(lines []string, anchor string, start int) []int {
	if found := indexesFrom(lines, []string{anchor}, start); len(found) > 0 {
		return found
	}
	var found []int
	for i := start; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == strings.TrimSpace(anchor) {
			found = append(found, i)
		}
	}
	return found
}

// explain returns an error that says why a hunk fits nowhere.
func (h Hunk) explain(lines []string, start int) error {
	old := h.oldLines()
	if start > 0 {
		if before := indexesFrom(lines[:start], old, 0); len(before) > 0 {
			return fmt.Errorf("%w after the previous hunk; the text is at %s. Put the hunks in order from top to bottom, without overlap", ErrNoMatch, lineNumbers(plusOne(before)))
		}
	}
	if anywhere := indexesFrom(lines, old, start); len(anywhere) > 0 {
		if h.EndOfFile {
			return fmt.Errorf("%w at the end of the file; the text is at %s. Leave out *** End of File", ErrNoMatch, lineNumbers(plusOne(anywhere)))
		}
		return fmt.Errorf("%w after the line that @@ names; the text is at %s", ErrNoMatch, lineNumbers(plusOne(anywhere)))
	}
	return &miss{reason: ErrNoMatch, hint: explain(strings.Join(lines, "\n"), strings.Join(old, "\n"), strings.TrimSuffix(h.text('+'), "\n"))}
}

// oldLines returns the lines that the hunk expects in the file.
func (h Hunk) oldLines() []string {
	var old []string
	for _, l := range h.Lines {
		if l.Kind != '+' {
			old = append(old, l.Text)
		}
	}
	return old
}

func (h Hunk) added() []string {
	return strings.Split(strings.TrimSuffix(h.text('+'), "\n"), "\n")
}

// choices shows up to five lines at which an ambiguous edit matches, each with its previous line.
func choices(lines []string, at []int) string {
	shown := lists.Map(at[:min(len(at), 5)], func(index int) string { return rows(lines, max(index-1, 0), min(index, 1)+1) })
	return "They are:\n" + strings.Join(shown, "\n")
}

func (h Hunk) text(kind byte) string {
	var out strings.Builder
	for _, l := range h.Lines {
		if l.Kind == kind {
			out.WriteString(l.Text + "\n")
		}
	}
	return out.String()
}

func (h Hunk) withoutBlankEnd() Hunk {
	n := len(h.Lines)
	for n > 0 && h.Lines[n-1].bare {
		n--
	}
	h.Lines = h.Lines[:n]
	return h
}

func plusOne(indexes []int) []int {
	return lists.Map(indexes, func(index int) int { return index + 1 })
}
