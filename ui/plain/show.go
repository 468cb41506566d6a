package plain

import (
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
)

// event shows what the conversation said.
func (s *Screen) event(envelope messages.Envelope) {
	change := s.talk.Apply(envelope)
	switch event := envelope.Event.(type) {
	case messages.Opened:
		s.begin(event)
	case messages.Text:
		s.text(event.Chunk)
	case messages.ToolsCalled:
		s.toldAt = envelope.At
		s.say("  🔧 " + termsafe.Line(strings.Join(event.Names, ", ")))
	case messages.ToolOutput:
		s.progress(event, envelope.At)
	case messages.AgentChanged:
		s.agent(event)
	case messages.ToolEnded:
		s.toolEnded(event)
	case messages.Asked:
		if s.Terminal == nil && event.Tool == "" { // guard: nobody at a pipe says yes
			// It is about the conversation, and comes before the first answer: the next line
			// of a pipe is a prompt, and nobody looked at what the question names.
			s.settle(messages.Answer{Ask: event.Ask, Choice: messages.No})
			return
		}
		s.asking()
	case messages.Answered:
		s.asking()
	case messages.TurnEnded:
		s.turnEnded(event, envelope.At)
	case messages.Recalled:
		s.recalled(event)
	case messages.Rewound:
		s.rewound(event)
	case messages.Tree, messages.Artifacts: // commands show it
	case messages.Resumed, messages.Notice, messages.Granted, messages.PlanChanged, messages.Compacted, messages.Cleared, messages.Waiting, messages.ModelChanged, messages.ModeChanged:
		s.remark(event, change)
	case messages.TurnStarted:
		if len(event.Pictures) > 0 {
			s.say(strings.Join(event.Pictures, " "))
		}
	case messages.Steered, messages.Closed, messages.ContextShown, messages.NeedsShown, messages.EffortChanged, messages.Diagnosed: // the state has it, or the commands say it
	case messages.Thinking, messages.ToolStarted, messages.UsageChanged: // too much for lines that stay
	case messages.Refused, messages.Withdrawn: // answers to requests with an identity, which a terminal does not send
	}
}

// begin greets, and asks what the program was started with.
func (s *Screen) begin(event messages.Opened) {
	s.useProfile(event.Profile)
	s.say(fmt.Sprintf("Marvin (%s %s), profile %s. Type a message; /help lists the commands, Ctrl-C cancels, quit or Ctrl-D leaves.", event.Provider, event.Model, event.Profile))
	if s.Terminal != nil && s.First == "" && s.Place != nil {
		for _, line := range s.talk.Welcome(s.Place(event.Dir))[2:] {
			s.say(line)
		}
	}
	if len(s.line.wrong) > 0 && s.Edits {
		s.say("[System] keys: in config.yaml: " + strings.Join(s.line.wrong, "; "))
	}
	if s.First != "" {
		s.engine.Begin(s.First)
	}
}

// remark says what changed without being part of the conversation.
func (s *Screen) remark(event messages.Event, change conversation.Change) {
	switch event := event.(type) {
	case messages.Resumed:
		s.above = false
		s.say(ui.TakenUp(event))
	case messages.Notice:
		s.say(prefix(event.Level) + event.Text)
	case messages.Granted:
		if change.Grants != "" {
			s.say("[System] " + change.Grants)
		}
	case messages.PlanChanged:
		s.say("[Plan] " + change.Plan)
	case messages.Compacted:
		s.say(fmt.Sprintf("[System] %d tokens became %d.", event.Before, event.After))
	case messages.Cleared:
		s.asking()
		s.cleared(event)
	case messages.Waiting:
		if event.Why != "" {
			s.say("[System] " + event.Why)
		}
	case messages.ModelChanged:
		s.say("[System] " + strings.TrimPrefix(event.Why+"; ", "; ") + "now asking " + event.Provider + " " + event.Model)
	case messages.ModeChanged:
		s.modeChanged(event, change)
	default: // event has the others
	}
}

// seldom is how often a tool may say how far it is: each time is a line that stays.
const seldom = 10 * time.Second

func (s *Screen) progress(event messages.ToolOutput, at time.Time) {
	if at.Sub(s.toldAt) >= seldom {
		s.toldAt = at
		s.say("  " + strings.TrimSpace(event.Chunk))
	}
}

// agent says how a sub-agent ended; what it does meanwhile would be a line every second.
func (s *Screen) agent(event messages.AgentChanged) {
	switch event.State {
	case messages.AgentEnded, messages.AgentFailed, messages.AgentStopped:
		s.say(fmt.Sprintf("  sub-agent %d, %s: %s after %s", event.Agent, event.Name, event.State, event.Took.Round(100*time.Millisecond)))
	}
}

func prefix(level messages.Level) string {
	if level == messages.Problem {
		return "[Error] "
	}
	return "[System] "
}

// text shows the next piece of the answer, or its whole lines.
func (s *Screen) text(chunk string) {
	if !s.Whole {
		s.print(chunk)
		return
	}
	s.out.held += chunk
	if at := strings.LastIndexByte(s.out.held, '\n'); at >= 0 {
		whole := s.out.held[:at+1]
		s.out.held = s.out.held[at+1:]
		s.print(whole)
	}
}

// flush shows the beginning of a line whose end did not come.
func (s *Screen) flush() {
	held := s.out.held
	s.out.held = ""
	s.print(held)
	s.put(s.out.flow.rest())
}

// diffRows is how much of a change is shown.
const diffRows = 40

// toolEnded tells of what went wrong and of what was changed; the rest the answer says.
func (s *Screen) toolEnded(event messages.ToolEnded) {
	if event.Status != messages.OK {
		name := event.Name
		if event.Title != "" {
			name = termsafe.Line(event.Title)
		}
		s.say(fmt.Sprintf("  %s: %s: %s", name, event.Status, event.Summary))
		return
	}
	s.say("  " + ui.CallLine(event))
	if event.View == nil || event.View.Kind != messages.Diff {
		return
	}
	rows := strings.Split(strings.TrimRight(event.View.Text, "\n"), "\n")
	for i, row := range rows {
		if i == diffRows {
			s.say(fmt.Sprintf("  … %d more lines", len(rows)-i))
			return
		}
		s.say("  " + row)
	}
}

// modeChanged says what is new, and takes the history of another profile.
func (s *Screen) modeChanged(event messages.ModeChanged, change conversation.Change) {
	switch {
	case change.Profile:
		s.useProfile(event.Profile)
		s.say("[System] The profile is now " + event.Profile + ".")
	case change.Approval:
		s.say("[System] Approval mode " + string(event.Approval) + ": " + event.Approval.Means() + ".")
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

// useProfile begins with what that person typed, and with nothing of another one.
func (s *Screen) useProfile(profile string) {
	s.line.history = newHistory(nil)
	if s.Inputs != nil && s.Terminal != nil {
		s.line.history = newHistory(s.Inputs(profile))
	}
}

func (s *Screen) turnEnded(event messages.TurnEnded, at time.Time) {
	s.asking()
	if event.Err != "" {
		s.say("[Error] " + event.Err)
	} else if event.Outcome == messages.Cancelled {
		s.say("[Cancelled]")
	}
	if event.Exit {
		s.leave()
		return
	}
	if s.Whole {
		s.say(fmt.Sprintf("[Done in %d s]", int(at.Sub(s.talk.Turn.Began).Seconds())))
	}
	s.say("")
}
