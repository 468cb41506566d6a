package messages

import "slices"

// ImagesOf are the pictures of an event for a front end that draws them: those of a prompt or a
// result, or for a turn of before those of the prompt, and then those of each step. Nil for none.
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
	default: // no other event has some
	}
	if !slices.ContainsFunc(all, func(some []Picture) bool { return len(some) > 0 }) {
		return nil
	}
	return all
}

// WithImages is an event with pictures as [ImagesOf] returned them.
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
