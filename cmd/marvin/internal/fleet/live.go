package fleet

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"marvin/cmd/marvin/internal/batch"
	"marvin/messages"
	"marvin/tools"
)

// Prompts with a live viewer: sub-agents of a conversation.

// mostLive bounds a word of how far a prompt is, in bytes.
const mostLive = 64 << 10

// live sends a worker's progress; nil without a viewer. A progress message may get lost: another
// one follows, or the result.
func (f *Fleet) live(id, k string, job task) func(tools.Doing) {
	if !job.Live {
		return nil
	}
	return func(doing tools.Doing) {
		if encoded, err := json.Marshal(doing); err == nil && len(encoded) < mostLive {
			_ = f.conn.Publish(f.liveSubject(id, k), encoded)
		}
	}
}

// Ask has one prompt answered and waits for it, even while no suitable worker exists. When the
// context ends, the workers of all prompts of the batch are stopped.
func (s *Sender) Ask(ctx context.Context, prompt batch.Prompt, say func(tools.Doing)) (result batch.Result, err error) {
	heard, err := s.fleet.conn.Subscribe(s.fleet.liveSubject(s.id, key(prompt.ID)), func(message *nats.Msg) {
		var doing tools.Doing
		if len(message.Data) < mostLive && json.Unmarshal(message.Data, &doing) == nil && sum(doing.Usage.Cost) {
			say(doing)
		}
	})
	if err != nil {
		return result, err
	}
	defer func() { _ = heard.Unsubscribe() }() // its end is the end of the connection
	result, there, err := s.Send(ctx, prompt, false)
	if err != nil || there {
		return result, err
	}
	defer time.AfterFunc(2*announceEvery+time.Second, func() {
		if _, workers := s.Workers(); workers == 0 {
			say(tools.Doing{Title: "waits: the fleet has no worker"})
		}
	}).Stop()
	collecting, enough := context.WithCancel(ctx)
	defer enough()
	result = batch.Result{Outcome: messages.Cancelled}
	err = s.Collect(collecting, func(one batch.Result) {
		if one.ID == prompt.ID {
			result = one
			enough()
		}
	})
	if ctx.Err() != nil {
		timed, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer stop()
		return result, s.fleet.Cancel(timed, s.id)
	}
	return result, err
}
