package tui

import "time"

// sip is how long the words that were read at once take to arrive.
const sip = 2 * time.Millisecond

// step is the least time between two frames for what is told. It is a little less than words take
// to come, so that frames which come late catch up with them, within a second.
const step = Frame - 5*time.Millisecond

// drawsAt is when the next frame is due. What is told is drawn as it comes, if that is once in a
// Frame, as words do (providers/pace): counted from the frame before, which may be one for a key
// or a clock, they would all wait for the next one, and behind a frame for the first word of a
// read the others would.
func (f *frame) drawsAt() time.Time {
	switch {
	case f.soon:
		return f.drawn.Add(keyFrame)
	case f.news.IsZero() || !f.shown:
		return f.drawn.Add(Frame)
	}
	return later(f.due.Add(step), f.news.Add(sip))
}

// hears notes that something was told which is not on the screen yet.
func (f *frame) hears(now time.Time) {
	f.dirty = true
	if f.news.IsZero() {
		f.news = now
	}
}

// draws notes that all there is goes to the screen now.
func (f *frame) draws(now time.Time) {
	if !f.soon && !f.news.IsZero() {
		f.due = later(f.due.Add(step), f.news)
	}
	f.dirty, f.soon, f.news, f.drawn = false, false, time.Time{}, now
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
