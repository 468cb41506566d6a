package view

import "strings"

// Find goes to the next row that contains text, upwards (step -1) or downwards (1)
// from a row that was found before or from the screen, and says whether there is one.
// What is folded is unfolded for it.
func (w *Window) Find(text string, step int, again bool) bool {
	if text == "" || len(w.blocks) == 0 {
		return false
	}
	at := w.start()
	if len(w.rows) > 0 {
		at = w.rows[len(w.rows)-1]
	}
	if again && w.found.block < len(w.blocks) {
		at = w.found
		at.line += step
	}
	for n := 0; n <= len(w.blocks); n++ {
		if hit, ok := w.findIn(at, text, step); ok {
			w.found = hit
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

// findIn looks through a block, from a line on.
func (w *Window) findIn(from anchor, text string, step int) (anchor, bool) {
	block := w.blocks[from.block]
	if at, _ := IndexFold(block.text.String()+"\n"+block.Tool.Name+" "+block.Tool.Title, text); at < 0 {
		return anchor{}, false
	}
	if block.Foldable() && !w.open(block) {
		block.fold = opened
	}
	lines := w.lines(from.block)
	line := from.line
	if step < 0 {
		line = min(line, len(lines)-1)
	}
	for ; line >= 0 && line < len(lines); line += step {
		if at, _ := IndexFold(lines[line].String(), text); at >= 0 {
			return anchor{from.block, line}, true
		}
	}
	return anchor{}, false
}

// IndexFold is where text stands in a line, in upper or lower case, and how many bytes
// of the line it is; -1 if it does not.
func IndexFold(line, text string) (at, length int) {
	lower, wanted := strings.ToLower(line), strings.ToLower(text)
	if len(lower) == len(line) {
		return strings.Index(lower, wanted), len(wanted)
	}
	runes := len([]rune(text)) // a letter such as İ has another length in lower case
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

// Mark shows where text stands in a line.
func Mark(line Line, text string) Line {
	if text == "" {
		return line
	}
	whole := line.String()
	at, length := IndexFold(whole, text)
	if at < 0 {
		return line
	}
	var marked Line
	offset := 0
	for _, span := range line {
		for rest := span.Text; rest != ""; {
			for at >= 0 && offset >= at+length {
				next, size := IndexFold(whole[offset:], text)
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
			marked = append(marked, Span{role, rest[:take]})
			rest, offset = rest[take:], offset+take
		}
	}
	return marked
}
