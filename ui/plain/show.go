package plain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/termsafe"
)

// event shows what the conversation said.
func (s *Screen) event(envelope messages.Envelope) {
	switch event := envelope.Event.(type) {
	case messages.Opened:
		s.opened, s.dir, s.coding, s.approval = true, event.Dir, event.Coding, event.Approval
		s.useProfile(event.Profile)
		s.say(fmt.Sprintf("Marvin (%s %s), profile %s. Type a message; /help lists the commands, Ctrl-C cancels, quit or Ctrl-D leaves.", event.Provider, event.Model, event.Profile))
		if s.First != "" {
			s.engine.Begin(s.First)
		}
	case messages.TurnStarted:
		s.running, s.begun = true, envelope.At
		if len(s.sent) > 0 && s.sent[0] == event.Prompt {
			s.sent = s.sent[1:]
		}
	case messages.Steered:
		if at := slices.Index(s.sent, event.Prompt); at >= 0 {
			s.sent = slices.Delete(s.sent, at, at+1)
		}
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
	case messages.Granted:
		if changed := ui.Grants(s.grants, event.Grants); changed != "" {
			s.say("[System] " + changed)
		}
		s.grants = event.Grants
	case messages.PlanChanged:
		s.say("[Plan] " + ui.PlanChange(s.plan, event.Plan))
		s.plan = event.Plan
	case messages.Notice:
		s.say(prefix(event.Level) + event.Text)
	case messages.Compacted:
		s.say(fmt.Sprintf("[System] %d tokens became %d.", event.Before, event.After))
	case messages.Cleared:
		s.sent, s.plan = nil, messages.Plan{}
		s.say("[System] A new conversation begins.")
	case messages.Waiting:
		if event.Why != "" {
			s.say("[System] " + event.Why)
		}
	case messages.ModelChanged:
		s.say("[System] " + strings.TrimPrefix(event.Why+"; ", "; ") + "now asking " + event.Provider + " " + event.Model)
	case messages.ModeChanged:
		s.modeChanged(event)
	case messages.Asked:
		if s.Terminal == nil && event.Tool == "" {
			// It is about the conversation, and comes before the first answer: the next line
			// of a pipe is a prompt, and nobody looked at what the question names.
			s.Client.Send(messages.Answer{Ask: event.Ask, Choice: messages.No})
			return
		}
		s.open(event)
	case messages.Answered:
		s.settled(event.Ask)
	case messages.TurnEnded:
		s.turnEnded(event, envelope.At)
	case messages.Recalled:
		s.recalled(event)
	case messages.Resumed:
		s.say(ui.TakenUp(event))
	case messages.Closed:
		s.closed = true
	case messages.Thinking, messages.ToolStarted, messages.UsageChanged: // too much for lines that stay
	case messages.Refused, messages.Withdrawn: // answers to requests with an identity, which a terminal does not send
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
	s.held += chunk
	if at := strings.LastIndexByte(s.held, '\n'); at >= 0 {
		whole := s.held[:at+1]
		s.held = s.held[at+1:]
		s.print(whole)
	}
}

// flush shows the beginning of a line whose end did not come.
func (s *Screen) flush() {
	held := s.held
	s.held = ""
	s.print(held)
}

// diffRows is how much of a change is shown.
const diffRows = 40

// toolEnded tells of what went wrong and of what was changed; the rest the answer says.
func (s *Screen) toolEnded(event messages.ToolEnded) {
	if event.Status != messages.OK {
		s.say(fmt.Sprintf("  %s: %s: %s", event.Name, event.Status, event.Summary))
		return
	}
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
func (s *Screen) modeChanged(event messages.ModeChanged) {
	mode, moved, switched := "OFF", event.Dir != s.dir, event.Coding != s.coding
	s.dir, s.coding = event.Dir, event.Coding
	if event.Coding {
		mode = "ON 🔧"
	}
	if event.Profile != "" && event.Profile != s.profile {
		s.useProfile(event.Profile)
		s.say("[System] The profile is now " + event.Profile + ".")
		return
	}
	if event.Approval != s.approval {
		s.approval = event.Approval
		s.say("[System] Approval mode " + string(event.Approval) + ": " + event.Approval.Means() + ".")
		return
	}
	if moved && !switched {
		s.say("[System] Working directory: " + event.Dir)
		return
	}
	text := "[System] Coding mode " + mode
	if event.Dir != "" {
		text += ", in " + event.Dir
	}
	s.say(text)
}

// useProfile begins with what that person typed, and with nothing of another one.
func (s *Screen) useProfile(profile string) {
	s.profile = profile
	s.line.history = newHistory(nil)
	if s.Inputs != nil && s.Terminal != nil {
		s.line.history = newHistory(s.Inputs(profile))
	}
}

func (s *Screen) turnEnded(event messages.TurnEnded, at time.Time) {
	s.running = false
	for len(s.asked) > 0 {
		s.settled(s.asked[0].Ask)
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
	if s.Whole {
		s.say(fmt.Sprintf("[Done in %d s]", int(at.Sub(s.begun).Seconds())))
	}
	s.say("")
}
