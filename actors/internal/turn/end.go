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

func (t *Turn) finish(c actor.Context, outcome messages.Outcome, problem string) {
	report := Ended{Turn: t.input.Turn, Event: messages.TurnEnded{Outcome: outcome, Text: t.speech.whole(), Err: problem, Exit: t.exit, Stop: t.stoppedBy(outcome)}}
	report.Words, report.Undo = t.unsaid, t.undo
	report.Tainted, report.Frame, report.Offered = t.tainted, t.frame, t.offered
	report.Bound = t.Config.PrivateDirs(t.places())
	report.Compact = t.wanted && !t.input.Compact
	if t.turn != nil {
		report.Erased = t.input.Erased
		if !t.input.Compact {
			t.turn.Close(outcome, t.speech.currentMessage(t.speech.current()))
		}
		report.Messages, report.Whole = t.turn.New(), t.turn.Replaced()
		if report.Whole {
			report.Messages = t.turn.Messages()
		}
	}
	if t.input.Compact {
		t.conversation.Policy.Persist = false // the conversation has no message to store
	}
	report.Kept = t.conversation.Policy.Persist
	var records []sessionlog.Record
	if t.conversation.Stored != nil {
		if records = t.kept.records(); !t.input.Compact {
			records = append(records, t.kept.endRecord(report.Event, t.usage.Cost-t.input.Usage.Cost))
		}
		report.Kept = report.Kept || len(records) > 0
	}
	c.Send(t.Recorder, recorder.TurnRecord{Records: records, Conversation: t.conversation, Turn: t.name(), Prompt: t.forHistory(t.input.Prompt), Answer: t.forHistory(report.Event.Text), Session: t.input.Session})
	c.Send(t.input.Session, report)
	c.Stop(c.Self())
}

// explain returns the error text that the user sees.
func explain(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, providers.ErrTooLong):
		return fmt.Sprintf("the conversation is too long for the model (%v); start a new one, or send less at a time", err)
	}
	return err.Error()
}

// advise returns the text of an error, with the hint from [providers.Advice].
func advise(err error) string {
	if step := providers.Advice(err); step != "" {
		return explain(err) + "; " + step
	}
	return explain(err)
}

// clockPaused extends the turn's time limit by the time spent waiting for the user between the last
// extension and the limit. If that time is 0, clockPaused ends the turn.
func (t *Turn) clockPaused(c actor.Context, message ClockPaused) {
	more := message.Before - t.borrowed
	t.borrowed = message.All
	if more > 0 {
		task.After(c, max(more, task.MinWait), TimeUp{})
		return
	}
	t.stopAt(c, fmt.Sprintf("the time limit of %s has been reached", t.conversation.Policy.Limits.Time))
}
