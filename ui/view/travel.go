package view

import "slices"

// Foldable reports whether a block can be folded.
func (b *Block) Foldable() bool { return b.Kind == Call || b.Kind == Thinking || b.long() }

// Toggle folds or unfolds a block.
func (w *Window) Toggle(block *Block) {
	if !block.Foldable() {
		return
	}
	if w.open(block) {
		block.fold = folded
	} else {
		block.fold = opened
	}
}

// ToggleAll folds or unfolds all thoughts if kind is Thinking, or all results and long prompts if
// kind is Call. Blocks that the user folded individually are included.
func (w *Window) ToggleAll(kind Kind) {
	which := &w.Results
	if kind == Thinking {
		which = &w.Thoughts
	}
	if *which = !*which; kind == Call {
		w.shut = !w.Results
	}
	for _, block := range w.blocks {
		if block.Kind == kind || kind == Call && block.Kind == Prompt {
			block.fold = asAll
		}
	}
}

// At returns the block that the given row of the screen shows, or nil if there is none.
func (w *Window) At(row int) *Block {
	if row < 0 || row >= len(w.rows) {
		return nil
	}
	return w.blocks[w.rows[row].block]
}

// Focused returns the block with the keyboard focus, or nil.
func (w *Window) Focused() *Block { return w.focus }

// Focus gives a block the keyboard focus.
func (w *Window) Focus(block *Block) { w.focus = block }

// FocusedRow reports whether a row of the screen belongs to the focused block.
func (w *Window) FocusedRow(row int) bool { return w.focus != nil && w.At(row) == w.focus }

// MoveFocus moves the focus by a number of blocks. If no block has the focus, the last block on the
// screen gets it.
func (w *Window) MoveFocus(step int) {
	if len(w.blocks) == 0 {
		return
	}
	at := slices.Index(w.blocks, w.focus)
	switch {
	case at >= 0:
		at = max(0, min(at+step, len(w.blocks)-1))
	case w.away && len(w.rows) > 0:
		at = w.rows[len(w.rows)-1].block
	default:
		at = len(w.blocks) - 1
	}
	w.focus = w.blocks[at]
	w.reveal(anchor{at, 0}, len(w.lines(at)))
}

// reveal scrolls as little as possible to show a group of rows. The group begins at the given line.
// If not all rows fit, reveal shows the first ones.
func (w *Window) reveal(at anchor, rows int) {
	first, last := len(w.rows), -1
	for y, shown := range w.rows {
		if shown.block == at.block && shown.line >= at.line && shown.line < at.line+rows {
			first, last = min(first, y), y
		}
	}
	if last-first+1 >= min(rows, w.height) {
		return
	}
	w.stayAt(at)
	if !w.away || rows >= w.height { // the window shows the end, or the rows fill the window
		return
	}
	if len(w.rows) > 0 && w.rows[0].before(at) { // the rows were below the window
		w.Scroll(rows - w.height)
	}
}

func (a anchor) before(b anchor) bool {
	return a.block < b.block || a.block == b.block && a.line < b.line
}

// GoToPrompt scrolls up to the previous prompt if step is -1, or down to the next prompt if step is
// 1. It reports whether it found a prompt. If it found no next prompt, it scrolls to the end.
func (w *Window) GoToPrompt(step int) bool {
	if len(w.blocks) == 0 {
		return false
	}
	start := w.start()
	for i := start.block; i >= 0 && i < len(w.blocks); i += step {
		line := 0
		if w.blocks[i].Gap {
			line = 1
		}
		beyond := i > start.block || i == start.block && line > start.line
		if step < 0 {
			beyond = i < start.block || i == start.block && line < start.line
		}
		if w.blocks[i].Kind == Prompt && beyond {
			w.stayAt(anchor{i, line})
			return true
		}
	}
	if step > 0 {
		w.End()
	}
	return false
}
