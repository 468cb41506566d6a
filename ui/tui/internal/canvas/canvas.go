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
	Page          int         // rows of the transcript
	Rows          []view.Line // the frame in progress
	Last          []view.Line // the frame on the screen
	Bar           ScrollBar
	Palette       Palette
	Pictures      pictures
	Answers       <-chan Answer // what the terminal reports about its colors and features
	Dirty         bool
	Soon          bool // draw without waiting for the next frame
	Drawn         time.Time
	due           time.Time // scheduled time of the last frame with new text
	news          time.Time // time at which the first undrawn text arrived; zero if all text is drawn
	Shown         bool      // a frame was drawn
	Rests         time.Time // when memory is freed, zero for never
}

// InputWidth returns the width for text beside the prompt mark.
func (f *Canvas) InputWidth() int { return max(f.Width-2, 2) }

// Resize updates the layout to the terminal's current size. It ignores the size in the event. tcell
// posts each event from its own goroutine, so the last event to arrive after many changes may
// contain an old size. tcell also posts an event at the start. If the size has not changed, Resize
// does not synchronize the screen.
func (f *Canvas) Resize() {
	width, height := f.Screen.Size()
	changed := width != f.Width || height != f.Height
	if changed {
		f.Screen.Sync()
	}
	f.Width, f.Height = f.Screen.Size()
	f.Last = nil // needed even if the size is the same again: a change in between has cleared cells
	f.Dirty, f.Soon = true, f.Soon || changed
}

// Raw writes to the terminal outside the frame.
func (f *Canvas) Raw(sequence string) {
	if tty, ok := f.Screen.Tty(); ok {
		tty.Write([]byte(sequence))
	}
}

// pictures is the state of the pictures on the screen. Only the loop uses it.
type pictures struct {
	Layer  graphics.Layer
	Cache  graphics.Cache
	Cell   graphics.Cell
	Wanted []graphics.Place
	Places []view.Place // in this frame
	Before []view.Place // in the last frame
	Moved  time.Time    // time of the last movement
	Waits  bool         // a picture is not drawn until the pictures have stopped moving
	Making bool         // a picture is being made
}

// ScrollBar describes the scroll bar in the last column of the screen: the first row and the height
// of its thumb, and the number of rows of the page. Size is 0 if there is no scroll bar.
type ScrollBar struct{ Top, Size, Page int }

// EventQueue returns tcell's own queue, if the screen exposes it.
func (f *Canvas) EventQueue() <-chan tcell.Event {
	if open, ok := f.Screen.(interface{ EventQ() chan tcell.Event }); ok {
		return open.EventQ()
	}
	return nil
}
