package conversation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/transcript"
)

// resultKept is the maximum size, in bytes, of a tool result in a step.
const resultKept = 4000

// call applies an event about a tool call.
func (s *State) call(event messages.Event, at time.Time) (change Change) {
	switch event := event.(type) {
	case messages.ToolStarted:
		change.Call = s.openCall(event, at)
	case messages.ToolOutput:
		change.Call = s.running(event.Call)
	case messages.AgentChanged:
		if change.Call = s.running(event.Call); change.Call != nil {
			change.Call.agent(event, at)
		}
	case messages.ToolEnded:
		change.Call = s.closeCall(event, at)
	default: // State.Apply handles the other events
	}
	return change
}

func (s *State) running(id string) *Call {
	for _, call := range s.Calls {
		if call.ID == id {
			return call
		}
	}
	return nil
}

func (s *State) openCall(event messages.ToolStarted, at time.Time) *Call {
	call := &Call{ID: event.Call, Name: event.Name, Title: event.Title, Command: event.Command, Begun: at}
	s.Calls = append(s.Calls, call)
	return call
}

// closeCall records the end of a call. If s.Calls lacks the call, the call never ran: it was
// refused, or its tool does not exist.
func (s *State) closeCall(event messages.ToolEnded, at time.Time) *Call {
	call := cmp.Or(s.running(event.Call), &Call{ID: event.Call, Name: event.Name, Title: event.Title, Command: event.Command, Begun: at})
	s.Calls = slices.DeleteFunc(s.Calls, func(one *Call) bool { return one == call })
	call.Status, call.Exit, call.Job, call.Summary, call.Took = event.Status, event.Exit, event.Job, event.Summary, event.Took
	call.Diff = event.View != nil && event.View.Kind == messages.Diff
	title := cmp.Or(call.Title, event.Name)
	s.AddStep(transcript.Step{At: at, Role: "tool", Name: event.Name, Title: title, Command: call.Command, Status: event.Status.DescribeEnd(event.Exit, event.Job), Text: strings.Clone(Head(messages.Summary(event.Status, event.Text), resultKept))})
	return call
}

func (c *Call) agent(event messages.AgentChanged, told time.Time) {
	at, known := slices.BinarySearchFunc(c.Agents, event.Agent, func(one Agent, number int) int {
		return cmp.Compare(one.Agent, number)
	})
	one := Agent{event, told.Add(-event.Took)}
	if known {
		c.Agents[at] = one
		return
	}
	c.Agents = slices.Insert(c.Agents, at, one)
}

// Head shortens text to at most size bytes and appends a note. It does not split a character. A
// text that fits is returned unchanged.
func Head(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return strings.ToValidUTF8(text[:size], "") + "\n[… cut]"
}
