package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/termsafe"
)

// View is a conversation as a front end shows it. Its owner is one goroutine.
type View struct {
	Blocks []*Block
	Status Status
	Asked  []messages.Asked // open questions, oldest first
	Closed bool
	Plan   messages.Plan // what the model has set out to do; none once it is over and a turn begins

	calls  map[string]*Block // running calls
	grants []messages.Grant
	said   bool // the running turn has a piece of answer on the screen
}

// Status is what a status bar tells.
type Status struct {
	Provider string
	Model    string
	Profile  string
	Dir      string
	Coding   bool
	Approval messages.Approval
	Messages int // prompts and answers
	Usage    messages.Usage
	Context  messages.Context
	Busy     bool
	Since    time.Time // when the running turn began
	Doing    string    // what the turn does: "answering", "thinking", the tools
	Until    time.Time // when a waiting model is asked again; zero if none waits
	Quiet    time.Time // when the answer came to a stand; zero if it did not
}

// Apply takes the next event.
func (v *View) Apply(envelope messages.Envelope) {
	switch event := envelope.Event.(type) {
	case messages.Opened:
		v.Status.Provider, v.Status.Model, v.Status.Profile = safe(event.Provider), safe(event.Model), safe(event.Profile)
		v.Status.Dir, v.Status.Coding, v.Status.Approval = safe(event.Dir), event.Coding, event.Approval
	case messages.TurnStarted:
		v.turnStarted(event, envelope.At)
	case messages.Steered:
		v.add(Prompt).write(event.Prompt)
		v.Status.Messages++
	case messages.Text:
		v.doing("answering")
		v.said = true
		v.last(Answer).write(event.Chunk)
	case messages.Thinking:
		v.doing("thinking")
		v.last(Thinking).write(event.Chunk)
	case messages.ToolsCalled:
		v.doing(safe(strings.Join(event.Names, ", ")))
	case messages.ToolStarted:
		v.toolStarted(event, envelope.At)
	case messages.ToolOutput:
		if block := v.calls[event.Call]; block != nil {
			block.write(event.Chunk)
		}
	case messages.AgentChanged:
		if block := v.calls[event.Call]; block != nil {
			block.agent(event)
		}
	case messages.ToolEnded:
		v.toolEnded(event, envelope.At)
	case messages.PlanChanged:
		v.Plan = event.Plan
	case messages.Asked:
		v.asked(event)
	case messages.Answered:
		v.answered(event.Ask)
	case messages.Granted:
		if changed := ui.Grants(v.grants, event.Grants); changed != "" {
			v.Say(messages.Info, changed)
		}
		v.grants = event.Grants
	case messages.Notice:
		v.Say(event.Level, event.Text)
	case messages.Waiting:
		v.Status.Until, v.Status.Quiet = event.Until, event.Since
		if !event.Until.IsZero() { // a stand is for the status, which counts
			v.Say(messages.Warning, event.Why)
		}
	case messages.ModelChanged:
		v.Status.Provider, v.Status.Model = safe(event.Provider), safe(event.Model)
		v.Say(messages.Info, strings.TrimPrefix(event.Why+"; ", "; ")+"now asking "+event.Provider+" "+event.Model)
	case messages.ModeChanged:
		v.modeChanged(event)
	case messages.Compacted:
		v.Say(messages.Info, fmt.Sprintf("── Context compacted. Older messages summarized: %d tokens became %d. ──", event.Before, event.After))
	case messages.UsageChanged:
		v.Status.Usage = event.Usage
		if event.Context.Limit > 0 {
			v.Status.Context = event.Context
		}
	case messages.Cleared:
		v.Blocks, v.calls, v.said, v.Asked, v.Plan = nil, nil, false, nil, messages.Plan{}
		v.Status.Messages, v.Status.Context = 0, messages.Context{}
	case messages.TurnEnded:
		v.turnEnded(event, envelope.At)
	case messages.Recalled:
		v.recalled(event)
	case messages.Resumed:
		v.Say(messages.Info, ui.TakenUp(event))
	case messages.Closed:
		v.Closed = true
	case messages.Refused, messages.Withdrawn: // answers to requests with an identity, which a screen does not send
	}
}

func safe(text string) string { return termsafe.String(text) }

func (v *View) doing(what string) {
	v.Status.Doing, v.Status.Until, v.Status.Quiet = what, time.Time{}, time.Time{}
}

func (v *View) turnStarted(event messages.TurnStarted, at time.Time) {
	v.Status.Busy, v.Status.Since = true, at
	v.doing("waiting for the model")
	v.Status.Messages++
	v.said, v.calls = false, map[string]*Block{}
	if v.Plan.Over() {
		v.Plan = messages.Plan{}
	}
	v.add(Prompt).write(event.Prompt)
}

func (v *View) toolStarted(event messages.ToolStarted, at time.Time) {
	block := v.add(Call)
	block.Tool = &Running{Call: event.Call, Name: safe(event.Name), Title: oneLine(event.Title), Begun: at}
	if v.calls == nil {
		v.calls = map[string]*Block{}
	}
	v.calls[event.Call] = block
}

func (v *View) toolEnded(event messages.ToolEnded, at time.Time) {
	if v.calls[event.Call] == nil { // it never ran: refused, or no such tool
		v.toolStarted(messages.ToolStarted{Call: event.Call, Name: event.Name}, at)
	}
	block := v.calls[event.Call]
	delete(v.calls, event.Call)
	block.Tool.Status, block.Tool.Summary, block.Tool.Took = event.Status, oneLine(event.Summary), event.Took
	if event.View != nil {
		block.Tool.Diff = event.View.Kind == messages.Diff
		block.replace(event.View.Text)
		return
	}
	block.replace(event.Text)
}

// modeChanged says what is new: on a narrow screen nothing else might tell.
func (v *View) modeChanged(event messages.ModeChanged) {
	status := &v.Status
	if event.Profile != "" { // who changed it was told
		status.Profile = safe(event.Profile)
	}
	switch dir := safe(event.Dir); {
	case event.Coding == status.Coding && dir != status.Dir:
		v.Say(messages.Info, "Working directory: "+event.Dir)
	case event.Coding && !status.Coding:
		v.Say(messages.Info, "Coding mode ON 🔧, in "+event.Dir)
	case !event.Coding && status.Coding:
		v.Say(messages.Info, "Coding mode OFF")
	}
	if event.Approval != status.Approval {
		v.Say(messages.Info, "Approval mode "+string(event.Approval)+": "+event.Approval.Means())
	}
	status.Dir, status.Coding, status.Approval = safe(event.Dir), event.Coding, event.Approval
}

// asked opens a question, or has its new deadline.
func (v *View) asked(event messages.Asked) {
	for i, open := range v.Asked {
		if open.Ask == event.Ask {
			v.Asked[i] = event
			return
		}
	}
	v.Asked = append(v.Asked, event)
}

func (v *View) answered(ask string) {
	for i, asked := range v.Asked {
		if asked.Ask == ask {
			v.Asked = append(v.Asked[:i:i], v.Asked[i+1:]...)
			return
		}
	}
}

func (v *View) turnEnded(event messages.TurnEnded, at time.Time) {
	if !v.said && event.Text != "" {
		v.add(Answer).write(event.Text)
		v.said = true
	}
	if v.said {
		v.Status.Messages++
	}
	for _, block := range v.calls {
		block.Tool.Status, block.Tool.Took = messages.Interrupted, at.Sub(block.Tool.Begun)
	}
	v.calls, v.Asked = nil, nil
	v.Status.Busy, v.Status.Doing, v.Status.Until = false, "", time.Time{}
	v.Status.Usage = event.Usage
	switch {
	case event.Err != "":
		v.Say(messages.Problem, event.Err)
	case event.Outcome == messages.Cancelled:
		v.Say(messages.Info, "[Cancelled]")
	}
}

// Say adds a line that is no part of the conversation.
func (v *View) Say(level messages.Level, text string) {
	kind := Notice
	if level == messages.Problem {
		kind = Failure
	}
	v.add(kind).write(text)
}

// add begins a block. Calls and remarks of one kind stand together without a gap.
func (v *View) add(kind Kind) *Block {
	block := &Block{Kind: kind, Raw: v.Status.Provider == toolsOnly}
	if len(v.Blocks) > 0 {
		block.Gap = kind == Prompt || kind == Answer || v.Blocks[len(v.Blocks)-1].Kind != kind
	}
	v.Blocks = append(v.Blocks, block)
	return block
}

// last is the block that more text of a kind belongs to. Remarks that came meanwhile do
// not break it: half a table is none.
func (v *View) last(kind Kind) *Block {
	for _, block := range slices.Backward(v.Blocks) {
		if block.Kind == kind {
			return block
		}
		if block.Kind != Notice && block.Kind != Failure {
			break
		}
	}
	return v.add(kind)
}

// toolsOnly is the provider without a model, whose answers are what tools printed: the
// stars in the name of a file are no emphasis.
const toolsOnly = "offline"

func oneLine(text string) string {
	text, _, _ = strings.Cut(safe(text), "\n")
	return strings.ReplaceAll(text, "\t", " ")
}
