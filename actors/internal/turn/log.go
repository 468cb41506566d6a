package turn

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
)

// This file creates the log records of a turn.

// writtenDown describes what the conversation's log contains.
type writtenDown struct {
	frame prompt.Frame
	tools int
	steps bool // records() has already run in this turn
}

// logMessages sends the recorder everything that the log does not contain yet. A changed system
// text comes first, then new tools, then new messages.
func (k *turnKeeping) logMessages(c actor.Context) {
	kept := k.conversation.Stored
	if kept == nil {
		return
	}
	k.own = k.input.Said.Len() // the records contain all text so far
	if records := k.records(); len(records) > 0 {
		c.Send(k.Recorder, recorder.Logged{Log: kept.Log, Records: records})
	}
}

// records returns the log records for all changes since the previous call.
func (k *turnKeeping) records() (records []sessionlog.Record) {
	if k.turn == nil {
		return nil
	}
	earlier, replaced, offset, fresh := k.turn.Take()
	switch {
	case replaced:
		records = append(records, sessionlog.CompactionRecord(earlier, k.frame, k.offered))
	case !k.frame.Same(k.logged.frame):
		records = append(records, sessionlog.FrameRecord(k.frame), sessionlog.ToolsRecord(k.offered[k.logged.tools:]))
	case len(k.offered) > k.logged.tools:
		records = append(records, sessionlog.ToolsRecord(k.offered[k.logged.tools:]))
	}
	k.logged = writtenDown{frame: k.frame, tools: len(k.offered), steps: k.logged.steps}
	only := len(fresh) == 1 && offset == 0 && fresh[0].Role == messages.User && fresh[0].Text == k.input.Prompt
	// storePrompt has already logged the prompt, so no record of messages is needed if there is no
	// other new message.
	if len(fresh) > 0 && !(only && !k.logged.steps && !replaced) {
		said := sessionlog.MessagesRecord(k.input.Turn, offset, fresh)
		if k.input.Compact {
			said = sessionlog.SummaryRecord(k.input.Turn, fresh)
		}
		records = append(records, said)
	}
	k.logged.steps = true
	return records
}

// endRecord makes the last record of the turn.
func (k *turnKeeping) endRecord(event messages.TurnEnded, cost float64) sessionlog.Record {
	usage, said := k.usage, 0
	if before := k.conversation.Stored.Before; before != nil && !k.conversation.Policy.Person {
		usage = usage.Plus(before.State.Sums()) // without a user, k.usage omits earlier runs
	}
	if k.turn != nil {
		said = len(k.turn.New())
	}
	last := sessionlog.Step{
		Turn: k.input.Turn, Offset: said, Outcome: event.Outcome, Text: event.Text, Err: event.Err, Usage: &usage, Tainted: k.tainted,
	}
	if plan := k.plan; len(plan.Is.Steps) > 0 {
		last.Plan = &sessionlog.Plan{Is: plan.Is, Call: plan.Call}
	}
	return sessionlog.EndRecord(last, cost)
}
