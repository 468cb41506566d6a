package view

import "slices"

// Foldable reports whether a block can be shown in short.
func (b *Block) Foldable() bool { return b.Kind == Call || b.Kind == Thinking || b.long() }

// Toggle folds a block, or unfolds it.
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

// ToggleAll folds or unfolds all results and long prompts, or all thoughts; what was chosen for single
// blocks ends with it.
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

// At is the block in a row of the screen; may be nil.
func (w *Window) At(row int) *Block {
	if row < 0 || row >= len(w.rows) {
		return nil
	}
	return w.blocks[w.rows[row].block]
}

// Focused is the block that keys are for, nil for none.
func (w *Window) Focused() *Block { return w.focus }

// Focus sets it.
func (w *Window) Focus(block *Block) { w.focus = block }

// FocusedRow reports whether a row of the screen belongs to the focused block.
func (w *Window) FocusedRow(row int) bool { return w.focus != nil && w.At(row) == w.focus }

// MoveFocus goes to another block: to the last one on the screen if none has it.
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

// reveal brings so many rows into sight, or the first of them, and moves no further
// than it must.
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
	w.leave(at)
	if !w.away || rows >= w.height { // it is on the last page, or fills one
		return
	}
	if len(w.rows) > 0 && w.rows[0].before(at) { // it was below
		w.Scroll(rows - w.height)
	}
}

func (a anchor) before(b anchor) bool {
	return a.block < b.block || a.block == b.block && a.line < b.line
}

// Prompt goes to the prompt before (step -1) or behind (1) the first row, and says
// whether there is one.
func (w *Window) Prompt(step int) bool {
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
			w.leave(anchor{i, line})
			return true
		}
	}
	if step > 0 {
		w.End()
	}
	return false
}
