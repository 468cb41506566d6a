package view

import "strings"

// finder is the state of a search through the transcript.
type finder struct {
	origin anchor // where the search started
	found  anchor
	block  *Block // block that was unfolded to show the match
	fold   fold   // value of block.fold before the search
}

// BeginFind starts a search at the last visible row.
func (w *Window) BeginFind() {
	w.finder = finder{}
	if len(w.rows) > 0 {
		w.finder.origin = w.rows[len(w.rows)-1]
		if w.blocks[w.finder.origin.block].Foldable() {
			// Begin at the end of the block, so that an upward search includes the folded rows.
			w.finder.origin.line = 1 << 30
		}
	}
}

// Find moves to the next row that contains the search text, and reports whether it found a row. It
// searches upward if step is -1, and downward if step is 1. The search continues from the last
// match if fromMatch is true, and begins at the origin set by [Window.BeginFind] otherwise. A
// folded block that contains the row is unfolded until the next call.
func (w *Window) Find(text string, step int, fromMatch bool) bool {
	if text == "" || len(w.blocks) == 0 {
		return false
	}
	if w.finder.block != nil {
		w.finder.block.fold, w.finder.block = w.finder.fold, nil
	}
	at := w.finder.origin
	if fromMatch {
		at = w.finder.found
		at.line += step
	}
	at.block = min(at.block, len(w.blocks)-1)
	for n := 0; n <= len(w.blocks); n++ {
		if hit, ok := w.findIn(at, text, step); ok {
			w.finder.found = hit
			w.reveal(hit, 1)
			return true
		}
		at.block += step
		switch {
		case at.block < 0:
			at.block = len(w.blocks) - 1
		case at.block >= len(w.blocks):
			at.block = 0
		}
		at.line = 0
		if step < 0 {
			at.line = 1 << 30
		}
	}
	return false
}

// mostFound is the maximum number of counted matches.
const mostFound = 1000

// Count returns the position of the current match among all matches, counted from 1, and the total
// number of matches. A match is a row that contains the text. A block that contains the text counts
// as at least one match, even when folded. Only blocks that contain the text are laid out. After
// [mostFound] matches, the remaining blocks are skipped.
func (w *Window) Count(text string) (at, all int) {
	for i, block := range w.blocks {
		if all >= mostFound {
			break
		}
		if !w.contains(block, text) {
			continue
		}
		before := all
		for line, row := range w.lines(i) {
			if found, _ := indexFold(row.String(), text); found >= 0 {
				all++
				if i == w.finder.found.block && line == w.finder.found.line {
					at = all
				}
			}
		}
		all = max(all, before+1)
	}
	return at, all
}

func (w *Window) contains(block *Block, text string) bool {
	said := block.text.String()
	if block.Tool != nil {
		said += "\n" + block.Tool.Name + " " + block.Tool.Title
	}
	at, _ := indexFold(said, text)
	return at >= 0
}

// findIn searches a block, beginning at a line.
func (w *Window) findIn(from anchor, text string, step int) (anchor, bool) {
	block := w.blocks[from.block]
	if !w.contains(block, text) {
		return anchor{}, false
	}
	if block.Foldable() && !w.open(block) {
		w.finder.block, w.finder.fold, block.fold = block, block.fold, opened
	}
	lines := w.lines(from.block)
	line := from.line
	if step < 0 {
		line = min(line, len(lines)-1)
	}
	for ; line >= 0 && line < len(lines); line += step {
		if at, _ := indexFold(lines[line].String(), text); at >= 0 {
			return anchor{from.block, line}, true
		}
	}
	if w.finder.block == block {
		block.fold, w.finder.block = w.finder.fold, nil
	}
	return anchor{}, false
}

// indexFold finds text in a line, ignoring case. It returns the position and length of the match in
// bytes, or a position of -1 if there is no match.
func indexFold(line, text string) (at, length int) {
	lower, wanted := strings.ToLower(line), strings.ToLower(text)
	if len(lower) == len(line) {
		return strings.Index(lower, wanted), len(wanted)
	}
	// Converting a letter such as İ to lower case changes its length in bytes.
	runes := len([]rune(text))
	for i := range line {
		end, n := i, 0
		for j := range line[i:] {
			if n == runes {
				end = i + j
				break
			}
			n++
			end = len(line)
		}
		if n == runes && strings.EqualFold(line[i:end], text) {
			return i, end - i
		}
	}
	return -1, 0
}

// Mark gives the role [Found] to each match of a search text. The comparison ignores case.
func Mark(line Line, text string) Line {
	if text == "" {
		return line
	}
	whole := line.String()
	at, length := indexFold(whole, text)
	if at < 0 {
		return line
	}
	var marked Line
	offset := 0
	for _, span := range line {
		for rest := span.Text; rest != ""; {
			for at >= 0 && offset >= at+length {
				next, size := indexFold(whole[offset:], text)
				if at, length = -1, size; next >= 0 {
					at = offset + next
				}
			}
			take, role := len(rest), span.Role
			switch {
			case at < 0 || offset+len(rest) <= at:
			case offset < at:
				take = at - offset
			default:
				take, role = min(len(rest), at+length-offset), Found
			}
			marked = append(marked, Span{Role: role, Text: rest[:take], Address: span.Address})
			rest, offset = rest[take:], offset+take
		}
	}
	return marked
}
