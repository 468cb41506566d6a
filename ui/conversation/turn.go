package conversation

import (
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/transcript"
)

// turn applies an event that concerns the current turn.
func (s *State) turn(event messages.Event, at time.Time) {
	switch event := event.(type) {
	case messages.TurnStarted:
		s.turnStarted(event, at)
	case messages.Steered:
		s.flush(at)
		s.AddStep(transcript.Step{At: at, Role: "you", Text: event.Prompt})
		s.Messages++
		s.Queue.remove(event.Request, event.Prompt)
	case messages.Text:
		s.doing("answering")
		s.Turn.Heard = true
		s.Turn.said.WriteString(event.Chunk)
	case messages.Thinking:
		s.doing("thinking")
	case messages.ToolsCalled:
		s.flush(at)
		s.doing(strings.Join(event.Names, ", "))
	case messages.Waiting:
		s.Turn.Until, s.Turn.Quiet = event.Until, event.Since
	case messages.TurnEnded:
		s.turnEnded(event, at)
	default: // State.Apply handles the other events
	}
}

// LastText returns the part of the answer after the last tool call.
func (s *State) LastText() string { return s.Turn.said.String() }

func (s *State) doing(what string) {
	s.Turn.Doing, s.Turn.Until, s.Turn.Quiet = what, time.Time{}, time.Time{}
}

func (s *State) turnStarted(event messages.TurnStarted, at time.Time) {
	s.Turn.Running, s.Turn.Began, s.Turn.Heard = true, at, false
	s.Turn.Provider, s.Turn.Model = s.Provider, s.Model // a substitute model applies to one turn only
	s.doing("waiting for the model")
	s.Turn.said.Reset()
	s.Messages++
	s.Calls = nil
	if s.Plan.Finished() {
		s.Plan = messages.Plan{}
	}
	s.Queue.remove(event.Request, event.Prompt)
	s.AddStep(transcript.Step{At: at, Role: "you", Text: event.Prompt, Pictures: event.Pictures})
}

func (s *State) turnEnded(event messages.TurnEnded, at time.Time) {
	if !s.Turn.Heard {
		s.Turn.said.WriteString(event.Text)
	}
	s.flush(at)
	if event.Text != "" {
		s.Answer = event.Text
	}
	if s.Turn.Heard || event.Text != "" {
		s.Messages++
	}
	if event.Err != "" {
		s.AddStep(transcript.Step{At: at, Role: "system", Text: event.Err})
	}
	for _, call := range s.Calls {
		call.Status, call.Took = messages.Interrupted, at.Sub(call.Begun)
	}
	s.Calls, s.Asked, s.Usage = nil, nil, event.Usage
	s.Turn.Running, s.Turn.Doing, s.Turn.Until = false, "", time.Time{}
}

// flush appends the text of s.Turn.said as a new step, and clears s.Turn.said.
func (s *State) flush(at time.Time) {
	if text := strings.TrimSpace(s.Turn.said.String()); text != "" {
		s.AddStep(transcript.Step{At: at, Role: "assistant", Text: text})
	}
	s.Turn.said.Reset()
}
