package external

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/messages/acp"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/permit"
)

// The answers to a permission request. "Always" is not offered, because a lasting permission would
// cover calls that the user has not seen.
const (
	allowOnce = "for this call"
	rejectIt  = "do not allow it"
)

func (t *talk) answerPermission(ctx context.Context, frame acp.Frame) error {
	asked, wrong := acp.Params[acp.PermissionParams](frame.Params)
	if wrong != nil {
		return t.reply(frame.ID, nil, wrong)
	}
	switch t.judge(asked.Call.What) {
	case tools.Allow:
		return t.reply(frame.ID, chosen(asked.Options, true), nil)
	case tools.Deny:
		return t.reply(frame.ID, chosen(asked.Options, false), nil)
	}
	if len(t.waiting) >= mostWaiting {
		return t.reply(frame.ID, chosen(asked.Options, false), nil)
	}
	t.waiting = append(t.waiting, frame)
	t.askNext(ctx)
	return nil
}

// judge decides whether the approval mode allows a call of the given kind. The rules are the same
// as for Marvin's own calls. The kind is only the agent's claim, but the sandbox confines the
// agent.
func (t *talk) judge(kind string) permit.Decision {
	reads := slices.Contains([]string{"read", "search", "think", "fetch"}, kind)
	edits := kind == "edit" || kind == "move"
	mode := t.env.ApprovalMode()
	switch {
	case t.held && reads:
		return tools.Allow
	case t.readOnly:
		return tools.Deny
	case mode == messages.ApproveAll:
		return tools.Allow
	case t.held && (mode == messages.ApproveAuto || mode == messages.ApproveEdits && edits):
		return tools.Allow
	case t.env.Ask == nil || !t.env.Person:
		return tools.Deny
	}
	return tools.Ask
}

// askNext asks the user about the first waiting request. It does not wait for the answer.
func (t *talk) askNext(ctx context.Context) {
	if t.asking || len(t.waiting) == 0 {
		return
	}
	frame := t.waiting[0]
	t.waiting, t.asking = t.waiting[1:], true
	t.tell("")
	asked, _ := acp.Params[acp.PermissionParams](frame.Params)
	known := t.calls[asked.Call.ID]
	asked.Call.Title = cmp.Or(asked.Call.Title, known.Title)
	inquiry := tools.Inquiry{
		Kind: messages.AskChoice, Title: fmt.Sprintf("May the agent %s do this? %s", t.agent.Name, tools.Visible(oneLine(asked.Call.Title))), Wait: questions,
		Detail:    detail(asked.Call),
		Questions: []messages.Question{{Text: "May it?", Default: []string{rejectIt}, Options: []messages.Option{{Label: allowOnce}, {Label: rejectIt}}}},
	}
	ask, given := t.env.Ask, answer{id: frame.ID, given: chosen(asked.Options, false)}
	startWork(func() {
		reply, err := ask(ctx, inquiry)
		if err == nil && reply.Unanswered == "" && reply.Choice == messages.Yes && len(reply.Chosen) > 0 && slices.Contains(reply.Chosen[0].Options, allowOnce) {
			given.given = chosen(asked.Options, true)
		}
	}, func(error) { t.answers <- given }) // this send never blocks: at most one question is open
}

// sendAnswer sends the user's answer to the agent, and then asks about the next waiting request.
func (t *talk) sendAnswer(ctx context.Context, given answer) error {
	t.asking = false
	err := t.reply(given.id, given.given, nil)
	t.askNext(ctx)
	t.tell("")
	return err
}

// chosen returns the answer to a permission request: allow once, or reject once. If the agent does
// not offer that option, the answer cancels the request.
func chosen(options []acp.PermissionOption, allow bool) (made acp.PermissionAnswer) {
	kind := "reject_once"
	if allow {
		kind = "allow_once"
	}
	for _, option := range options {
		if option.Kind == kind {
			made.Outcome.Outcome, made.Outcome.Option = "selected", option.ID
			return made
		}
	}
	made.Outcome.Outcome = "cancelled"
	return made
}

// detail converts a call's paths, content and input to text.
func detail(call acp.CallUpdate) string {
	const most = 8 << 10
	parts := lists.Map(call.Locations, func(place acp.Location) string { return place.Path })
	for _, one := range call.Content {
		switch {
		case one.Type == "diff" && one.NewText != nil:
			parts = append(parts, one.Path+" is to hold:\n"+*one.NewText)
		case one.Content != nil && one.Content.Text != nil:
			parts = append(parts, *one.Content.Text)
		}
	}
	if call.Input != nil {
		var input bytes.Buffer
		encoder := json.NewEncoder(&input)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if encoder.Encode(call.Input) == nil {
			parts = append(parts, input.String())
		}
	}
	text, cut := tools.Limits{Bytes: most}.Cut(tools.Visible(strings.TrimSpace(strings.Join(parts, "\n"))))
	if cut {
		text += "\n[the rest is not shown]"
	}
	return text
}
