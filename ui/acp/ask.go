package acp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/acp"
	"marvin/ui/transcript"
)

// Each question to the user is a request with its own ID. The option IDs of a permission request
// contain a digest of the question, so an answer cannot settle the wrong question.

// question is an unanswered request to the client.
type question struct {
	session *session
	id      int64
	asked   messages.Asked
	answers map[string]messages.Answer // by option ID; nil for a form
	settled chan struct{}
	over    bool
}

// ask sends the user a question from the session.
func (s *session) ask(asked messages.Asked) {
	for _, open := range s.agent.asked {
		if open.session == s && open.asked.Ask == asked.Ask {
			return // a repeated question differs only in its deadline
		}
	}
	switch {
	case asked.Kind == messages.AskConsent, asked.Kind == messages.AskPlan:
		s.askPermission(asked)
	case s.agent.client.Elicitation.Form != nil:
		s.elicit(asked)
	default:
		s.askInWords(asked)
	}
}

// askInWords shows the question as text. An answer cannot be delivered during a turn, so the model
// ends the turn and finds the answer in the next prompt.
func (s *session) askInWords(asked messages.Asked) {
	text := "the editor cannot show a form"
	if asked.Kind == messages.AskChoice {
		s.update(textChunk("agent_message_chunk", "\n\n"+asked.Detail+"\n\n"))
		text = "The user is now reading your question. End your turn without repeating it; the next prompt is the answer."
	}
	s.conversation.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No, Text: text})
}

// askPermission asks whether a call may run or a plan may be carried out.
func (s *session) askPermission(asked messages.Asked) {
	about := s.callOf(asked)
	options, answers := s.permissions(asked)
	one := &question{session: s, asked: asked, answers: answers}
	one.id = s.agent.call("session/request_permission", acp.PermissionParams{Session: s.id, Call: about, Options: options})
	one.wait()
}

// wait adds the question to the open questions. If a consent question is not answered in time, the
// answer is No and the question closes.
func (q *question) wait() {
	agent := q.session.agent
	q.settled = make(chan struct{})
	agent.asked[q.id] = q
	if q.asked.Kind != messages.AskConsent {
		return // the session sets the deadlines for all kinds except consent
	}
	patience := cmp.Or(agent.Patience, 10*time.Minute)
	agent.runLater(patience, q.settled, func() {
		if !q.over {
			q.answer(messages.Answer{Choice: messages.No, Text: "no answer came within " + patience.String() + "; continue without this call, or end your turn and say what is missing"})
			q.close()
		}
	})
}

// close withdraws the question from the client.
func (q *question) close() {
	agent := q.session.agent
	if q.over {
		return
	}
	q.over = true
	close(q.settled)
	delete(agent.asked, q.id)
	agent.notify("$/cancel_request", cancelOurs{ID: q.id})
}

func (q *question) answer(answer messages.Answer) {
	answer.Ask = q.asked.Ask
	q.session.conversation.Client.Send(answer)
}

// callOf returns the call that a question is about. If the client does not know the call yet,
// callOf sends the call first, because some clients show no card for an unknown call.
func (s *session) callOf(asked messages.Asked) acp.CallUpdate {
	id := asked.Ask
	if call, _, within := strings.Cut(asked.Ask, "-ask-"); within && s.calls[call] != nil {
		id = call
	}
	told := acp.CallUpdate{ID: id, Title: asked.Title, Name: asked.Tool, What: kindOf(asked.Tool), Status: statusPending, Content: s.shown(asked)}
	if asked.Kind == messages.AskPlan {
		told.What = "switch_mode"
	}
	if s.calls[id] == nil {
		s.addCall(id).alone = asked.Tool == "" || asked.Kind != messages.AskConsent || s.ofAgent(id)
		first := told
		first.Kind, first.Content = "tool_call", nil
		s.update(first)
	}
	return told
}

// shown returns the content of a question. Changes to files become diffs, and everything else
// becomes text.
func (s *session) shown(asked messages.Asked) (content []acp.CallContent) {
	detail, diff := asked.Detail, ""
	if at := strings.Index("\n"+detail, "\n--- "); asked.Diff && at >= 0 {
		detail, diff = detail[:at], detail[at:]
	}
	diffs, _ := diffsOf(diff, s.talk.Dir)
	if diff != "" && len(diffs) == 0 {
		detail = asked.Detail
	}
	if asked.More != "" {
		detail += "\n\n" + asked.More
	}
	if strings.TrimSpace(detail) != "" {
		if asked.Kind != messages.AskPlan { // a plan is Markdown and needs no fence
			detail = transcript.Fenced(detail)
		}
		content = append(content, textContent(detail))
	}
	return append(content, diffs...)
}

// permissions returns the options of a question and the answer for each option ID.
func (s *session) permissions(asked messages.Asked) (options []acp.PermissionOption, answers map[string]messages.Answer) {
	answers = map[string]messages.Answer{}
	digest := sha256.Sum256([]byte(strings.Join([]string{s.id, asked.Ask, string(asked.Kind), asked.Title, asked.Detail, asked.Always, asked.Host}, "\x00")))
	add := func(word, name, kind string, answer messages.Answer) {
		id := word + "-" + hex.EncodeToString(digest[:12])
		options, answers[id] = append(options, acp.PermissionOption{ID: id, Name: name, Kind: kind}), answer
	}
	if asked.Kind == messages.AskPlan {
		for _, mode := range []messages.Approval{messages.ApproveEdits, messages.ApproveAsk, messages.ApproveAuto} {
			add("plan-"+string(mode), "Carry it out: "+mode.Description(), "allow_once", messages.Answer{Choice: messages.Yes, Mode: mode})
		}
		add("reject", "Go on planning", "reject_once", messages.Answer{Choice: messages.No})
		return options, answers
	}
	for _, choice := range asked.Choices {
		switch choice {
		case messages.Yes:
			add("allow", "Allow", "allow_once", messages.Answer{Choice: messages.Yes})
		case messages.Always:
			add("always", "Always allow: "+asked.Always, "allow_always", messages.Answer{Choice: messages.Always})
		case messages.No:
			add("reject", "Reject", "reject_once", messages.Answer{Choice: messages.No})
		}
	}
	return options, answers
}

// handleAnswer handles the client's answer to a question. It ignores an answer for which no
// question is open.
func (a *Agent) handleAnswer(got acp.Frame) {
	var id int64
	if json.Unmarshal(got.ID, &id) != nil {
		return
	}
	open := a.asked[id]
	if open == nil {
		return
	}
	delete(a.asked, id)
	open.over = true
	close(open.settled)
	switch {
	case got.Error != nil:
		open.answer(messages.Answer{Choice: messages.No, Text: "the editor could not ask: " + firstLine(got.Error.Message)})
	case open.answers == nil:
		open.answer(open.answerFrom(got.Result))
	default:
		open.answer(open.chosen(got.Result))
	}
}

// chosen returns the answer for the selected option. If the option is unknown or missing, the
// answer is messages.No.
func (q *question) chosen(result json.RawMessage) messages.Answer {
	said, wrong := acp.Params[acp.PermissionAnswer](result)
	if wrong != nil || said.Outcome.Outcome != "selected" {
		return messages.Answer{Choice: messages.No}
	}
	answer, known := q.answers[said.Outcome.Option]
	if !known {
		return messages.Answer{Choice: messages.No, Text: "the editor chose an option that this question does not have"}
	}
	return answer
}

// closeQuestion closes an answered question, whichever window answered it.
func (s *session) closeQuestion(event messages.Answered) {
	for _, open := range s.agent.asked {
		if open.session == s && open.asked.Ask == event.Ask {
			open.close()
			break
		}
	}
	one := s.calls[event.Ask]
	if one == nil || !one.alone {
		return
	}
	delete(s.calls, event.Ask)
	s.update(acp.CallUpdate{Kind: "tool_call_update", ID: event.Ask, Status: endStatus(event.Choice != messages.No)})
}

// ofAgent reports whether a question comes from a sub-agent of a running call.
func (s *session) ofAgent(ask string) bool {
	call, _, within := strings.Cut(ask, ".")
	return within && s.calls[call] != nil
}
