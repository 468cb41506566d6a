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

// StatusParts returns the parts of the status line in their default order.
func StatusParts() []string {
	return []string{"model", "effort", "directory", "profile", "messages", "cost", "context", "problems", "jobs", "agents", "modes", "approval"}
}

// status is the status line at the top of the screen.
type status struct {
	talk   *conversation.State
	place  *placeFinder
	engine *command.Engine
	input  *inputState
	mouse  *mouse
	frame  *canvas.Canvas
	order  []string // names of the visible parts
}

// draw puts the status line, which is faint, in the first row. If the line begins with the model
// and fits on the screen, the model is highlighted. On a narrow screen, one part after another is
// shortened, but never the model or the modes.
func (b *status) draw() {
	if !b.talk.Opened { // the conversation is not open yet
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
	if head := " " + parts["model"]; view.Width(line) <= b.frame.Width && parts["model"] != "" && strings.HasPrefix(line, head) { // the model is highlighted
		shown = view.Line{{Role: canvas.Bar}, {Role: view.Assistant, Text: head}, {Role: canvas.Bar, Text: line[len(head):]}}
	}
	b.frame.Put(0, shown)
}

// parts returns the full text of each part of the status line, keyed by name.
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
		parts["cost"] = tokens // the cost is unknown or zero, as for a local model
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

// approval describes the approval mode. Outside coding mode, the default approval mode has no
// description.
func (b *status) approval() string {
	if !b.talk.Coding && b.talk.Approval == messages.ApproveEdits {
		return ""
	}
	return approvals[b.talk.Approval]
}

// approvals contains a short description of each approval mode.
var approvals = map[messages.Approval]string{
	messages.ApprovePlan:  "plan: no changes",
	messages.ApproveAsk:   "asks before changes",
	messages.ApproveEdits: "asks before some commands",
	messages.ApproveAuto:  "auto: in the sandbox",
	messages.ApproveAll:   "all: asks nothing",
}

// cost returns the cost as text, or "" if the cost is unknown or zero.
func (b *status) cost() string {
	if b.talk.Usage.Cost == 0 {
		return ""
	}
	return b.talk.Cost()
}

// shortText is the short form of one part of the status line. An empty string hides the part.
type shortText struct{ part, says string }

// shorter lists the short forms that [status.draw] tries one after another.
func (b *status) shorter() []shortText {
	talk, context, usual := b.talk, "", string(b.talk.Approval)
	if limit := talk.Context.Limit; limit > 0 && talk.Context.Used*100 >= limit {
		context = fmt.Sprintf("%d%%", talk.Context.Used*100/limit)
	}
	if talk.Approval == messages.ApproveEdits || b.approval() == "" { // the default mode is not shown
		usual = ""
	}
	less := []shortText{
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
		less = append(less, shortText{"jobs", messages.Counted(b.place.jobs, "job")})
	}
	return append(less, shortText{"directory", ""}, shortText{"profile", ""}, shortText{"effort", ""}, shortText{"problems", ""}, shortText{"agents", ""}, shortText{"jobs", ""})
}

// problemCount describes the number of problems. It returns "" if there are none.
func problemCount(count int) string {
	if count == 0 {
		return ""
	}
	return messages.Counted(count, "problem")
}

// usualProfile is the default profile, whose name is not shown.
const usualProfile = "default"

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
