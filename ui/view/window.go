package view

import "time"

// Window is the visible part of the transcript. Its position is a line, not a distance from the
// end, so the text that the user reads stays in place when text is added or the width changes.
// Blocks are laid out only when they are needed.
type Window struct {
	Results  bool // tool results are unfolded
	Thoughts bool // thinking is unfolded
	shut     bool // the user folded all results, even those that are unfolded by default

	// Room returns the number of rows for a picture of the given size in pixels, or 0 if there is no
	// room. Room is nil if pictures are not drawn.
	Room func(width, height int) int

	away   bool   // whether the window stays in place when new text arrives
	top    anchor // the first visible row; valid only if away is true
	seen   anchor // the end of the transcript when the user scrolled away
	blocks []*Block
	width  int
	height int
	now    time.Time
	rows   []anchor // the line that each row of the screen shows
	laid   []*Block // blocks with a layout
	focus  *Block   // the block with the keyboard focus, or nil
	finder finder

	grabbed bool // the user is selecting text with the mouse, so the screen must not change
}

// kept is the maximum number of blocks outside the window that keep a layout in memory. A layout
// takes ten times as much memory as the text.
const kept = 200

// anchor is a line of a block.
type anchor struct{ block, line int }

// Show updates the window's content and size, and returns the visible rows. A short transcript does
// not fill the window.
func (w *Window) Show(blocks []*Block, width, height int, now time.Time) []Line {
	before, was := w.width, 0
	if before != width && w.away && w.seen.block < len(w.blocks) {
		was = len(w.lines(w.seen.block))
	}
	w.blocks, w.width, w.height, w.now, w.rows = blocks, width, height, now, w.rows[:0]
	if len(blocks) == 0 || height <= 0 {
		return nil
	}
	if was > 0 && w.seen.block < len(blocks) { // adapt w.seen.line to the new width
		w.seen.line = w.seen.line * len(w.lines(w.seen.block)) / was
	}
	start := w.start()
	rows := make([]Line, 0, height)
	i := start.block
	for ; i < len(blocks) && len(rows) < height; i++ {
		lines, from := w.lines(i), 0
		if i == start.block {
			from = min(start.line, len(lines))
		}
		for line := from; line < len(lines) && len(rows) < height; line++ {
			rows, w.rows = append(rows, lines[line]), append(w.rows, anchor{i, line})
		}
	}
	w.forget(blocks[start.block:i])
	return rows
}

// lines returns the rows of the block with index i, including the rows of its pictures.
func (w *Window) lines(i int) []Line {
	block := w.blocks[i]
	if !block.held {
		block.held, w.laid = true, append(w.laid, block)
	}
	lines := withPictures(w, block, block.Lines(w.width, w.open(block), w.now))
	block.size = size{rows: len(lines), width: w.width, text: block.text.Len(), open: w.open(block)}
	return lines
}

// forget discards all layouts if too many blocks outside the window have one.
func (w *Window) forget(visible []*Block) {
	if len(w.laid) <= kept+len(visible) {
		return
	}
	for _, block := range w.laid {
		block.drop()
	}
	w.laid = append(w.laid[:0], visible...)
	for _, block := range visible {
		block.held = true
	}
}

// open is true if a block is unfolded.
func (w *Window) open(block *Block) bool {
	switch {
	case !block.Foldable():
		return false
	case block.fold != asAll:
		return block.fold == opened
	}
	return block.Kind == Call && (w.Results || block.short && !w.shut) || block.Kind == Thinking && w.Thoughts || block.Kind == Prompt && w.Results
}

// rowsOf returns the number of rows of a block, or an estimate if the block has no current layout.
func (w *Window) rowsOf(i int) int {
	block := w.blocks[i]
	open := w.open(block)
	if block.size.width == w.width && block.size.open == open && block.size.text == block.text.Len() {
		return block.size.rows
	}
	if (block.Kind == Call || block.Kind == Thinking) && !open {
		return 1
	}
	return 1 + block.text.Len()/max(w.width*2/3, 1)
}

// Extent returns the number of rows above the window and the total number of rows.
func (w *Window) Extent() (above, all int) {
	if len(w.blocks) == 0 {
		return 0, 0
	}
	start := w.start()
	for i := range w.blocks {
		if i == start.block {
			above = all + start.line
		}
		all += w.rowsOf(i)
	}
	return above, all
}

// start returns the first row to show. It clears w.away if the user has scrolled to the end.
func (w *Window) start() anchor {
	last := w.bottom()
	if w.away {
		w.top = w.clamp(w.top)
		if w.top.before(last) || w.grabbed {
			return w.top
		}
		w.away = false
	}
	return last
}

// bottom returns the first row that is visible when the window is at the end of the transcript.
func (w *Window) bottom() anchor {
	left := w.height
	for i := len(w.blocks) - 1; i >= 0; i-- {
		n := len(w.lines(i))
		if n >= left {
			return anchor{i, n - left}
		}
		left -= n
	}
	return anchor{}
}

func (w *Window) clamp(at anchor) anchor {
	at.block = min(at.block, len(w.blocks)-1)
	at.line = max(min(at.line, len(w.lines(at.block))-1), 0)
	return at
}

// Scroll scrolls down by a number of rows. A negative number scrolls up.
func (w *Window) Scroll(rows int) {
	if len(w.blocks) == 0 {
		return
	}
	at := w.start()
	w.grabbed = false
	for ; rows < 0; rows++ {
		if at.line > 0 {
			at.line--
			continue
		}
		above := at.block - 1
		for above >= 0 && len(w.lines(above)) == 0 {
			above--
		}
		if above < 0 {
			break
		}
		at = anchor{above, len(w.lines(above)) - 1}
	}
	for ; rows > 0; rows-- {
		if at.line+1 < len(w.lines(at.block)) {
			at.line++
			continue
		}
		if at.block+1 >= len(w.blocks) {
			break
		}
		at = anchor{at.block + 1, 0}
	}
	w.stayAt(at)
}

// Home scrolls to the start of the transcript.
func (w *Window) Home() {
	if len(w.blocks) > 0 {
		w.stayAt(anchor{})
	}
}

// End scrolls to the end of the transcript. The window then follows new text.
func (w *Window) End() { w.away, w.grabbed = false, false }

// stayAt scrolls to a line. New text no longer moves the window, except at the end of the
// transcript.
func (w *Window) stayAt(at anchor) {
	if !w.away {
		last := len(w.blocks) - 1
		w.seen = anchor{last, len(w.lines(last))}
	}
	w.away, w.top = true, at
	w.start()
}

// Following reports whether the window follows new text, or will do so after [Selection.LetGo].
func (w *Window) Following() bool { return !w.away || w.grabbed }

// NewRows returns the number of rows added since the user scrolled away from the end.
func (w *Window) NewRows() int {
	if !w.away || len(w.blocks) == 0 {
		return 0
	}
	news := 0
	for i := w.seen.block; i < len(w.blocks); i++ {
		if i-w.seen.block < kept/2 {
			w.lines(i) // a layout makes the count exact; laying out a few blocks is cheap
		}
		news += w.rowsOf(i)
	}
	return max(news-w.seen.line, 0)
}
