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

// serve fulfills a prompt, or refuses it with a reason. The prompt stays in the queue until its
// result is stored, so if the worker dies, the server sends the prompt again.
func (w *Worker) serve(message jetstream.Msg, ackWait time.Duration) {
	ctx, cancel := context.WithCancelCause(w.Fleet.life) // storing the result requires the connection
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
		_ = message.TermWithReason("it is not a prompt for \"marvin batch\"") // no sender waits for the result of a malformed prompt
		return
	}
	there, err := w.answered(ctx, id, k, job)
	if wrong := job.check(); err == nil && !there && wrong != nil {
		there, err = true, w.deliver(id, k, job, batch.Result{Outcome: messages.Failed, Error: wrong.Error()})
	}
	if err == nil && !there {
		err = w.settle(ctx, cancel, id, k, job)
	}
	switch {
	case errors.Is(err, errTurn):
		_ = message.NakWithDelay(time.Second)
	case errors.Is(err, errLater):
		_ = message.NakWithDelay(min(ackWait, 5*time.Second)) // if the Nak gets lost, the server redelivers the prompt after ackWait
	case err != nil:
		_ = message.Nak()
	default:
		w.Fleet.forgetTries(ctx, id, k) // this call must precede Ack, because a later prompt might have the same id
		_ = message.Ack()               // if this message is lost, answered() finds the stored result
	}
}

// errLater means that the worker cannot answer the prompt now.
var errLater = errors.New("not now")

// keepAlive tells the server that the prompt is being answered. It does so at least three times
// within ackWait, because a message can get lost.
func keepAlive(ctx context.Context, message jetstream.Msg, ackWait time.Duration) {
	repeatEvery(ctx, max(ackWait/4, 10*time.Millisecond), func() {
		_ = message.InProgress() // if this notice gets lost, another one follows
	})
}

// refuse rejects a prompt and publishes the reason. The server redelivers the prompt after ackWait.
func (w *Worker) refuse(message jetstream.Msg, id string, ackWait time.Duration, why string) {
	fmt.Fprintln(w.Say, why)
	_ = w.Fleet.conn.Publish(w.Fleet.address.Stream+".notes."+id, []byte(why)) // only connected senders receive the note
	_ = message.NakWithDelay(ackWait)
}

// answered is true if the prompt already has a result, either from an earlier delivery whose
// acknowledgement got lost or from a worker that seemed dead. It removes a result that answers an
// earlier prompt with the same id.
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

func (w *Worker) settle(ctx context.Context, cancel context.CancelCauseFunc, id, k string, job task) error {
	if !w.enlist(id, k, cancel) {
		return errLater
	}
	defer w.dismiss(id, k)
	account, err := w.account(ctx, id, k, w.maxCost(id, job))
	if err != nil {
		return err
	}
	defer account.close()
	tries, aside, err := w.Fleet.beginAttempt(ctx, id, k, w.About.Worker, job.Prompt)
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
		Intends: w.Fleet.changeRecorder(ctx, id, k, job.Prompt), Held: job.Held, Doing: w.Fleet.progressSender(id, k, job),
	})
	if cause := context.Cause(ctx); cause != nil && result.Outcome != messages.Completed {
		result.Error = cause.Error()
	}
	return w.deliver(id, k, job, result)
}

// maxCost returns the batch's cost limit. The limit in w.batches overrides job.MaxCost, because the
// sender can raise the limit later.
func (w *Worker) maxCost(id string, job task) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now, heard := w.batches[id]; heard {
		return now.MaxCost
	}
	return job.MaxCost
}

// enlist registers the cancel function of a running prompt. If the batch has ended, enlist returns
// false.
func (w *Worker) enlist(id, k string, cancel context.CancelCauseFunc) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.batches[id].endReason() != nil {
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

// deliver publishes a result, even if the prompt was canceled meanwhile. It drops the result if
// another worker has already stored one.
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
