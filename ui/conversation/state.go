package conversation

import (
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/transcript"
)

// State is one conversation, as its events tell. Its owner is one goroutine. The zero
// value is a conversation that did not open yet.
type State struct {
	Opened, Closed bool

	Provider, Model string // chosen for the next turn
	Profile         string
	Dir             string // where paths begin
	Coding          bool
	Approval        messages.Approval // "" as long as nothing opened
	Effort          string            // how long models think; "" is as each does by itself

	Turn    Turn
	Calls   []*Call          // that run, as they began
	Asked   []messages.Asked // open questions, oldest first
	Settled int              // how many were settled since one was open
	Plan    messages.Plan    // what the model has set out to do; none once it is over and a turn begins
	Grants  []messages.Grant
	Queue   Queue
	Usage   messages.Usage
	Context messages.Context

	Diagnosed Diagnosed // what language servers say of files now

	Before   int    // prompts of conversations that this one began behind; Usage has theirs too
	Messages int    // prompts and answers
	Title    string // if a person gave one
	Session  string // its id, if it was taken up
	Answer   string // of the last turn that had one
	Steps    []transcript.Step
}

// Turn is the running turn, or the last one.
type Turn struct {
	Running         bool
	Began           time.Time
	Provider, Model string    // who answers now: another one, where one took over
	Doing           string    // what it does: "answering", "thinking", the tools
	Until           time.Time // when a waiting model is asked again; zero if none waits
	Quiet           time.Time // when the answer came to a stand; zero if it did not
	Heard           bool      // the answer came in pieces

	said strings.Builder // of the answer, since the last call
	mind mind
}

// Call is a tool call. Its title and summary are as they came, and not safe to draw.
type Call struct {
	ID      string
	Name    string
	Title   string
	Command string          // the whole one, where the title cuts it short
	Status  messages.Status // empty while it runs
	Exit    int             // as in messages.ToolEnded
	Job     string          // the job that continues the call
	Summary string
	Begun   time.Time
	Took    time.Duration
	Past    bool    // it ran before this conversation was taken up; how long is not known
	Diff    bool    // its result is a unified diff
	Agents  []Agent // its sub-agents, by number
}

// Agent is a sub-agent as it was last told of.
type Agent struct {
	messages.AgentChanged
	Began time.Time // by the sender's clock
}

// Runs reports whether it has not ended.
func (a Agent) Runs() bool {
	return a.State == messages.AgentWorking || a.State == messages.AgentAsking || a.State == messages.AgentWaiting
}

// Running are the sub-agents that have not ended, in the order of their calls.
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

// Heading is what a page of the conversation is headed with: its title, or how it began.
func (s *State) Heading() string {
	if s.Title != "" {
		return s.Title
	}
	for _, step := range s.Steps {
		if line, _, _ := strings.Cut(strings.TrimSpace(step.Text), "\n"); step.Role == "you" && line != "" {
			return head(line, 120)
		}
	}
	return ""
}

// Note adds a step that no event tells of, such as a command that a person ran.
func (s *State) Note(step transcript.Step) {
	s.Steps = append(s.Steps, step)
}

// Ran reports whether the person ran a command of their own.
func (s *State) Ran() bool {
	return slices.ContainsFunc(s.Steps, func(step transcript.Step) bool { return step.Role == "shell" })
}

// Sent notes that the front end sent a prompt, until the conversation tells what came of it.
func (s *State) Sent(at time.Time) {
	s.Turn.Running, s.Turn.Began = true, at
	s.Turn.Doing = "sending"
}
