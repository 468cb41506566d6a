package command

import (
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/transcript"
)

// state is what the engine knows of the conversation, from its events.
type state struct {
	provider, model, profile, dir string
	coding                        bool
	approval                      messages.Approval // "" as long as nothing opened
	grants                        []messages.Grant
	plan                          messages.Plan
	usage                         messages.Usage
	called                        string          // the title, if a person gave one
	answer                        string          // of the last turn that had one
	said                          strings.Builder // of the answer that is arriving, since the last call
	heard                         bool            // the running turn's answer came in pieces
	calls                         []call          // running
	transcript                    []transcript.Step
}

// call is a tool call that runs.
type call struct {
	id, title string
	since     time.Time
}

// kept is how much of a tool's result is exported.
const kept = 4000

func (s *state) note(step transcript.Step) { s.transcript = append(s.transcript, step) }

// Hear takes the next event of the conversation. Every event must come here, before
// or after the front end shows it.
func (e *Engine) Hear(envelope messages.Envelope) {
	s, at := &e.state, envelope.At
	e.confirmed(envelope.Event)
	switch event := envelope.Event.(type) {
	case messages.Opened:
		s.provider, s.model, s.profile, s.dir, s.coding = event.Provider, event.Model, event.Profile, event.Dir, event.Coding
		s.approval = event.Approval
		for _, line := range e.Greeting {
			e.say(line)
		}
	case messages.ModelChanged:
		if event.Why == "" { // for good; otherwise for this turn
			s.provider, s.model = event.Provider, event.Model
		}
	case messages.ModeChanged:
		s.dir, s.coding, s.approval = event.Dir, event.Coding, event.Approval
		if event.Profile != "" {
			s.profile = event.Profile
		}
	case messages.Granted:
		s.grants = event.Grants
	case messages.PlanChanged:
		s.plan = event.Plan
	case messages.UsageChanged:
		s.usage = event.Usage
	case messages.TurnStarted:
		s.said.Reset()
		s.heard = false
		s.note(transcript.Step{At: at, Role: "you", Text: event.Prompt})
	case messages.Steered:
		s.flush(at)
		s.note(transcript.Step{At: at, Role: "you", Text: event.Prompt})
	case messages.Text:
		s.heard = true
		s.said.WriteString(event.Chunk)
	case messages.ToolsCalled:
		s.flush(at)
	case messages.ToolStarted:
		s.calls = append(s.calls, call{event.Call, event.Title, at})
	case messages.ToolEnded:
		s.toolEnded(event, at)
	case messages.Compacted:
		s.note(transcript.Step{At: at, Role: "system", Text: "Older messages were summarised for the model."})
	case messages.Cleared:
		s.called, s.answer, s.transcript, s.calls, s.plan = "", "", nil, nil, messages.Plan{}
	case messages.Recalled:
		s.recalled(event)
	case messages.Resumed:
		s.called = event.Title
	case messages.TurnEnded:
		s.turnEnded(event, at)
	case messages.Thinking, messages.ToolOutput, messages.AgentChanged: // no part of what is exported
	case messages.Notice, messages.Waiting: // for now, not for later
	case messages.Asked, messages.Answered, messages.Withdrawn, messages.Refused, messages.Closed: // the front end's
	}
}

// recalled takes a turn of a conversation that goes on into the transcript.
func (s *state) recalled(event messages.Recalled) {
	for _, step := range transcript.Recalled(event) {
		switch step.Role {
		case "assistant":
			s.answer = step.Text
		case "tool":
			step.Text = strings.Clone(head(step.Text, kept))
		}
		s.note(step)
	}
}

// confirmed notes that the conversation did what it was asked for, or said why not.
func (e *Engine) confirmed(event messages.Event) {
	switch event.(type) {
	case messages.ModelChanged, messages.ModeChanged, messages.Granted, messages.Cleared, messages.Notice, messages.TurnStarted, messages.TurnEnded:
		e.awaits = ""
	default: // says nothing about what was asked for
	}
}

// flush closes the piece of the answer that arrived since the last call.
func (s *state) flush(at time.Time) {
	if text := strings.TrimSpace(s.said.String()); text != "" {
		s.note(transcript.Step{At: at, Role: "assistant", Text: text})
	}
	s.said.Reset()
}

func (s *state) toolEnded(event messages.ToolEnded, at time.Time) {
	title := event.Name
	s.calls = slices.DeleteFunc(s.calls, func(running call) bool {
		if running.id == event.Call {
			title = running.title
		}
		return running.id == event.Call
	})
	s.note(transcript.Step{At: at, Role: "tool", Name: event.Name, Title: title, Status: string(event.Status), Text: strings.Clone(head(event.Text, kept))})
}

func (s *state) turnEnded(event messages.TurnEnded, at time.Time) {
	if !s.heard {
		s.said.WriteString(event.Text)
	}
	s.flush(at)
	if event.Text != "" {
		s.answer = event.Text
	}
	if event.Err != "" {
		s.note(transcript.Step{At: at, Role: "system", Text: event.Err})
	}
	s.usage, s.calls = event.Usage, nil
}
