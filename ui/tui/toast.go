package tui

import (
	"time"

	"marvin/messages"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
)

// toastTime is how long news outside the visible part is shown above the input.
const toastTime = 6 * time.Second

// toast shows news in the rule while the user reads further up: the end of a job, or a problem.
func toast(s *Screen, event messages.Event) {
	notice, ok := event.(messages.Notice)
	if ok && !s.window.Following() {
		s.say("• "+canvas.OneRow(termsafe.String(notice.Text)), toastTime)
	}
}
