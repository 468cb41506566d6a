package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/tui/internal/graphics"
	"marvin/ui/view"
)

// frame is what is drawn, and when.
type frame struct {
	screen        tcell.Screen
	scrolls       bool // the terminal knows scroll regions
	width, height int
	page          int         // rows of the transcript
	rows          []view.Line // the frame that is being made
	last          []view.Line // the one on the screen
	bar           scrollBar
	palette       palette
	pictures      pictures
	answers       <-chan answer // what the terminal says of itself
	dirty         bool
	soon          bool // a key waits to be seen
	drawn         time.Time
	due           time.Time // the base for the time of the next frame
	news          time.Time // arrival of the first undrawn text, or zero
	shown         bool      // one was drawn
	rests         time.Time // when memory is given back, zero for not
}

// inputWidth is the room for text beside the prompt mark.
func (f *frame) inputWidth() int { return max(f.width-2, 2) }

// resized lays out for the terminal's present size. That is not the event's: tcell posts each event
// from its own goroutine, so after many changes the last one to arrive may be old. It also posts
// one at the beginning; without a change, no cell is sent again.
func (f *frame) resized() {
	width, height := f.screen.Size()
	changed := width != f.width || height != f.height
	if changed {
		f.screen.Sync()
	}
	f.width, f.height = f.screen.Size()
	f.last = nil // also where a size came and went again, which took cells away
	f.dirty, f.soon = true, f.soon || changed
}

// raw writes to the terminal past the frame.
func (f *frame) raw(sequence string) {
	if tty, ok := f.screen.Tty(); ok {
		tty.Write([]byte(sequence))
	}
}

// pictures is what the screen knows of the pictures on it. It belongs to the loop.
type pictures struct {
	layer  graphics.Layer
	cache  graphics.Cache
	cell   graphics.Cell
	wanted []graphics.Place
	places []view.Place // of this frame
	before []view.Place // of the frame before
	moved  time.Time    // when they were last elsewhere
	waits  bool         // one is drawn once they stand still
	making bool         // one is being made
}

// scrollBar is the thumb in the last column of the rows 1 to page; size 0 shows none.
type scrollBar struct{ top, size, page int }

// eventQueue is tcell's own queue, if the screen shows it.
func (f *frame) eventQueue() <-chan tcell.Event {
	if open, ok := f.screen.(interface{ EventQ() chan tcell.Event }); ok {
		return open.EventQ()
	}
	return nil
}
