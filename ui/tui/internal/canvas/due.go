package canvas

import (
	"time"
)

// Frame is the time between two frames while text streams. tcell looks at every cell in each.
// The end of a text is drawn at once.
const Frame = 52 * time.Millisecond

// keyFrame is the time between two frames during typing.
const keyFrame = 8 * time.Millisecond

// sip is how long the words that were read at once take to arrive.
const sip = 2 * time.Millisecond

// step is the least time between two frames for new text. It is a little less than the interval of
// the text, so that late frames catch up within a second.
const step = Frame - 5*time.Millisecond

// DrawsAt is when the next frame is due. Text is drawn as it arrives if that is once per Frame, as
// providers/pace ensures: if the last frame counted, which may be for a key or a clock, all text
// would be delayed by one frame, and the rest of a read would wait for the frame of its first word.
func (f *Canvas) DrawsAt() time.Time {
	switch {
	case f.Soon:
		return f.Drawn.Add(keyFrame)
	case f.news.IsZero() || !f.Shown:
		return f.Drawn.Add(Frame)
	}
	return later(f.due.Add(step), f.news.Add(sip))
}

// Hears notes that there is something new to draw.
func (f *Canvas) Hears(now time.Time) {
	f.Dirty = true
	if f.news.IsZero() {
		f.news = now
	}
}

// Draws notes that all there is goes to the screen now.
func (f *Canvas) Draws(now time.Time) {
	if !f.Soon && !f.news.IsZero() {
		f.due = later(f.due.Add(step), f.news)
	}
	f.Dirty, f.Soon, f.news, f.Drawn = false, false, time.Time{}, now
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
