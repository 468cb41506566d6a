package plain

import (
	"marvin/messages"
	"marvin/ui/termsafe"
)

// recalled shows a turn of a conversation that goes on, as it was left.
func (s *Screen) recalled(event messages.Recalled) {
	s.say("> " + event.Prompt)
	for _, step := range event.Steps {
		if step.Said {
			s.say("> " + step.Text)
			continue
		}
		if step.Tool == "" {
			s.say(step.Text)
			continue
		}
		title := step.Title
		if title == "" {
			title = step.Tool
		}
		s.say("  🔧 " + termsafe.Line(title) + " · " + string(step.Status))
	}
	if event.Err != "" {
		s.say("Error: " + event.Err)
	}
}
