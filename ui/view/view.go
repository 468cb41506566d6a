package view

import (
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
)

// View is the display of a conversation. A View is not safe for concurrent use.
type View struct {
	conversation.State
	Blocks []*Block

	calls map[string]*Block // running calls
	order []string          // ids of the calls in the last reply
	mind  *thinkingTime     // start and end of the current thought, or nil if there is none

	about choice // the choice that the next notice is about

	pictures []*Picture // pictures kept for drawing, oldest first
	shown    uint32     // number of the latest picture
}

// Apply updates the view for the next event.
func (v *View) Apply(envelope messages.Envelope) {
	change := v.State.Apply(envelope)
	v.trackThinking(envelope)
	about := v.about
	v.about = anything
	switch event := envelope.Event.(type) {
	case messages.TurnStarted:
		v.calls = map[string]*Block{}
		v.showPrompt(event.Prompt, event.Pictures, event.Images)
	case messages.Steered:
		v.add(Prompt).write(event.Prompt)
	case messages.Text:
		v.last(Answer).write(event.Chunk)
	case messages.Thinking:
		block := v.last(Thinking)
		if block.mind == nil {
			block.mind = v.mind
		}
		block.write(event.Chunk)
	case messages.ToolStarted:
		v.begin(change.Call)
	case messages.ToolOutput:
		if block := v.calls[event.Call]; block != nil {
			block.write(event.Chunk)
		}
	case messages.ToolEnded:
		v.toolEnded(event, change.Call)
	case messages.TurnEnded:
		v.turnEnded(event)
	case messages.Cleared:
		v.Blocks, v.calls, v.pictures = nil, nil, nil
	case messages.Recalled:
		v.showTurn(event)
	case messages.Resumed:
		v.AddNotice(messages.Info, ui.ResumedText(event))
	case messages.Rewound:
		v.AddNotice(messages.Info, ui.RewoundText(event))
	case messages.Notice:
		v.addNotice(event.Level, about, event.Text)
	case messages.EffortChanged: // a notice follows
		v.about = effort
	case messages.Granted, messages.Waiting, messages.ModelChanged, messages.ModeChanged, messages.Compacted:
		v.remark(event, change)
	case messages.ToolsCalled:
		v.order = event.Calls
	case messages.Opened, messages.AgentChanged, messages.PlanChanged, messages.UsageChanged, messages.Diagnosed: // these events change only v.State
	case messages.Answered:
		if change.Settled != "" {
			v.AddNotice(messages.Info, change.Settled)
		}
	case messages.Asked: // shown in a panel
	case messages.Refused, messages.Withdrawn, messages.Tree, messages.Artifacts, messages.AgentShown, messages.ContextShown, messages.NeedsShown, messages.Changes, messages.Closed: // not shown
	}
}

// showPrompt shows a prompt and, below it, the names of its pictures and the pictures themselves.
func (v *View) showPrompt(text string, pictures []string, images []messages.Picture) {
	block := v.add(Prompt)
	block.write(text)
	if len(pictures) > 0 {
		block.write("\n" + strings.Join(pictures, " "))
	}
	v.show(block, images)
}

// trackThinking records when the model's thinking starts and ends.
func (v *View) trackThinking(envelope messages.Envelope) {
	switch envelope.Event.(type) {
	case messages.Thinking:
		if v.mind == nil {
			v.mind = &thinkingTime{began: envelope.At}
		}
	case messages.Text, messages.ToolsCalled, messages.ToolStarted, messages.Steered, messages.TurnEnded:
		if v.mind != nil {
			v.mind.ended, v.mind = envelope.At, nil
		}
	default: // other events do not start or end a thought
	}
}

// remark adds a notice for an event that is not part of the conversation.
func (v *View) remark(event messages.Event, change conversation.Change) {
	switch event := event.(type) {
	case messages.Granted:
		if change.Grants != "" {
			v.AddNotice(messages.Info, change.Grants)
		}
	case messages.Waiting:
		if !event.Until.IsZero() { // a pause within an answer causes no notice
			v.AddNotice(messages.Warning, event.Why)
		}
	case messages.ModelChanged:
		if event.Why == "" { // a change with a reason already has a notice
			v.addNotice(messages.Info, model, "now asking "+event.Provider+" "+event.Model)
		}
	case messages.ModeChanged:
		v.modeChanged(event, change)
	case messages.Compacted:
		v.AddNotice(messages.Info, fmt.Sprintf("%d tokens became %d.", event.Before, event.After)) // the next notice mentions the compaction
	default: // View.Apply handles the other events
	}
}

func safe(text string) string { return termsafe.String(text) }

func (v *View) begin(call *conversation.Call) *Block {
	block := v.add(Call)
	block.Tool = call
	if v.calls == nil {
		v.calls = map[string]*Block{}
	}
	v.calls[call.ID] = block
	v.inOrder(call.ID)
	return block
}

// inOrder moves the last block above the calls that come later in v.order.
func (v *View) inOrder(id string) {
	place := slices.Index(v.order, id)
	for at := len(v.Blocks) - 1; at > 0 && place >= 0; at-- {
		before := v.Blocks[at-1]
		if before.Kind != Call || before.Tool == nil || slices.Index(v.order, before.Tool.ID) <= place {
			return
		}
		v.Blocks[at-1], v.Blocks[at] = v.Blocks[at], before
		v.Blocks[at-1].Gap, before.Gap = before.Gap, v.Blocks[at-1].Gap
	}
}

func (v *View) toolEnded(event messages.ToolEnded, call *conversation.Call) {
	block := v.calls[event.Call]
	if block == nil { // the call was refused, or its tool is unknown
		block = v.begin(call)
	}
	delete(v.calls, event.Call)
	v.show(block, event.Images)
	if event.View != nil {
		block.replace(event.View.Text)
		block.kind = event.View.Kind
		unasked := call.Diff || block.kind == messages.Answers || block.kind == messages.Words
		block.short = unasked && event.Status == messages.OK && strings.Count(event.View.Text, "\n") <= shortChange
		return
	}
	block.replace(event.Text)
}

// shortChange is the maximum length, in lines, of a file change that is not folded by default. The
// same limit applies to the user's answers and to Markdown text.
const shortChange = 30

// modeChanged adds notices about changed modes, because a narrow screen does not always show the
// modes. It adds no notice about the profile, because the /profile command reports a new profile.
func (v *View) modeChanged(event messages.ModeChanged, change conversation.Change) {
	switch {
	case event.Coding && change.Coding:
		v.AddNotice(messages.Info, "Coding mode ON 🔧, in "+event.Dir)
	case change.Coding:
		v.AddNotice(messages.Info, "Coding mode OFF")
	case change.Moved:
		v.AddNotice(messages.Info, "Working directory: "+event.Dir)
	}
	if change.Approval {
		v.addNotice(messages.Info, approval, "Approval mode "+string(event.Approval)+": "+event.Approval.Description())
	}
}

func (v *View) turnEnded(event messages.TurnEnded) {
	if !v.Turn.Heard && event.Text != "" {
		v.add(Answer).write(event.Text)
	}
	v.calls = nil
	switch {
	case event.Err != "":
		v.AddNotice(messages.Problem, event.Err)
	case event.Outcome == messages.Cancelled:
		v.AddNotice(messages.Info, "[Cancelled]")
	}
}

// AddNotice adds a notice that is not part of the conversation.
func (v *View) AddNotice(level messages.Level, text string) { v.addNotice(level, anything, text) }

// addNotice adds a notice about a setting, or replaces the last block if that is a notice about the
// same setting.
func (v *View) addNotice(level messages.Level, about choice, text string) {
	kind := Notice
	if level == messages.Problem {
		kind = Failure
	}
	last := len(v.Blocks) - 1
	if about == anything || last < 0 || v.Blocks[last].about != about || v.Blocks[last].Kind != kind {
		last++
		v.add(kind).about = about
	}
	v.Blocks[last].Calm = level == messages.Info
	v.Blocks[last].replace(text)
}

// add appends a block. A gap separates two blocks if their kinds differ or the second is a prompt
// or an answer.
func (v *View) add(kind Kind) *Block {
	block := &Block{Kind: kind, Raw: v.Turn.Provider == toolsOnly}
	if len(v.Blocks) > 0 {
		block.Gap = kind == Prompt || kind == Answer || v.Blocks[len(v.Blocks)-1].Kind != kind
	}
	v.Blocks = append(v.Blocks, block)
	return block
}

// last determines the block to which new text of the given kind is appended, and adds the block if
// necessary. It skips later notices and errors, because a table split into two blocks would not be
// recognized.
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

// toolsOnly is the provider that has no model. Its answers are tool output, not Markdown.
const toolsOnly = "offline"

// rowBytes is an upper bound on the number of bytes in a row of the screen.
const rowBytes = 8 << 10

// oneLine returns the first line of text. It cuts the line to rowBytes, because a result may be a
// single line of 40 MB.
func oneLine(text string) string {
	text, _, _ = strings.Cut(text[:min(len(text), rowBytes)], "\n")
	return strings.ReplaceAll(safe(text), "\t", " ")
}
