package plain

import (
	"marvin/messages"
	"marvin/ui"
	"marvin/ui/termsafe"
)

// cleared begins another conversation. Lines stay: what stands above already is not said
// again.
func (s *Screen) cleared(event messages.Cleared) {
	s.above = false
	switch event.Why {
	case messages.ClearedRewind, messages.ClearedHandoff:
		s.above = true
	case messages.ClearedResume, messages.ClearedBranch:
	default:
		s.say("[System] A new conversation begins.")
	}
}

// rewound gives an old prompt to whoever can change it.
func (s *Screen) rewound(event messages.Rewound) {
	s.above = false
	s.say(ui.WentBack(event))
	switch {
	case event.Again:
		s.say("> " + event.Prompt)
	case s.Edits && s.line.Empty():
		s.line.SetText(event.Prompt)
	default:
		s.say("It was: " + event.Prompt)
	}
}

// recalled shows a turn of a conversation that goes on, as it was left.
func (s *Screen) recalled(event messages.Recalled) {
	if s.above {
		return
	}
	s.say("> " + event.Prompt)
	for _, step := range event.Steps {
		if step.Said {
			s.say("> " + step.Text)
			continue
		}
		if step.Tool == "" {
			if step.Text != "" {
				s.say(step.Text)
			}
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
