package messages

import "slices"

// ImagesOf returns the pictures of an event, or nil if there are none. A prompt or a result has one
// list. A recalled turn has one list for the prompt, followed by one for each step.
func ImagesOf(event Event) [][]Picture {
	var all [][]Picture
	switch event := event.(type) {
	case TurnStarted:
		all = [][]Picture{event.Images}
	case ToolEnded:
		all = [][]Picture{event.Images}
	case Recalled:
		all = append(all, event.Images)
		for _, step := range event.Steps {
			all = append(all, step.Images)
		}
	default: // events without pictures
	}
	if !slices.ContainsFunc(all, func(some []Picture) bool { return len(some) > 0 }) {
		return nil
	}
	return all
}

// WithImages returns a copy of event with the given pictures, in the order of [ImagesOf].
func WithImages(event Event, all [][]Picture) Event {
	if len(all) == 0 {
		return event
	}
	switch event := event.(type) {
	case TurnStarted:
		event.Images = all[0]
		return event
	case ToolEnded:
		event.Images = all[0]
		return event
	case Recalled:
		event.Images, event.Steps = all[0], slices.Clone(event.Steps)
		for i := range min(len(event.Steps), len(all)-1) {
			event.Steps[i].Images = all[i+1]
		}
		return event
	default:
		return event
	}
}
