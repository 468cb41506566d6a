package conversation

import (
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/termsafe"
	"marvin/ui/transcript"
)

// Change describes those effects of an event that the new [State] does not show.
type Change struct {
	Moved    bool     // the working directory changed
	Coding   bool     // coding mode changed
	Approval bool     // the approval mode changed
	Profile  bool     // the profile changed
	Grants   string   // the added and removed permissions, in words
	Plan     string   // the changes to the plan, in words
	Call     *Call    // the call that began, progressed or ended
	Thought  *Thought // the completed thinking of the model
	Settled  string   // a message about a question that another window answered; "" for none
}

// Apply applies the next event.
func (s *State) Apply(envelope messages.Envelope) (change Change) {
	thought := s.Turn.mind.think(envelope.Event, envelope.At)
	change = s.take(envelope.Event, envelope.At)
	change.Thought = thought
	return change
}

func (s *State) take(event messages.Event, at time.Time) (change Change) {
	switch event := event.(type) {
	case messages.Opened:
		s.Opened, s.Provider, s.Model = true, event.Provider, event.Model
		s.Turn.Provider, s.Turn.Model = event.Provider, event.Model
		s.Profile, s.Dir, s.Coding, s.Approval = event.Profile, event.Dir, event.Coding, event.Approval
		s.Effort = event.Effort
	case messages.ModelChanged:
		s.modelChanged(event)
	case messages.EffortChanged:
		s.Effort = event.Effort
	case messages.ModeChanged:
		return s.modeChanged(event)
	case messages.TurnStarted, messages.Steered, messages.Text, messages.Thinking, messages.ToolsCalled, messages.Waiting, messages.TurnEnded:
		s.turn(event, at)
	case messages.ToolStarted, messages.ToolOutput, messages.AgentChanged, messages.ToolEnded:
		return s.call(event, at)
	case messages.Diagnosed:
		s.Diagnosed.update(event)
	case messages.PlanChanged:
		change.Plan = ui.PlanChange(s.Plan, event.Plan)
		s.Plan = event.Plan
	case messages.Asked:
		s.openQuestion(event)
	case messages.Answered:
		change.Settled = s.closeQuestion(event)
	case messages.Granted:
		change.Grants = ui.GrantChange(s.Grants, event.Grants)
		s.Grants = event.Grants
	case messages.Compacted:
		s.AddStep(transcript.Step{At: at, Role: "system", Text: "Older messages were summarized for the model."})
	case messages.UsageChanged:
		s.Usage = event.Usage
		if event.Context.Limit > 0 {
			s.Context = event.Context
		}
	case messages.Withdrawn:
		s.Queue.markUnsent(event.Request)
	case messages.Cleared:
		s.startOver(event.Why)
	case messages.Recalled:
		s.addTurn(event)
	case messages.Resumed:
		s.Title, s.Session = event.Title, event.ID
	case messages.Closed:
		s.Closed = true
	case messages.Rewound:
		if event.Again { // the prompt is sent once more
			s.RecordSent(at)
		}
	case messages.Notice, messages.Refused, messages.Tree, messages.Artifacts, messages.AgentShown, messages.ContextShown, messages.NeedsShown, messages.Changes: // these events do not change the state
	}
	return change
}

// modelChanged sets the model of the current turn. A lasting change also applies to later turns.
func (s *State) modelChanged(event messages.ModelChanged) {
	s.Turn.Provider, s.Turn.Model = event.Provider, event.Model
	if event.Why == "" || event.Stays {
		s.Provider, s.Model = event.Provider, event.Model
	}
	s.Context.Limit = 0 // unknown until the new model answers
}

func (s *State) modeChanged(event messages.ModeChanged) (change Change) {
	if event.Profile != "" {
		change.Profile = event.Profile != s.Profile
		s.Profile = event.Profile
	}
	change.Moved, change.Coding, change.Approval = event.Dir != s.Dir, event.Coding != s.Coding, event.Approval != s.Approval
	s.Dir, s.Coding, s.Approval = event.Dir, event.Coding, event.Approval
	if change.Moved { // s.Diagnosed contains paths relative to the old directory
		s.Diagnosed.files = nil
	}
	return change
}

// openQuestion opens a question, or updates its deadline.
func (s *State) openQuestion(event messages.Asked) {
	for i, open := range s.Asked {
		if open.Ask == event.Ask {
			s.Asked[i] = event
			return
		}
	}
	if len(s.Asked) == 0 {
		s.Settled = 0
	}
	s.Asked = append(s.Asked, event)
}

// Question returns the heading of the oldest open question.
func (s *State) Question() string {
	if len(s.Asked) == 0 {
		return ""
	}
	return s.Asked[0].Heading(s.Settled+1, s.Settled+len(s.Asked))
}

// closeQuestion closes a question. If another window answered the question, closeQuestion returns a
// message for the user.
func (s *State) closeQuestion(event messages.Answered) (by string) {
	at := slices.IndexFunc(s.Asked, func(asked messages.Asked) bool { return asked.Ask == event.Ask })
	title := ""
	if at >= 0 {
		title = s.Asked[at].Title
		s.Asked = slices.Delete(slices.Clone(s.Asked), at, at+1)
		s.Settled++
	}
	switch {
	case event.By == "":
		return ""
	case at < 0: // this window has already answered the question
		return termsafe.Line("Your answer came too late: " + event.By + " answered " + event.Words() + ".")
	default:
		return termsafe.Line(event.By + " answered " + event.Words() + ": " + title)
	}
}

// startOver starts a new conversation. It keeps the user's unsent prompts.
func (s *State) startOver(why messages.ClearedWhy) {
	switch why {
	case "", messages.ClearedHandoff:
		s.Before += s.prompts()
	case messages.ClearedResume: // the cost now covers only the resumed conversation
		s.Before = 0
	}
	s.Title, s.Session, s.Answer, s.Steps, s.Calls, s.Plan, s.Asked = "", "", "", nil, nil, messages.Plan{}, nil
	s.Messages, s.Context, s.Turn.Heard, s.Turn.mind.all = 0, messages.Context{}, false, nil
	if why == "" { // otherwise the new conversation receives the sent prompts
		s.Queue.forget()
	}
}

// addTurn adds a turn of a resumed conversation.
func (s *State) addTurn(event messages.Recalled) {
	s.Messages += 2
	s.Turn.mind.all = nil
	for _, step := range event.Steps {
		if step.Thinking != "" {
			s.Turn.mind.all = append(s.Turn.mind.all, Thought{Text: step.Thinking})
		}
	}
	for _, step := range transcript.Recalled(event) {
		switch step.Role {
		case "assistant":
			if step.Text != "" {
				s.Answer = step.Text
			}
		case "tool":
			step.Text = strings.Clone(Head(step.Text, resultKept))
		}
		s.AddStep(step)
	}
}
