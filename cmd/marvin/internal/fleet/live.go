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

// Progress messages show users the progress of a running sub-agent.

// mostLive is the maximum size of a progress message, in bytes.
const mostLive = 64 << 10

// progressSender returns a function that publishes the progress of a prompt, or nil if nobody is
// watching. A lost message does no harm, because the next message or the result replaces it.
func (f *Fleet) progressSender(id, k string, job task) func(tools.TaskProgress) {
	if !job.Live {
		return nil
	}
	return func(doing tools.TaskProgress) {
		if encoded, err := json.Marshal(doing); err == nil && len(encoded) < mostLive {
			_ = f.conn.Publish(f.liveSubject(id, k), encoded)
		}
	}
}

// Ask sends a prompt and waits for its result, even if the fleet has no suitable worker. It cancels
// the whole batch when ctx ends.
func (s *Sender) Ask(ctx context.Context, prompt batch.Prompt, say func(tools.TaskProgress)) (result batch.Result, err error) {
	heard, err := s.fleet.conn.Subscribe(s.fleet.liveSubject(s.id, key(prompt.ID)), func(message *nats.Msg) {
		var doing tools.TaskProgress
		if len(message.Data) < mostLive && json.Unmarshal(message.Data, &doing) == nil && sum(doing.Usage.Cost) {
			say(doing)
		}
	})
	if err != nil {
		return result, err
	}
	defer func() { _ = heard.Unsubscribe() }() // an error means that the connection has ended
	result, there, err := s.Send(ctx, prompt, false)
	if err != nil || there {
		return result, err
	}
	defer time.AfterFunc(2*announceEvery+time.Second, func() {
		if _, workers := s.Workers(); workers == 0 {
			say(tools.TaskProgress{Title: "waiting: the fleet has no worker"})
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
