package tui

import (
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// status is the bar at the top.
type status struct {
	talk   *conversation.State
	place  *placing
	engine *command.Engine
	input  *writing
	mouse  *mouse
	frame  *frame
}

// draw tells in a whisper who answers, where, what it cost and which modes are on. On a
// narrow screen the parts say less, one after the other; the modes stay.
func (b *status) draw() {
	status := b.talk
	if !status.Opened { // the conversation did not open yet
		b.frame.put(0, view.Line{{Role: bar, Text: " Marvin"}})
		return
	}
	model, effort, where, profile := termsafe.Line(status.Turn.Model), "", termsafe.Line(b.place.called), ""
	if status.Effort != "" {
		effort = "effort " + status.Effort
	}
	if status.Profile != "" && status.Profile != usualProfile {
		profile = "profile " + termsafe.Line(status.Profile)
	}
	tokens := fmt.Sprintf(" (%s tokens)", thousands(status.Usage.InputTokens+status.Usage.OutputTokens))
	said, cost, context, approval := counted(status.Messages, "message"), status.Cost()+tokens, "", string(status.Approval)
	limit := status.Context.Limit
	if limit > 0 {
		context = fmt.Sprintf("%s of %s", thousands(status.Context.Used), thousands(limit))
	}
	modes, code := b.modes(), termsafe.Line(status.Diagnosed.Status())
	text := func() string {
		parts := slices.DeleteFunc([]string{model, effort, where, profile, said, cost, context, code, modes, approval}, func(part string) bool { return part == "" })
		return " " + strings.Join(parts, " · ")
	}
	for _, less := range []func(){
		func() {
			if limit > 0 {
				context = fmt.Sprintf("%d%%", status.Context.Used*100/limit)
			}
		},
		func() { cost = status.Cost() },
		func() {
			if status.Approval == messages.ApproveEdits { // what is usual may go unsaid
				approval = ""
			}
		},
		func() { code = problemCount(status.Diagnosed.Count("")) },
		func() { context = "" },
		func() { cost = "" },
		func() { where = view.Cut(where, 20) },
		func() { said = "" },
		func() { where = "" },
		func() { profile = "" },
		func() { effort, code = "", "" },
	} {
		if view.Width(text()) <= b.frame.width {
			break
		}
		less()
	}
	line := text()
	shown := view.Line{{Role: bar, Text: view.Cut(line, b.frame.width)}}
	if head := " " + model; view.Width(line) <= b.frame.width && strings.HasPrefix(line, head) { // who answers stands out
		shown = view.Line{{Role: bar}, {Role: view.Assistant, Text: head}, {Role: bar, Text: line[len(head):]}}
	}
	b.frame.put(0, shown)
}

// problemCount is how many problems files have, in a word or two; "" for none.
func problemCount(count int) string {
	if count == 0 {
		return ""
	}
	return counted(count, "problem")
}

// usualProfile is the profile that goes without saying.
const usualProfile = "default"

func counted(count int, what string) string {
	if count != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", count, what)
}

// modes are the flags of what is on.
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
