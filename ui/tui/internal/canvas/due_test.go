package canvas

import (
	"testing"
	"time"
)

// play simulates the arrival of text and keys at given milliseconds, and returns the times of the
// frames.
func play(f *Canvas, until int, told, keys func(ms int) bool) (frames []int) {
	begin := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	for ms := range until {
		now := begin.Add(time.Duration(ms) * time.Millisecond)
		if told(ms) {
			f.MarkDirty(now)
		}
		if keys(ms) {
			f.Dirty, f.Soon = true, true
		}
		if f.Dirty && !now.Before(f.DrawsAt()) {
			f.BeginFrame(now)
			frames = append(frames, ms)
		}
	}
	return frames
}

func never(int) bool { return false }

func TestWordsDoNotWaitForAnotherFrame(t *testing.T) {
	width := int(Frame / time.Millisecond)
	begin, from := 7*width-5, 20*width
	told := func(ms int) bool { // each word by itself at first, then once in a frame, two of a read
		return ms < begin && ms%10 == 0 || ms >= begin && ((ms-begin)%width == 0 || (ms-begin)%width == 1)
	}
	key := func(ms int) bool { return ms == begin+25*width+30 || ms == begin+30*width+20 }
	counted := 0
	for _, ms := range play(&Canvas{Shown: true}, 60*width, told, key) {
		if ms < from || key(ms) {
			continue
		}
		if counted++; (ms-begin)%width != 2 {
			t.Errorf("at %d ms words are drawn %d ms after they came", ms, (ms-begin)%width)
		}
	}
	if counted != 40 {
		t.Errorf("%d frames for 40 reads", counted)
	}
}

func TestThereAreNoMoreFramesThanOneInAFrame(t *testing.T) {
	if frames := play(&Canvas{Shown: true}, 10_000, func(ms int) bool { return ms == 5000 }, never); len(frames) != 1 || frames[0] != 5002 {
		t.Errorf("what is reported at 5000 ms is drawn at %v", frames)
	}
	if frames := play(&Canvas{Shown: true}, 6000, func(int) bool { return true }, never); len(frames) > 6000/int(step/time.Millisecond)+1 {
		t.Errorf("%d frames in six seconds", len(frames))
	}
}
