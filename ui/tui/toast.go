package tui

import (
	"time"

	"marvin/messages"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
)

// toastTime is how long news that stand out of sight are shown over the input.
const toastTime = 6 * time.Second

// toast shows in the rule what was said below what the person is reading: that a job has
// ended, or that something is wrong.
func toast(s *Screen, event messages.Event) {
	notice, ok := event.(messages.Notice)
	if ok && !s.window.Following() {
		s.say("• "+canvas.OneRow(termsafe.String(notice.Text)), toastTime)
	}
}
