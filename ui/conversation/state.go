package conversation

import (
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/transcript"
)

// State is the state of a conversation, built from its events. A State is not safe for concurrent
// use. The zero value is a conversation that has not been opened.
type State struct {
	Opened, Closed bool

	Provider, Model string // the model for the next turn
	Profile         string
	Dir             string // the working directory; paths are relative to it
	Coding          bool
	Approval        messages.Approval // "" until the conversation opens
	Effort          string            // how long models think; "" lets each model decide

	Turn    Turn
	Calls   []*Call          // running calls, oldest first
	Asked   []messages.Asked // open questions, oldest first
	Settled int              // answer count; reset when a question is added to an empty Asked
	Plan    messages.Plan    // the model's plan; a finished plan is removed when the next turn starts
	Grants  []messages.Grant
	Queue   Queue
	Usage   messages.Usage
	Context messages.Context

	Diagnosed Diagnostics // the language servers' current reports

	// Before is the number of prompts in earlier conversations. [State.Usage] includes the cost
	// of those conversations.
	Before   int
	Messages int    // number of prompts and answers
	Title    string // the title that the user gave, if any
	Session  string // the id of a resumed conversation, or ""
	Answer   string // the last answer
	Steps    []transcript.Step
}

// Turn is the running turn, or the last one.
type Turn struct {
	Running         bool
	Began           time.Time
	Provider, Model string    // the model of this turn, perhaps a substitute
	Doing           string    // current activity, such as "answering" or the names of tools
	Until           time.Time // time of the next request to the model; zero if none is scheduled
	Quiet           time.Time // start of the current pause in the answer; zero without a pause
	Heard           bool      // the answer arrived in pieces

	said strings.Builder // the part of the answer after the last tool call
	mind turnThoughts
}

// Call is a tool call. Its title and summary are not cleaned, so they are not safe to draw.
type Call struct {
	ID      string
	Name    string
	Title   string
	Command string          // the whole command, if the title shortens it
	Status  messages.Status // empty while the call runs
	Exit    int             // as in messages.ToolEnded
	Job     string          // the job that continues the call
	Summary string
	Begun   time.Time
	Took    time.Duration
	Past    bool    // the call's duration is unknown, as in a resumed conversation
	Diff    bool    // the result is a unified diff
	Agents  []Agent // sub-agents, sorted by number
}

// Agent is the last known state of a sub-agent.
type Agent struct {
	messages.AgentChanged
	Began time.Time // by the sender's clock
}

// Runs reports whether the sub-agent is still running.
func (a Agent) Runs() bool {
	return a.State == messages.AgentWorking || a.State == messages.AgentAsking || a.State == messages.AgentWaiting
}

// Running returns the sub-agents that have not ended, in the order of their calls.
func (s *State) Running() (all []Agent) {
	for _, call := range s.Calls {
		for _, one := range call.Agents {
			if one.Runs() {
				all = append(all, one)
			}
		}
	}
	return all
}

// Heading returns the conversation's title, or the first line of the first prompt if the title is
// empty.
func (s *State) Heading() string {
	if s.Title != "" {
		return s.Title
	}
	for _, step := range s.Steps {
		if line, _, _ := strings.Cut(strings.TrimSpace(step.Text), "\n"); step.Role == "you" && line != "" {
			return Head(line, 120)
		}
	}
	return ""
}

// AddStep adds a step that has no event, such as a command that the user ran.
func (s *State) AddStep(step transcript.Step) {
	s.Steps = append(s.Steps, step)
}

// Ran reports whether the user ran a shell command.
func (s *State) Ran() bool {
	return slices.ContainsFunc(s.Steps, func(step transcript.Step) bool { return step.Role == "shell" })
}

// RecordSent records that a prompt was sent. It marks the turn as running before
// [messages.TurnStarted] arrives.
func (s *State) RecordSent(at time.Time) {
	s.Turn.Running, s.Turn.Began = true, at
	s.Turn.Doing = "sending"
}
