package canvas

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/tui/internal/graphics"
	"marvin/ui/view"
)

// Canvas contains the current frame, and the times that decide when the next frame is due.
type Canvas struct {
	Screen        tcell.Screen
	Scrolls       bool // the terminal supports scroll regions
	Width, Height int
	Page          int         // height of the transcript, in rows
	Rows          []view.Line // the frame in progress
	Last          []view.Line // the frame on the screen
	Bar           ScrollBar
	Palette       Palette
	Pictures      pictures
	Answers       <-chan Answer // what the terminal reports about its colors and features
	Dirty         bool
	Soon          bool // the time to the next frame is keyFrame, not Frame
	Drawn         time.Time
	due           time.Time // scheduled time of the last frame with streamed text
	news          time.Time // time at which the first undrawn text arrived; zero if all text is drawn
	Shown         bool      // a frame was drawn
	Rests         time.Time // when to free memory; zero for never
}

// InputWidth returns the width for text beside the prompt mark.
func (f *Canvas) InputWidth() int { return max(f.Width-2, 2) }

// Resize adapts the layout to the terminal's current size. The size in a resize event can be
// outdated, because tcell posts each event from a separate goroutine. tcell also posts an event
// when it starts, so Resize synchronizes the screen only if the size has changed.
func (f *Canvas) Resize() {
	width, height := f.Screen.Size()
	changed := width != f.Width || height != f.Height
	if changed {
		f.Screen.Sync()
	}
	f.Width, f.Height = f.Screen.Size()
	// Draw all rows again, because a change to another size and back can clear cells.
	f.Last = nil
	f.Dirty, f.Soon = true, f.Soon || changed
}

// Raw writes an escape sequence directly to the terminal. The frame does not change.
func (f *Canvas) Raw(sequence string) {
	if tty, ok := f.Screen.Tty(); ok {
		tty.Write([]byte(sequence))
	}
}

// pictures contains the state of the pictures on the screen. Only the loop uses this state.
type pictures struct {
	Layer  graphics.Layer
	Cache  graphics.Cache
	Cell   graphics.Cell
	Wanted []graphics.Place
	Places []view.Place // positions of the pictures in this frame
	Before []view.Place // positions of the pictures in the previous frame
	Moved  time.Time    // time of the last movement
	Waits  bool         // a prepared picture waits for a pause in movement
	Making bool         // a picture is being made
}

// ScrollBar describes the scroll bar in the last column of the screen. Top is the first row of the
// thumb, Size is the height of the thumb, and Page is the height of the page. Size is 0 if there is
// no scroll bar.
type ScrollBar struct{ Top, Size, Page int }

// EventQueue returns tcell's own queue, if the screen exposes it.
func (f *Canvas) EventQueue() <-chan tcell.Event {
	if open, ok := f.Screen.(interface{ EventQ() chan tcell.Event }); ok {
		return open.EventQ()
	}
	return nil
}
