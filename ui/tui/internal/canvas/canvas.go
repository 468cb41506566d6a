package canvas

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/tui/internal/graphics"
	"marvin/ui/view"
)

// Canvas is what is drawn, and when.
type Canvas struct {
	Screen        tcell.Screen
	Scrolls       bool // the terminal knows scroll regions
	Width, Height int
	Page          int         // rows of the transcript
	Rows          []view.Line // the frame that is being made
	Last          []view.Line // the one on the screen
	Bar           ScrollBar
	Palette       Palette
	Pictures      pictures
	Answers       <-chan Answer // what the terminal says of itself
	Dirty         bool
	Soon          bool // a key waits to be seen
	Drawn         time.Time
	due           time.Time // the base for the time of the next frame
	news          time.Time // arrival of the first undrawn text, or zero
	Shown         bool      // one was drawn
	Rests         time.Time // when memory is given back, zero for not
}

// InputWidth is the room for text beside the prompt mark.
func (f *Canvas) InputWidth() int { return max(f.Width-2, 2) }

// Resized lays out for the terminal's present size. That is not the event's: tcell posts each event
// from its own goroutine, so after many changes the last one to arrive may be old. It also posts
// one at the beginning; without a change, no cell is sent again.
func (f *Canvas) Resized() {
	width, height := f.Screen.Size()
	changed := width != f.Width || height != f.Height
	if changed {
		f.Screen.Sync()
	}
	f.Width, f.Height = f.Screen.Size()
	f.Last = nil // also where a size came and went again, which took cells away
	f.Dirty, f.Soon = true, f.Soon || changed
}

// Raw writes to the terminal past the frame.
func (f *Canvas) Raw(sequence string) {
	if tty, ok := f.Screen.Tty(); ok {
		tty.Write([]byte(sequence))
	}
}

// pictures is what the screen knows of the pictures on it. It belongs to the loop.
type pictures struct {
	Layer  graphics.Layer
	Cache  graphics.Cache
	Cell   graphics.Cell
	Wanted []graphics.Place
	Places []view.Place // of this frame
	Before []view.Place // of the frame before
	Moved  time.Time    // when they were last elsewhere
	Waits  bool         // one is drawn once they stand still
	Making bool         // one is being made
}

// ScrollBar is the thumb in the last column of the rows 1 to page; size 0 shows none.
type ScrollBar struct{ Top, Size, Page int }

// EventQueue is tcell's own queue, if the screen shows it.
func (f *Canvas) EventQueue() <-chan tcell.Event {
	if open, ok := f.Screen.(interface{ EventQ() chan tcell.Event }); ok {
		return open.EventQ()
	}
	return nil
}
