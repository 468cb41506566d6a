package tui

import (
	"time"

	"marvin/messages"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
)

// toastTime is how long a notice is shown above the input.
const toastTime = 6 * time.Second

// toast puts a notice, such as the end of a job, in the line above the input. It does so only if
// the user is reading an earlier part of the transcript.
func toast(s *Screen, event messages.Event) {
	notice, ok := event.(messages.Notice)
	if ok && !s.window.Following() {
		s.say("• "+canvas.OneRow(termsafe.String(notice.Text)), toastTime)
	}
}
