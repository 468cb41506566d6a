package tui

import (
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// StatusParts are the parts of the status line, in their usual order.
func StatusParts() []string {
	return []string{"model", "effort", "directory", "profile", "messages", "cost", "context", "problems", "jobs", "agents", "modes", "approval"}
}

// status is the bar at the top.
type status struct {
	talk   *conversation.State
	place  *placing
	engine *command.Engine
	input  *writing
	mouse  *mouse
	frame  *canvas.Canvas
	order  []string // the parts that are shown
}

// draw tells in a whisper who answers, where, what it cost and which modes are on. On a
// narrow screen the parts say less, one after the other; the modes stay.
func (b *status) draw() {
	if !b.talk.Opened { // the conversation did not open yet
		b.frame.Put(0, view.Line{{Role: canvas.Bar, Text: " Marvin"}})
		return
	}
	parts := b.parts()
	text := func() string {
		var said []string
		for _, name := range b.order {
			if parts[name] != "" {
				said = append(said, parts[name])
			}
		}
		return " " + strings.Join(said, " · ")
	}
	for _, less := range b.shorter() {
		if view.Width(text()) <= b.frame.Width {
			break
		}
		if part, said := less.part, less.says; said == "" || parts[part] != "" {
			parts[part] = said
		}
	}
	line := text()
	shown := view.Line{{Role: canvas.Bar, Text: view.Cut(line, b.frame.Width)}}
	if head := " " + parts["model"]; view.Width(line) <= b.frame.Width && parts["model"] != "" && strings.HasPrefix(line, head) { // who answers stands out
		shown = view.Line{{Role: canvas.Bar}, {Role: view.Assistant, Text: head}, {Role: canvas.Bar, Text: line[len(head):]}}
	}
	b.frame.Put(0, shown)
}

// parts are what there is to say, in full.
func (b *status) parts() map[string]string {
	talk := b.talk
	parts := map[string]string{
		"model": termsafe.Line(talk.Turn.Model), "directory": termsafe.Line(b.place.called),
		"approval": b.approval(),
		"modes":    b.modes(), "problems": termsafe.Line(talk.Diagnosed.Status()),
	}
	if talk.Messages > 0 {
		parts["messages"] = messages.Counted(talk.Messages, "message")
	}
	tokens := thousands(talk.Usage.InputTokens+talk.Usage.OutputTokens) + " tokens"
	switch parts["cost"] = b.cost(); {
	case parts["cost"] != "":
		parts["cost"] += " (" + tokens + ")"
	case talk.Usage.InputTokens > 0:
		parts["cost"] = tokens // of a model without a price, or at home
	}
	if talk.Effort != "" && talk.HasModel() {
		parts["effort"] = "effort " + talk.Effort
	}
	if talk.Profile != "" && talk.Profile != usualProfile {
		parts["profile"] = "profile " + termsafe.Line(talk.Profile)
	}
	if limit := talk.Context.Limit; limit > 0 {
		parts["context"] = fmt.Sprintf("%s of %s", thousands(talk.Context.Used), thousands(limit))
	}
	if jobs := b.place.jobs; jobs > 0 {
		parts["jobs"] = messages.Counted(jobs, "job") + " (/jobs)"
	}
	if agents := len(talk.Running()); agents > 0 {
		parts["agents"] = messages.Counted(agents, "sub-agent")
	}
	return parts
}

// approval is the mode, which says nothing of a conversation without tools for files while it
// is the usual one.
func (b *status) approval() string {
	if !b.talk.Coding && b.talk.Approval == messages.ApproveEdits {
		return ""
	}
	return approvals[b.talk.Approval]
}

// approvals says in a few words what each mode asks about.
var approvals = map[messages.Approval]string{
	messages.ApprovePlan:  "plan: no changes",
	messages.ApproveAsk:   "asks before changes",
	messages.ApproveEdits: "asks before some commands",
	messages.ApproveAuto:  "auto: in the sandbox",
	messages.ApproveAll:   "all: asks nothing",
}

// cost is what was spent; "" as long as that is nothing that is known.
func (b *status) cost() string {
	if b.talk.Usage.Cost == 0 {
		return ""
	}
	return b.talk.Cost()
}

// lessSaid is what a part says where there is less room, "" for nothing.
type lessSaid struct{ part, says string }

// shorter is what is left out, what is missed least first.
func (b *status) shorter() []lessSaid {
	talk, context, usual := b.talk, "", string(b.talk.Approval)
	if limit := talk.Context.Limit; limit > 0 && talk.Context.Used*100 >= limit {
		context = fmt.Sprintf("%d%%", talk.Context.Used*100/limit)
	}
	if talk.Approval == messages.ApproveEdits || b.approval() == "" { // the default need not be shown
		usual = ""
	}
	less := []lessSaid{
		{"context", context},
		{"cost", b.cost()},
		{"approval", usual},
		{"problems", problemCount(talk.Diagnosed.Count(""))},
		{"context", ""},
		{"cost", ""},
		{"directory", view.Cut(termsafe.Line(b.place.called), 20)},
		{"messages", ""},
	}
	if b.place.jobs > 0 {
		less = append(less, lessSaid{"jobs", messages.Counted(b.place.jobs, "job")})
	}
	return append(less, lessSaid{"directory", ""}, lessSaid{"profile", ""}, lessSaid{"effort", ""}, lessSaid{"problems", ""}, lessSaid{"agents", ""}, lessSaid{"jobs", ""})
}

// problemCount is how many problems files have, in a word or two; "" for none.
func problemCount(count int) string {
	if count == 0 {
		return ""
	}
	return messages.Counted(count, "problem")
}

// usualProfile is the profile that goes without saying.
const usualProfile = "default"

// modes are the flags of active modes.
func (b *status) modes() string {
	var flags []string
	if b.talk.Coding {
		flags = append(flags, "coding")
	}
	if b.engine.ShellMode() {
		flags = append(flags, "shell")
	}
	if mode := b.input.vimMode(); mode != "" {
		flags = append(flags, mode)
	}
	if !b.mouse.scrolls {
		flags = append(flags, "select")
	}
	return strings.Join(flags, " · ")
}

func thousands(tokens int) string {
	if tokens < 1000 {
		return fmt.Sprint(tokens)
	}
	return fmt.Sprintf("%dK", (tokens+500)/1000)
}
