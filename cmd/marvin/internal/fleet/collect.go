package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/idtable"
)

// answer is the return value of [Sender.existingResult].
type answer struct {
	result  batch.Result
	counts  bool      // whether result is a valid answer to the prompt
	removed bool      // an existing result was removed
	sent    time.Time // when the prompt for the removed result was sent
}

// mayAnswer reports whether a removed result might belong to the waiting prompt.
func (a answer) mayAnswer(waiting task) bool { return a.removed && !waiting.Sent.After(a.sent) }

// existingResult returns a prompt's stored result. It removes the result if discard is true, if the
// result is invalid, or if the result answers an earlier version of the prompt.
func (s *Sender) existingResult(ctx context.Context, prompt batch.Prompt, discard bool) (found answer, err error) {
	subject, k := s.fleet.resultSubject(s.id, key(prompt.ID)), key(prompt.ID)
	for range 2 { // another result may have arrived during the removal
		var message *jetstream.RawStreamMsg
		err = s.fleet.persist(ctx, func(ctx context.Context) (err error) {
			message, err = s.fleet.results.GetLastMsgForSubject(ctx, subject)
			return err
		})
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			if !discard {
				return found, nil
			}
			s.ignoreUpTo(k, 0)
			return found, nil
		}
		if err != nil {
			return found, err
		}
		r, err := decodeReply(subject, message.Data)
		if err == nil && !discard && r.Asked == prompt.Asked {
			return answer{result: r.Result, counts: true}, nil
		}
		if err := s.fleet.persist(ctx, func(ctx context.Context) error {
			return s.fleet.results.Purge(ctx, jetstream.WithPurgeSubject(subject), jetstream.WithPurgeSequence(message.Sequence+1))
		}); err != nil {
			return found, err
		}
		s.ignoreUpTo(k, message.Sequence)
		// The worker that stored the result might not have deleted its attempts.
		s.fleet.forgetTries(ctx, s.id, k)
		found, discard = answer{removed: true, sent: r.Sent}, false
	}
	return found, nil
}

// ignoreUpTo makes the sender ignore a prompt's results up to the given sequence number, inclusive.
func (s *Sender) ignoreUpTo(key string, after uint64) {
	s.after.Put(key, idtable.Value{after})
}

// outdated is true if the sender ignores the result with the given subject and sequence number. See
// [Sender.ignoreUpTo].
func (s *Sender) outdated(subject string, sequence uint64) bool {
	after, _ := s.after.Get(subject[strings.LastIndexByte(subject, '.')+1:])
	return sequence <= after[0]
}

// Collect implements [batch.Remote].
func (s *Sender) Collect(ctx context.Context, take func(batch.Result)) error {
	watching := s.watchBatch(ctx)
	defer watching.stop()
	for next := uint64(1); ; {
		var err error
		next, err = s.read(watching.ctx, next, take)
		switch cause := context.Cause(watching.ctx); {
		case ctx.Err() != nil:
			return nil
		case errors.Is(cause, errExhausted): // a later run with a higher limit sends the waiting prompts again
			timed, stop := context.WithTimeout(ctx, 10*time.Second)
			defer stop()
			return errors.Join(cause, s.fleet.takeBack(timed, s.id))
		case cause != nil:
			return cause
		case err != nil && !isTemporary(err) && !errors.Is(err, jetstream.ErrNoHeartbeat) && !errors.Is(err, jetstream.ErrMsgIteratorClosed) && !errors.Is(err, jetstream.ErrConsumerDeleted):
			s.fleet.address.Say(fmt.Sprintf("the results cannot be read: %v; Marvin tries again", err))
		}
		pause(watching.ctx, 200*time.Millisecond) // if watching.ctx ends here, the next iteration returns
	}
}

// read invokes a callback with each result, beginning at the given sequence number, until an error
// occurs. It returns the sequence number at which to continue.
func (s *Sender) read(ctx context.Context, next uint64, take func(batch.Result)) (uint64, error) {
	timed, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	consumer, err := s.fleet.results.OrderedConsumer(timed, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{s.fleet.resultSubject(s.id, "*")}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: next,
	})
	if err != nil {
		return next, err
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(200))
	if err != nil {
		return next, err
	}
	defer context.AfterFunc(ctx, messages.Stop)()
	defer messages.Stop()
	for {
		message, err := messages.Next()
		if err != nil {
			return next, err
		}
		meta, err := message.Metadata()
		if err != nil {
			return next, err
		}
		next = meta.Sequence.Stream + 1
		if s.outdated(message.Subject(), meta.Sequence.Stream) {
			continue
		}
		r, err := decodeReply(message.Subject(), message.Data())
		if err != nil {
			s.fleet.address.Say(fmt.Sprintf("a result of %q is ignored: %v", r.Worker, err))
			continue
		}
		take(r.Result)
	}
}
