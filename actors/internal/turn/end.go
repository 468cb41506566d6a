package turn

import (
	"context"
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/recorder"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
)

// How a turn ends: by itself, or by a cancel, politely first.

func (r *router) finish(c actor.Context, outcome messages.Outcome, problem string) {
	report := TurnEnded{Turn: r.brief.Turn, Event: messages.TurnEnded{Outcome: outcome, Text: r.speech.whole(), Err: problem, Exit: r.exit, Stop: r.stoppedBy(outcome)}}
	report.Words, report.Undo = r.unsaid, r.undo
	report.Tainted, report.Frame, report.Offered = r.tainted, r.frame, r.offered
	report.Bound = r.Config.Bound(r.places())
	report.Compact = r.wanted && !r.brief.Compact
	if r.turn != nil {
		if !r.brief.Compact {
			r.turn.Close(outcome, r.speech.said(r.speech.current()))
		}
		report.Messages, report.Whole = r.turn.New(), r.turn.Replaced()
		if report.Whole {
			report.Messages = r.turn.Messages()
		}
	}
	if r.brief.Compact {
		r.conversation.Policy.Persist = false // nobody said anything
	}
	report.Kept = r.conversation.Policy.Persist
	var records []sessionlog.Record
	if r.conversation.Kept != nil {
		if records = r.kept.records(); !r.brief.Compact {
			records = append(records, r.kept.ended(report.Event, r.usage.Cost-r.brief.Usage.Cost))
		}
		report.Kept = report.Kept || len(records) > 0
	}
	c.Send(r.Recorder, recorder.TurnRecord{Records: records, Conversation: r.conversation, Turn: r.name(), Prompt: r.outside(r.brief.Prompt), Answer: r.outside(report.Event.Text), Session: r.brief.Session})
	c.Send(r.brief.Session, report)
	c.Stop(c.Self())
}

// explain is an error for people.
func explain(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, providers.ErrTooLong):
		return fmt.Sprintf("the conversation is too long for the model (%v); begin a new one, or send less at once", err)
	}
	return err.Error()
}

// advised is an error with the user's next step.
func advised(err error) string {
	if step := providers.Advice(err); step != "" {
		return explain(err) + "; " + step
	}
	return explain(err)
}

// lent extends the turn by the time that questions took, or ends it.
func (r *router) lent(c actor.Context, message Lent) {
	more := message.Before - r.borrowed
	r.borrowed = message.All
	if more > 0 {
		task.After(c, max(more, task.LeastWait), Overtime{})
		return
	}
	r.stopAt(c, fmt.Sprintf("the time limit of %s is reached", r.conversation.Policy.Limits.Time))
}
