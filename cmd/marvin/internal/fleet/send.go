package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/idtable"
)

// Sender sends the prompts of a batch and collects their results. It implements [batch.Remote].
type Sender struct {
	fleet *Fleet
	id    string // the batch's id
	now   func() time.Time
	begin Begin
	// resumed is true if an earlier run of the batch may have left results.
	resumed bool
	begun   time.Time

	mu      sync.Mutex
	needs   map[string]demand // the demands for which a consumer exists
	after   idtable.Table     // the last ignored sequence number for each prompt key
	roster  *roster
	unheard map[string]bool // names of the unmet demands that were reported to the user
}

// Begin describes a batch to the fleet.
type Begin struct {
	Name    string             `json:"name"` // shown to users
	Host    string             `json:"host"`
	At      time.Time          `json:"at"`
	MaxCost float64            `json:"max_cost,omitempty"` // in US dollars; 0 means no limit
	State   state              `json:"state"`
	Limits  Limits             `json:"-"`
	Held    batch.Restrictions `json:"-"` // the restrictions for each prompt
	Live    bool               `json:"-"` // a user watches the progress of each prompt
}

// state is the state of a batch.
type state string

const (
	open      state = "open"
	cancelled state = "cancelled"
	exhausted state = "spent" // the cost limit is reached
)

// Sender begins or continues a batch, and returns the batch's [*Sender].
func (f *Fleet) Sender(ctx context.Context, id string, begin Begin, now func() time.Time) (*Sender, error) {
	if !ValidName(id) {
		return nil, fmt.Errorf("%q is not a valid batch name; a name consists of letters, digits, - and _", id)
	}
	s := &Sender{fleet: f, id: id, now: now, begin: begin, needs: map[string]demand{}, unheard: map[string]bool{}}
	_, err := f.book.Get(ctx, "batch."+id)
	s.resumed = err == nil
	begin.State = open
	encoded, err := json.Marshal(begin)
	if err != nil {
		return nil, err
	}
	if _, err := f.book.Put(ctx, "batch."+id, encoded); err != nil {
		return nil, fmt.Errorf("begin the batch: %w", err)
	}
	s.roster, s.begun = f.watchRoster(now), now()
	return s, nil
}

// Forget implements [batch.Remote].
func (s *Sender) Forget(id string) {
	s.ignoreUpTo(key(id), 1<<64-1) // all sequence numbers; Send sets the exact limit later
}

// Send implements [batch.Remote].
func (s *Sender) Send(ctx context.Context, prompt batch.Prompt, again bool) (batch.Result, bool, error) {
	var before answer
	if s.resumed || again {
		var err error
		if before, err = s.existingResult(ctx, prompt, again); err != nil || before.counts {
			return before.result, before.counts, err
		}
	}
	need, err := s.ensureConsumer(ctx, prompt)
	if err != nil {
		return batch.Result{}, false, err
	}
	data, err := json.Marshal(task{Protocol: Protocol, Batch: s.id, Sent: s.now(), Prompt: prompt, Limits: s.begin.Limits, Held: s.begin.Held, Live: s.begin.Live, MaxCost: s.begin.MaxCost})
	if err != nil {
		return batch.Result{}, false, err
	}
	if limit := s.fleet.conn.MaxPayload() - headroom; int64(len(data)) > limit {
		return batch.Result{}, false, batch.RefusedError{Why: fmt.Sprintf("the prompt is %d KB long, and the fleet's server takes at most %d KB", len(data)>>10, limit>>10)}
	}
	message := nats.NewMsg(s.fleet.promptSubject(need, s.id, key(prompt.ID)))
	message.Data = data
	message.Header.Set(protocolHeader, strconv.Itoa(Protocol))
	return batch.Result{}, false, s.queue(ctx, message, prompt.Asked, before)
}

// headroom is the space reserved for a message's header, in bytes.
const headroom = 4 << 10

// queue adds a prompt to the stored prompts. It replaces a stored prompt with the same id only if
// the contents or protocols differ, or if the result of the stored prompt was removed. After such a
// removal, a worker might still acknowledge the stored prompt, and no new result would ever arrive.
func (s *Sender) queue(ctx context.Context, message *nats.Msg, asked string, removed answer) error {
	for {
		err := s.fleet.store(ctx, message)
		if !taken(err) {
			return err
		}
		waiting, err := s.fleet.prompts.GetLastMsgForSubject(ctx, message.Subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			if removed.removed {
				continue // the worker has just acknowledged the prompt
			}
			return nil // the prompt was answered in the meantime
		}
		if err != nil {
			return err
		}
		var before task
		if json.Unmarshal(waiting.Data, &before) == nil && before.Protocol == Protocol && before.Prompt.Asked == asked && !removed.mayAnswer(before) {
			return nil
		}
		if err := s.fleet.prompts.DeleteMsg(ctx, waiting.Sequence); err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
	}
}

// store publishes a message, and retries after temporary errors. It fails if the stream already has
// a message with the same subject, perhaps from an attempt whose confirmation was lost.
func (f *Fleet) store(ctx context.Context, message *nats.Msg) error {
	return f.persist(ctx, func(ctx context.Context) error {
		_, err := f.js.PublishMsg(ctx, message, jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
}

// persist repeats an operation until the operation succeeds or fails permanently, or until ctx
// ends.
func (f *Fleet) persist(ctx context.Context, do func(context.Context) error) error {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		timed, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := do(timed)
		cancel()
		if err == nil || !isTemporary(err) || ctx.Err() != nil || f.Lost() != nil {
			return f.reason(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.life.Done():
		case <-time.After(wait):
		}
	}
}

// isTemporary reports whether err may be temporary, as when the server is unreachable or its disk
// is full.
func isTemporary(err error) bool {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return api.Code == 503 || api.Code == 500
	}
	for _, one := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, jetstream.ErrNoStreamResponse,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

// ensureConsumer returns the name of the consumer for prompts with the same requirements, and
// creates the consumer if necessary.
func (s *Sender) ensureConsumer(ctx context.Context, prompt batch.Prompt) (string, error) {
	wanted := demandOf(prompt)
	name := wanted.name()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.needs[name]; there {
		return name, nil
	}
	if len(s.needs) >= mostNeeds {
		return "", batch.RefusedError{Why: fmt.Sprintf("the lines of this batch ask for more than %d different kinds of workers", mostNeeds)}
	}
	encoded, err := json.Marshal(wanted)
	if err != nil {
		return "", err
	}
	err = s.fleet.persist(ctx, func(ctx context.Context) error {
		// MaxAckPending and MaxDeliver are unlimited. Reaching MaxAckPending would silently stop
		// all workers, and reaching MaxDeliver would not remove the message. The workers count the
		// attempts for each prompt.
		if _, err := s.fleet.prompts.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: name, FilterSubject: s.fleet.promptSubject(name, "*", "*"), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: s.fleet.address.AckWait, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 16 << 10,
		}); err != nil {
			return err
		}
		_, err := s.fleet.book.Put(ctx, "need."+name, encoded)
		return err
	})
	if err == nil {
		s.needs[name] = wanted
	}
	return name, err
}

// mostNeeds is the maximum number of consumers that a batch uses.
const mostNeeds = 200
