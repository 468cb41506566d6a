package canvas

import (
	"time"
)

// Frame is the time between two frames of streamed text. A shorter time would cost too much,
// because tcell compares every cell for each frame. The end of the text is drawn at once.
const Frame = 52 * time.Millisecond

// keyFrame is the time between two frames while the user types.
const keyFrame = 8 * time.Millisecond

// firstWordDelay is the time that a frame waits after the first word of a chunk of text, so that
// the frame shows more words.
const firstWordDelay = 2 * time.Millisecond

// step is the minimum time between two frames that draw new text. It is slightly shorter than
// [Frame], so that drawing recovers from a late frame within a second.
const step = Frame - 5*time.Millisecond

// DrawsAt returns the time at which the next frame is due. Package providers/pace sends text once
// per [Frame], so DrawsAt counts from the last frame with streamed text. If DrawsAt counted from a
// frame that showed only a key press or a clock, all but the first word of a chunk would be one
// frame late.
func (f *Canvas) DrawsAt() time.Time {
	switch {
	case f.Soon:
		return f.Drawn.Add(keyFrame)
	case f.news.IsZero() || !f.Shown:
		return f.Drawn.Add(Frame)
	}
	return laterOf(f.due.Add(step), f.news.Add(firstWordDelay))
}

// MarkDirty must be called when there is something new to draw.
func (f *Canvas) MarkDirty(now time.Time) {
	f.Dirty = true
	if f.news.IsZero() {
		f.news = now
	}
}

// BeginFrame must be called before each frame. It clears Dirty, so the frame must show all changes.
func (f *Canvas) BeginFrame(now time.Time) {
	if !f.Soon && !f.news.IsZero() {
		f.due = laterOf(f.due.Add(step), f.news)
	}
	f.Dirty, f.Soon, f.news, f.Drawn = false, false, time.Time{}, now
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
