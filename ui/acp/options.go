package acp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/acp"
	"marvin/ui/command"
)

// The options of a session are the model, the thinking time, the approval mode and the coding mode.
// Older clients change the approval mode with session/set_mode.

// subject is the kind of setting that a change affects.
type subject uint8

const (
	ofModel subject = iota
	ofEffort
	ofMode
)

// The IDs of the options.
const (
	modelOption    = "model"
	effortOption   = "effort"
	approvalOption = "approval"
	codingOption   = "coding"
)

// change is a pending request that changes an option.
type change struct {
	id      json.RawMessage
	request string
	of      subject
	mode    bool // the request was session/set_mode
}

// mostModels is the maximum number of listed models.
const mostModels = 300

// changeTime is the time limit for a session to confirm a changed option. The limit is high,
// because Marvin sometimes runs a program to get the API key.
const changeTime = 30 * time.Second

// approvals returns the approval modes that the user can choose in the client. They include the
// mode "all" only while the session is in that mode.
func (s *session) approvals() []messages.Approval {
	return slices.DeleteFunc(messages.Approvals(), func(one messages.Approval) bool {
		return one == messages.ApproveAll && s.talk.Approval != messages.ApproveAll
	})
}

func (s *session) modes() modeState {
	state := modeState{Current: string(s.talk.Approval)}
	for _, one := range s.approvals() {
		state.All = append(state.All, mode{ID: string(one), Name: string(one), Description: one.Description()})
	}
	return state
}

// options returns all options with their current values.
func (s *session) options() []configOption {
	approval := configOption{ID: approvalOption, Name: "Approval", Description: "Which tool calls run without asking for approval", Category: "mode", Type: "select", Current: string(s.talk.Approval)}
	for _, one := range s.approvals() {
		approval.Options = append(approval.Options, configChoice{Value: string(one), Name: string(one), Description: one.Description()})
	}
	coding := configOption{ID: codingOption, Name: "Coding", Description: "File and command tools", Type: "boolean", Current: s.talk.Coding}
	if s.agent.client.Session.Options.Boolean == nil {
		coding.Type, coding.Current = "select", onOff(s.talk.Coding)
		coding.Options = []configChoice{{Value: "on", Name: "on"}, {Value: "off", Name: "off"}}
	}
	return []configOption{s.modelOption(), s.effortOption(), approval, coding}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func (s *session) modelOption() configOption {
	option := configOption{ID: modelOption, Name: "Model", Category: "model", Type: "select", Current: s.talk.Provider + "/" + s.talk.Model}
	add := func(choice command.Choice) {
		value := choice.Provider + "/" + choice.Model
		if len(option.Options) < mostModels && !slices.ContainsFunc(option.Options, func(one configChoice) bool { return one.Value == value }) {
			option.Options = append(option.Options, configChoice{Value: value, Name: cmp.Or(choice.Model, choice.Provider), Description: strings.TrimSpace(choice.Provider + " " + choice.About)})
		}
	}
	add(command.Choice{Provider: s.talk.Provider, Model: s.talk.Model})
	for _, choice := range s.models {
		add(choice)
	}
	return option
}

func (s *session) effortOption() configOption {
	option := configOption{ID: effortOption, Name: "Thinking", Description: "How long the model thinks before it answers", Category: "thought_level", Type: "select", Current: cmp.Or(s.talk.Effort, "auto")}
	steps, known := s.engine.Host.Efforts(command.Choice{Provider: s.talk.Provider, Model: s.talk.Model})
	if !known {
		steps = []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}
	}
	for _, step := range append([]string{"auto"}, steps...) {
		if !slices.ContainsFunc(option.Options, func(one configChoice) bool { return one.Value == step }) {
			option.Options = append(option.Options, configChoice{Value: step, Name: step})
		}
	}
	if current := option.Current.(string); !slices.ContainsFunc(option.Options, func(one configChoice) bool { return one.Value == current }) {
		option.Options = append(option.Options, configChoice{Value: current, Name: current})
	}
	return option
}

// tellOptions sends the options if they differ from the last ones sent.
func (s *session) tellOptions() {
	options := s.options()
	if reflect.DeepEqual(options, s.optionsSaid) {
		return
	}
	s.optionsSaid = options
	s.update(optionsUpdate{Kind: "config_option_update", Options: options})
}

func (s *session) tellMode() {
	if s.modeSaid != s.talk.Approval {
		s.modeSaid = s.talk.Approval
		s.update(modeUpdate{Kind: "current_mode_update", Mode: string(s.talk.Approval)})
	}
}

func (a *Agent) setMode(id json.RawMessage, asked modeParams) *acp.Fault {
	session, wrong := a.session(asked.Session)
	if wrong != nil {
		return wrong
	}
	op, same, wrong := session.approve(asked.Mode)
	switch {
	case wrong != nil:
		return wrong
	case same:
		a.reply(id, empty{})
	default:
		session.change(change{id: id, of: ofMode, mode: true}, op)
	}
	return nil
}

func (a *Agent) setOption(id json.RawMessage, asked optionParams) *acp.Fault {
	session, wrong := a.session(asked.Session)
	if wrong != nil {
		return wrong
	}
	op, of, same, wrong := session.opFor(asked)
	switch {
	case wrong != nil:
		return wrong
	case same:
		a.reply(id, optionsTold{Options: session.options()})
	default:
		session.change(change{id: id, of: of}, op)
	}
	return nil
}

// opFor returns the op that sets an option to the requested value, and the subject of the change.
// It also reports whether the option already has the requested value.
func (s *session) opFor(asked optionParams) (op messages.Op, of subject, same bool, wrong *acp.Fault) {
	value := string(bytes.Trim(asked.Value, `"`))
	known := func(option configOption) bool {
		return slices.ContainsFunc(option.Options, func(one configChoice) bool { return one.Value == value })
	}
	switch asked.Option {
	case modelOption:
		provider, model, _ := strings.Cut(value, "/")
		if !known(s.modelOption()) {
			return nil, 0, false, acp.Faultf(acp.CodeParams, "invalid params: there is no model %q in the list", value)
		}
		return messages.SetModel{Provider: provider, Model: model}, ofModel, value == s.talk.Provider+"/"+s.talk.Model, nil
	case effortOption:
		if !known(s.effortOption()) {
			return nil, 0, false, acp.Faultf(acp.CodeParams, "invalid params: there is no thinking level %q", value)
		}
		return messages.SetModel{Effort: value}, ofEffort, value == cmp.Or(s.talk.Effort, "auto"), nil
	case approvalOption:
		op, same, wrong := s.approve(value)
		return op, ofMode, same, wrong
	case codingOption:
		if !slices.Contains([]string{"true", "false", "on", "off"}, value) {
			return nil, 0, false, acp.Faultf(acp.CodeParams, "invalid params: the value of \"coding\" must be true or false")
		}
		on := value == "true" || value == "on"
		return messages.SetMode{Coding: on}, ofMode, on == s.talk.Coding, nil
	}
	return nil, 0, false, acp.Faultf(acp.CodeParams, "invalid params: there is no option %q", asked.Option)
}

func (s *session) approve(value string) (op messages.Op, same bool, wrong *acp.Fault) {
	mode := messages.Approval(value)
	if !slices.Contains(s.approvals(), mode) {
		return nil, false, acp.Faultf(acp.CodeParams, "invalid params: there is no approval mode %q", value)
	}
	return messages.SetApproval{Mode: mode}, mode == s.talk.Approval, nil
}

// change sends an operation to the session. The client gets an answer when the session confirms or
// refuses the operation.
func (s *session) change(one change, op messages.Op) {
	s.requests++
	one.request = "c" + strconv.Itoa(s.requests)
	s.changes = append(s.changes, one)
	s.conversation.Client.Send(messages.Request{ID: one.request, Op: op})
	s.agent.runLater(changeTime, s.gone, func() {
		s.changeRefused(messages.Refused{Request: one.request, Err: "the session did not confirm the option in time"})
	})
}

// answerChanges sends the current options to the client, and then answers the pending changes of a
// subject.
func (s *session) answerChanges(of subject) {
	s.tellOptions()
	if of == ofMode {
		s.tellMode()
	}
	s.changes = slices.DeleteFunc(s.changes, func(one change) bool {
		if one.of != of {
			return false
		}
		if one.mode {
			s.agent.reply(one.id, empty{})
		} else {
			s.agent.reply(one.id, optionsTold{Options: s.options()})
		}
		return true
	})
}

func (s *session) changeRefused(event messages.Refused) {
	s.changes = slices.DeleteFunc(s.changes, func(one change) bool {
		if one.request != event.Request {
			return false
		}
		s.agent.fail(one.id, acp.Faultf(acp.CodeParams, "%s", event.Err))
		return true
	})
}
