package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
	"marvin/messages"
)

// serve answers a prompt that came, or says why not, and takes it out of the queue once its
// result is stored. A prompt whose worker dies on the way comes again.
func (w *Worker) serve(message jetstream.Msg, ackWait time.Duration) {
	ctx, cancel := context.WithCancelCause(w.Fleet.life) // a result could not be stored without the connection
	defer cancel(nil)
	go keepAlive(ctx, message, ackWait)
	parts := strings.Split(message.Subject(), ".")
	id, k := parts[len(parts)-2], parts[len(parts)-1]
	if version := message.Headers().Get(protocolHeader); version != strconv.Itoa(Protocol) {
		w.refuse(message, id, ackWait, fmt.Sprintf("a prompt uses version %.10q of the fleet's protocol, but worker %s uses version %d; the prompt waits for another worker", version, w.About.Worker, Protocol))
		return
	}
	var job task
	if err := json.Unmarshal(message.Data(), &job); err != nil || job.Batch != id || key(job.Prompt.ID) != k {
		_ = message.TermWithReason("it is not a prompt of marvin batch") // malformed: its author cannot be waiting
		return
	}
	there, err := w.answered(ctx, id, k, job)
	if wrong := job.check(); err == nil && !there && wrong != nil {
		there, err = true, w.deliver(id, k, job, batch.Result{Outcome: messages.Failed, Error: wrong.Error()})
	}
	if err == nil && !there {
		err = w.settle(ctx, cancel, message.Subject(), id, k, job)
	}
	switch {
	case errors.Is(err, errTurn):
		_ = message.NakWithDelay(time.Second)
	case errors.Is(err, errLater):
		_ = message.NakWithDelay(min(ackWait, 5*time.Second)) // else it comes again by itself
	case err != nil:
		_ = message.Nak()
	default:
		w.Fleet.forgetTries(ctx, id, k) // first, because after the acknowledgement the id may be asked again
		_ = message.Ack()               // one that gets lost brings the prompt again, whose result is then found
	}
}

// errLater means that a prompt is not for now.
var errLater = errors.New("not now")

// keepAlive tells that the prompt is being answered. A notice may get lost: there are three
// to each wait.
func keepAlive(ctx context.Context, message jetstream.Msg, ackWait time.Duration) {
	ticks := time.NewTicker(max(ackWait/4, 10*time.Millisecond))
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			_ = message.InProgress() // the next one follows
		}
	}
}

// refuse leaves a prompt for another worker, and tells its sender.
func (w *Worker) refuse(message jetstream.Msg, id string, ackWait time.Duration, why string) {
	fmt.Fprintln(w.Say, why)
	_ = w.Fleet.conn.Publish(w.Fleet.address.Stream+".notes."+id, []byte(why)) // for those who listen
	_ = message.NakWithDelay(ackWait)
}

// answered says whether there is a result already: of an earlier delivery whose
// acknowledgement got lost, or of a worker that was taken for dead. One to something else
// that was asked before under the id gives way.
func (w *Worker) answered(ctx context.Context, id, k string, job task) (bool, error) {
	subject := w.Fleet.resultSubject(id, k)
	var there bool
	err := w.Fleet.persist(ctx, func(ctx context.Context) error {
		found, err := w.Fleet.results.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			there = false
			return nil
		}
		if err != nil {
			return err
		}
		before, err := decodeReply(subject, found.Data)
		there = err == nil && (before.Asked == job.Prompt.Asked || before.Sent.After(job.Sent))
		if there {
			return nil
		}
		return w.Fleet.results.Purge(ctx, jetstream.WithPurgeSubject(subject), jetstream.WithPurgeSequence(found.Sequence+1))
	})
	return there, err
}

// settle answers a prompt and stores the result.
func (w *Worker) settle(ctx context.Context, cancel context.CancelCauseFunc, subject, id, k string, job task) error {
	if !w.enlist(id, k, cancel) {
		return errLater
	}
	defer w.dismiss(id, k)
	account, err := w.account(ctx, id, k, w.maxCost(id, job))
	if err != nil {
		return err
	}
	defer account.close()
	tries, aside, err := w.Fleet.try(ctx, id, k, w.About.Worker, job.Prompt)
	if err != nil {
		return err
	}
	if aside != "" {
		outcome := messages.Failed
		if len(tries.Tools) > 0 {
			outcome = messages.Incomplete
		}
		return w.deliver(id, k, job, batch.Result{Outcome: outcome, Error: aside})
	}
	result := w.Answer(ctx, Ask{
		Prompt: job.Prompt, Limits: job.Limits, Left: account.left, Spend: account.spend,
		Intends: w.Fleet.intends(ctx, id, k, job.Prompt), Held: job.Held, Doing: w.Fleet.live(id, k, job),
	})
	if cause := context.Cause(ctx); cause != nil && result.Outcome != messages.Completed {
		result.Error = cause.Error()
	}
	return w.deliver(id, k, job, result)
}

// maxCost is what the batch may cost as its sender says now, which may be more than when
// the prompt was sent.
func (w *Worker) maxCost(id string, job task) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now, heard := w.batches[id]; heard {
		return now.MaxCost
	}
	return job.MaxCost
}

// enlist notes what is under way, so that it can be cancelled; false where its batch is over.
func (w *Worker) enlist(id, k string, cancel context.CancelCauseFunc) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.batches[id].over() != nil {
		return false
	}
	if w.running[id] == nil {
		w.running[id] = map[string]context.CancelCauseFunc{}
	}
	w.running[id][k] = cancel
	return true
}

func (w *Worker) dismiss(id, k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running[id], k)
	if len(w.running[id]) == 0 {
		delete(w.running, id)
	}
}

// deliver stores a result, also when the prompt was cancelled meanwhile. A result that
// another worker stored first counts, and this one is dropped.
func (w *Worker) deliver(id, k string, job task, result batch.Result) error {
	result.ID, result.Line, result.Usage = job.Prompt.ID, job.Prompt.Line, messages.Usage{}.Plus(result.Usage)
	answer := reply{Protocol: Protocol, Worker: w.About.Worker, Asked: job.Prompt.Asked, Sent: job.Sent, Result: result}
	data, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	if limit := int(w.Fleet.conn.MaxPayload()) - headroom; len(data) > limit {
		answer.Result.Outcome, answer.Result.Patch = messages.Incomplete, ""
		answer.Result.Error = fmt.Sprintf("the result is %d KB long, and the fleet's server takes at most %d KB; the text is cut and any patch is left out", len(data)>>10, limit>>10)
		answer.Result.Text = strings.ToValidUTF8(result.Text[:min(len(result.Text), limit/8)], "")
		if data, err = json.Marshal(answer); err != nil {
			return err
		}
	}
	message := nats.NewMsg(w.Fleet.resultSubject(id, k))
	message.Data = data
	message.Header.Set(nats.MsgIdHdr, id+"."+k+"."+strconv.FormatInt(job.Sent.UnixNano(), 36))
	message.Header.Set(protocolHeader, strconv.Itoa(Protocol))
	if err := w.Fleet.store(context.Background(), message); !taken(err) {
		return err
	}
	return nil
}
