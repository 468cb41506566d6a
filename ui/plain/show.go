package plain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
)

// event applies the given envelope to s.talk and shows the change.
func (s *Screen) event(envelope messages.Envelope) {
	if prompt := s.promptOfOthers(envelope.Event); prompt != "" {
		s.say("> " + prompt)
	}
	change := s.talk.Apply(envelope)
	if endsFormatting(envelope.Event) {
		s.settle()
		s.release()
	}
	if change.Thought != nil && s.Terminal != nil {
		s.tell.showThought(change.Thought.Took)
	}
	switch event := envelope.Event.(type) {
	case messages.Opened:
		s.showGreeting(event)
	case messages.Text:
		s.chunk(event.Chunk)
	case messages.ToolsCalled:
		s.tell.showCalled(event, envelope.At)
	case messages.ToolOutput:
		s.tell.progress(event, envelope.At)
	case messages.AgentChanged:
		s.tell.agent(event)
	case messages.ToolEnded:
		if event.Title = change.Call.Title; s.talk.Turn.Provider == toolsOnly {
			event.Summary = "" // the answer, which follows, contains the same text
		}
		s.tell.toolEnded(event)
	case messages.Asked:
		if s.Terminal == nil && event.Tool == "" {
			// The question is about the conversation itself. Without a terminal, no user sees the
			// question, and the next line is a prompt. Marvin therefore answers "no".
			s.ask.settle(messages.Answer{Ask: event.Ask, Choice: messages.No})
			return
		}
		s.ask.updateQuestion()
	case messages.Answered:
		s.ask.updateQuestion()
		if change.Settled != "" {
			s.say("[System] " + change.Settled)
		}
	case messages.TurnEnded:
		s.turnEnded(event, envelope.At)
	case messages.Recalled:
		s.tell.showTurn(event, s.formatsAnswers())
	case messages.Rewound:
		s.rewound(event)
	case messages.AgentShown:
		s.say(fmt.Sprintf("Sub-agent %d, %s (%s):\n%s", event.Agent, event.Name, event.State, event.Text))
	case messages.Tree, messages.Artifacts, messages.Changes: // shown by commands
	case messages.Notice:
		if s.inSentence {
			s.late = append(s.late, event)
			return
		}
		s.remark(event, change)
	case messages.Resumed, messages.Granted, messages.PlanChanged, messages.Compacted, messages.Cleared, messages.Waiting, messages.ModelChanged, messages.ModeChanged:
		s.remark(event, change)
	case messages.TurnStarted:
		if len(event.Pictures) > 0 {
			s.say(strings.Join(event.Pictures, " "))
		}
	case messages.Steered, messages.Closed, messages.ContextShown, messages.NeedsShown, messages.EffortChanged, messages.Diagnosed: // handled by s.talk or s.engine
	case messages.Thinking, messages.ToolStarted, messages.UsageChanged: // not shown, to limit the number of lines
	case messages.Refused, messages.Withdrawn: // not shown; s.talk handles Withdrawn
	}
}

// promptOfOthers returns the event's prompt if another window sent that prompt, and "" otherwise.
func (s *Screen) promptOfOthers(event messages.Event) string {
	prompt := ""
	switch event := event.(type) {
	case messages.TurnStarted:
		prompt = event.Prompt
	case messages.Steered:
		prompt = event.Prompt
	default: // not a prompt
	}
	if !s.Joined || slices.ContainsFunc(s.talk.Queue, func(own conversation.Queued) bool { return own.Sent && own.Text == prompt }) {
		return ""
	}
	return prompt
}

// chunk writes a piece of the answer. The waiting notices are shown at the end of the current line
// or, in a formatted answer, of the current paragraph.
func (s *Screen) chunk(text string) {
	end := "\n"
	if s.formatsAnswers() {
		end = "\n\n"
	}
	if at := strings.Index(text, end); at >= 0 && len(s.late) > 0 {
		s.piece(text[:at+len(end)])
		s.release()
		text = text[at+len(end):]
	}
	if text != "" {
		s.piece(text)
		s.inSentence = !strings.HasSuffix(text, end)
	}
}

func (s *Screen) piece(text string) {
	if s.formatsAnswers() {
		s.showFormatted(text)
		return
	}
	s.showPlain(text)
}

// release writes the notices that waited for the end of a line.
func (s *Screen) release() {
	late := s.late
	s.late, s.inSentence = nil, false
	for _, notice := range late {
		s.remark(notice, conversation.Change{})
	}
}

// formatsAnswers reports whether answers are shown as formatted Markdown. Formatting requires a
// terminal and a provider with a model.
func (s *Screen) formatsAnswers() bool { return s.Terminal != nil && s.talk.Turn.Provider != toolsOnly }

// showGreeting shows the greeting and submits the first prompt.
func (s *Screen) showGreeting(event messages.Opened) {
	s.line.remember(s.typedBefore(event.Profile))
	s.say(fmt.Sprintf("Marvin (%s %s), profile %s. Type a message; /help lists the commands, Ctrl-C cancels; to leave, type quit or press Ctrl-D.", event.Provider, event.Model, event.Profile))
	if s.Terminal != nil && s.First == "" && s.Place != nil {
		for _, line := range s.talk.Welcome(s.Place(event.Dir))[2:] {
			s.greet(termsafe.Line(line))
		}
	}
	if len(s.line.wrong) > 0 && s.edits {
		s.say("[System] config.yaml, keys: " + strings.Join(s.line.wrong, "; "))
	}
	if s.First != "" {
		s.engine.Begin(s.First)
	}
}

// remark tells the user about a change that is not part of the conversation.
func (s *Screen) remark(event messages.Event, change conversation.Change) {
	switch event := event.(type) {
	case messages.Resumed:
		s.tell.above = false
		s.say(ui.ResumedText(event))
	case messages.Notice:
		s.say(prefix(event.Level) + event.Text)
	case messages.Granted:
		if change.Grants != "" {
			s.say("[System] " + change.Grants)
		}
	case messages.PlanChanged:
		s.say("[Plan] " + change.Plan)
	case messages.Compacted:
		s.say(fmt.Sprintf("[System] The conversation was shortened from %d to %d tokens.", event.Before, event.After))
	case messages.Cleared:
		s.ask.updateQuestion()
		s.tell.showCleared(event)
	case messages.Waiting:
		s.release() // the rest of the line may arrive much later
		if event.Why != "" {
			s.say("[System] " + event.Why)
		}
	case messages.ModelChanged:
		if event.Why == "" { // a change with a reason already has a notice
			s.say("[System] now asking " + event.Provider + " " + event.Model)
		}
	case messages.ModeChanged:
		s.modeChanged(event, change)
	default: // Screen.event handles the other events
	}
}

func prefix(level messages.Level) string {
	if level == messages.Problem {
		return "[Error] "
	}
	return "[System] "
}

// modeChanged shows the new mode. If the profile has changed, it also loads the new profile's input
// history.
func (s *Screen) modeChanged(event messages.ModeChanged, change conversation.Change) {
	switch {
	case change.Profile:
		s.line.remember(s.typedBefore(event.Profile))
		s.say("[System] The profile is now " + event.Profile + ".")
	case change.Approval:
		s.say("[System] Approval mode " + string(event.Approval) + ": " + event.Approval.Description() + ".")
	case change.Moved && !change.Coding:
		s.say("[System] Working directory: " + event.Dir)
	default:
		text := "[System] Coding mode OFF"
		if event.Coding {
			text = "[System] Coding mode ON 🔧"
		}
		if event.Dir != "" {
			text += ", in " + event.Dir
		}
		s.say(text)
	}
}

// typedBefore returns a profile's input history.
func (s *Screen) typedBefore(profile string) []string {
	if s.Inputs == nil || s.Terminal == nil {
		return nil
	}
	return s.Inputs(profile)
}

func (s *Screen) turnEnded(event messages.TurnEnded, at time.Time) {
	s.ask.updateQuestion()
	if !s.talk.Turn.Heard && event.Text != "" { // the text did not arrive in pieces
		s.chunk(event.Text)
	}
	if event.Err != "" {
		s.say("[Error] " + event.Err)
	} else if event.Outcome == messages.Cancelled {
		s.say("[Cancelled]")
	}
	if event.Exit {
		s.leave()
		return
	}
	if s.WholeLines {
		s.say(fmt.Sprintf("[Done in %d s]", int(at.Sub(s.talk.Turn.Began).Seconds())))
	}
	s.say("")
}

func (s *Screen) rewound(event messages.Rewound) {
	s.tell.above = false
	s.say(ui.RewoundText(event))
	switch {
	case event.Again:
		s.say("> " + event.Prompt)
	case s.edits && s.line.Empty():
		s.line.SetText(event.Prompt)
	default:
		s.say("It was: " + event.Prompt)
	}
}
