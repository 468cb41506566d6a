package acp

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"

	"marvin/messages"
	"marvin/messages/acp"
	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/slash"
)

var quitOp = messages.Quit{}

// session is an open session. Only the agent's loop may use it.
type session struct {
	agent        *Agent
	id           string
	conversation Conversation
	engine       *command.Engine
	talk         conversation.State

	waiting   json.RawMessage // ID of the request that opened the session
	as        entry
	announced bool
	held      []any // updates to send after the session is announced
	quitting  bool
	gone      chan struct{} // closed after the session's last event
	then      []func()      // functions that run after the session has closed

	prompts  []*prompt // the first one is current, the others wait
	requests int
	changes  []change
	calls    map[string]*call // calls of the running turn
	models   []command.Choice // known models that can be used
	written  []slash.WrittenCommand
	titled   bool

	optionsSaid []configOption
	modeSaid    messages.Approval
}

// tell informs the client about an event.
func (s *session) tell(envelope messages.Envelope) {
	switch event := envelope.Event.(type) {
	case messages.Opened:
		if s.as == isNew {
			s.announce()
		}
	case messages.Recalled:
		if s.as == isLoaded {
			s.replay(event)
		}
	case messages.Resumed:
		s.titled = event.Title != ""
		s.announce()
		if s.titled {
			s.update(infoUpdate{Kind: "session_info_update", Title: event.Title, Updated: stamp(event.Left)})
		}
	case messages.TurnStarted:
		s.turnStarted(envelope.Turn, event, envelope.At)
	case messages.TurnEnded:
		s.turnEnded(envelope.Turn, event, envelope.At)
	case messages.Text:
		s.update(textChunk("agent_message_chunk", event.Chunk))
	case messages.Thinking:
		s.update(textChunk("agent_thought_chunk", event.Chunk))
	case messages.ToolStarted, messages.ToolOutput, messages.ToolEnded, messages.AgentChanged:
		s.tellCall(event, envelope.At)
	case messages.Asked:
		s.ask(event)
	case messages.Answered:
		s.closeQuestion(event)
	case messages.Refused:
		s.refused(event)
	case messages.Withdrawn:
		s.withdrawn(event.Request)
	case messages.Notice:
		s.notice(event.Level, event.Text)
	default:
		s.tellState(event)
	}
}

// tellState tells the client about a change to the session's plan, usage or settings.
func (s *session) tellState(event messages.Event) {
	switch event := event.(type) {
	case messages.PlanChanged:
		s.update(planOf(event.Plan))
	case messages.UsageChanged:
		s.tellUsage()
	case messages.ModelChanged:
		s.answerChanges(ofModel)
		s.tellUsage()
	case messages.EffortChanged:
		s.answerChanges(ofEffort)
	case messages.ModeChanged:
		s.answerChanges(ofMode)
	case messages.Cleared:
		s.update(planOf(messages.Plan{}))
	case messages.Waiting:
		s.sendNotice(messages.Info, event.Why)
	default: // the protocol has no update for other events
	}
}

// announce responds to the request that opened the session, and then sends the rest of the
// session's state. The response comes first, because some clients reject updates for unknown
// sessions.
func (s *session) announce() {
	if s.announced {
		return
	}
	s.models = s.engine.Host.KnownModels(messages.NeedsShown{})
	told := opened{Modes: s.modes(), Options: s.options()}
	if s.as == isNew || s.as == isForked {
		told.Session = s.id
	}
	s.agent.reply(s.waiting, told)
	s.announced = true
	if s.as == isNew {
		s.optionsSaid, s.modeSaid = told.Options, s.talk.Approval
	} else { // some clients show the options and the mode only after an update
		s.tellOptions()
		s.tellMode()
	}
	s.tellCommands()
	s.tellUsage()
	held := s.held
	s.held = nil
	for _, update := range held {
		s.update(update)
	}
	s.lookUp()
}

// lookUp loads s.models and s.written in the background and sends the changes to the client.
func (s *session) lookUp() {
	host, dir := s.engine.Host, s.talk.Dir
	s.agent.runOutside(func() func() {
		models, written := host.Models(s.agent.ctx, messages.NeedsShown{}), host.ListWritten(s.agent.ctx, dir)
		return func() {
			s.models = models
			s.tellOptions()
			if len(written) > 0 {
				s.written = written
				s.tellCommands()
			}
		}
	})
}

// update sends an update to the client, or adds the update to s.held if the session is not
// announced yet.
func (s *session) update(update any) {
	if !s.announced {
		s.held = append(s.held, update)
		return
	}
	s.send(update)
}

func (s *session) send(update any) {
	select {
	case <-s.gone:
		return // the client closed the session
	default:
	}
	s.agent.notify("session/update", updateParams{Session: s.id, Update: update})
}

// say sends Marvin's own text as part of the answer. It sends a notice instead if no prompt is
// running and the client supports notices.
func (s *session) say(level messages.Level, text string) {
	if len(s.prompts) == 0 && s.sendNotice(level, text) {
		return
	}
	if level == messages.Warning || level == messages.Problem {
		text = "⚠️ " + text
	}
	s.update(textChunk("agent_message_chunk", text+"\n\n"))
}

// notice sends a line that is not part of the conversation. A client without support for notices
// gets warnings, problems and the output of commands as part of the answer.
func (s *session) notice(level messages.Level, text string) {
	if s.sendNotice(level, text) {
		return
	}
	one := s.prompting()
	if level != messages.Info || one != nil && one.line != "" {
		s.say(level, text)
	}
}

// sendNotice sends a notice if the client supports notices, and reports whether it did.
func (s *session) sendNotice(level messages.Level, text string) bool {
	if s.agent.client.Session.Notices == nil || text == "" {
		return false
	}
	severity := map[messages.Level]string{messages.Warning: "warning", messages.Problem: "error"}[level]
	severity = cmp.Or(severity, "info")
	s.update(noticeUpdate{Kind: "notice", Severity: severity, Title: text})
	return true
}

func (s *session) tellUsage() {
	if s.talk.Context.Limit <= 0 {
		return
	}
	told := usageUpdate{Kind: "usage_update", Used: s.talk.Context.Used, Size: s.talk.Context.Limit}
	if spent := s.talk.Usage.Cost; spent > 0 {
		told.Cost = &acp.Cost{Amount: spent, Currency: "USD"}
	}
	s.update(told)
}

// replay sends an earlier turn.
func (s *session) replay(turn messages.Recalled) {
	s.send(textChunk("user_message_chunk", turn.Prompt))
	for i, step := range turn.Steps {
		switch {
		case step.Tool != "":
			s.send(acp.CallUpdate{
				Kind: "tool_call", ID: "before-" + strconv.Itoa(s.talk.Messages) + "-" + strconv.Itoa(i), Title: titleOf(step.Tool, step.Title), Name: step.Tool,
				What: kindOf(step.Tool), Status: endStatus(step.Status == messages.OK), Content: resultOf(step.Text), Input: inputOf(step.Command),
			})
		case step.Said:
			s.send(textChunk("user_message_chunk", step.Text))
		default:
			if step.Thinking != "" {
				s.send(textChunk("agent_thought_chunk", step.Thinking))
			}
			if step.Text != "" {
				s.send(textChunk("agent_message_chunk", step.Text))
			}
		}
	}
}

func planOf(plan messages.Plan) planUpdate {
	told := planUpdate{Kind: "plan", Entries: []acp.PlanEntry{}}
	statuses := map[messages.StepStatus]string{messages.StepInProgress: "in_progress", messages.StepDone: "completed"}
	for _, step := range plan.Steps {
		if step.Status == messages.StepCancelled {
			continue // the protocol has no status for canceled steps
		}
		status := cmp.Or(statuses[step.Status], "pending")
		told.Entries = append(told.Entries, acp.PlanEntry{Content: step.Text, Priority: "medium", Status: status})
	}
	return told
}

func textChunk(kind, text string) chunkUpdate {
	return chunkUpdate{Kind: kind, Content: textBlock(text)}
}

func textBlock(text string) acp.Block { return acp.Block{Type: "text", Text: &text} }

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }
