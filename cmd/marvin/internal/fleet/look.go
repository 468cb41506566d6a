package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
)

// Status is the state of a fleet.
type Status struct {
	Workers []Announcement `json:"workers"`
	Batches []Standing     `json:"batches"`
}

// Standing describes one batch in a [Status].
type Standing struct {
	ID string `json:"batch"`
	Begin
	Waiting int     `json:"waiting"` // prompts without a result, including running ones
	Results int     `json:"results"`
	Spent   float64 `json:"spent"` // US dollars; recorded only if the batch has a cost limit
}

// Status requests the state of the fleet from the server. It leaves out workers that have been
// silent for goneAfter or longer.
func (f *Fleet) Status(ctx context.Context) (Status, error) {
	status := Status{Workers: []Announcement{}, Batches: []Standing{}}
	if _, err := f.book.Put(ctx, "clock", nil); err != nil {
		return status, err
	}
	now, err := f.book.Get(ctx, "clock") // the server's time, because other clocks may differ
	if err != nil {
		return status, err
	}
	err = f.eachEntry(ctx, "worker.*", func(entry jetstream.KeyValueEntry) {
		var says Announcement
		if put(entry, &says) && now.Created().Sub(entry.Created()) < goneAfter {
			status.Workers = append(status.Workers, says)
		}
	})
	if err != nil {
		return status, err
	}
	err = f.eachEntry(ctx, "batch.*", func(entry jetstream.KeyValueEntry) {
		one := Standing{ID: strings.TrimPrefix(entry.Key(), "batch.")}
		if put(entry, &one.Begin) {
			status.Batches = append(status.Batches, one)
		}
	})
	if err != nil {
		return status, err
	}
	for i := range status.Batches {
		if err := f.count(ctx, &status.Batches[i]); err != nil {
			return status, err
		}
	}
	slices.SortFunc(status.Workers, func(a, b Announcement) int { return cmp.Compare(a.Worker, b.Worker) })
	slices.SortFunc(status.Batches, func(a, b Standing) int { return b.At.Compare(a.At) })
	return status, nil
}

func (f *Fleet) count(ctx context.Context, one *Standing) error {
	waiting, err := f.prompts.Info(ctx, jetstream.WithSubjectFilter(f.promptSubject("*", one.ID, "*")))
	if err != nil {
		return err
	}
	results, err := f.results.Info(ctx, jetstream.WithSubjectFilter(f.resultSubject(one.ID, "*")))
	if err != nil {
		return err
	}
	one.Waiting, one.Results = len(waiting.State.Subjects), len(results.State.Subjects)
	entry, err := f.book.Get(ctx, "purse."+one.ID)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil
	}
	var spent spending
	if err == nil && put(entry, &spent) {
		one.Spent = spent.Spent
	}
	return err
}

// listTime is the timeout for listing keys.
const listTime = 20 * time.Second

// eachEntry calls visit for each entry whose key matches a pattern such as "worker.*".
func (f *Fleet) eachEntry(ctx context.Context, keys string, visit func(jetstream.KeyValueEntry)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, listTime, errors.New("the fleet's server does not answer; is it still running?"))
	defer cancel()
	defer context.AfterFunc(f.life, cancel)()
	watcher, err := f.book.Watch(ctx, keys, jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Stop() }() // an error means that the connection has ended
	for {
		select {
		case entry := <-watcher.Updates():
			if entry == nil {
				return nil
			}
			visit(entry)
		case <-ctx.Done():
			return f.reason(context.Cause(ctx))
		}
	}
}

// Results passes a batch's results so far to a callback, and returns the callback's first error. It
// reports invalid results to the user and skips them.
func (f *Fleet) Results(ctx context.Context, id string, take func(batch.Result) error) error {
	if _, err := f.book.Get(ctx, "batch."+id); err != nil {
		return f.unknown(id, err)
	}
	consumer, err := f.results.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{f.resultSubject(id, "*")}})
	if err != nil {
		return err
	}
	info, err := consumer.Info(ctx)
	if err != nil || info.NumPending == 0 {
		return err
	}
	for range info.NumPending {
		message, err := consumer.Next(jetstream.FetchMaxWait(20 * time.Second))
		if err != nil {
			return err
		}
		r, err := decodeReply(message.Subject(), message.Data())
		if err != nil {
			f.address.Say(fmt.Sprintf("a result of %q is ignored: %v", r.Worker, err))
			continue
		}
		if err := take(r.Result); err != nil {
			return err
		}
	}
	return nil
}

func (f *Fleet) unknown(id string, err error) error {
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		return fmt.Errorf("there is no batch %q in the fleet %s; to list the batches, run marvin fleet status", id, f.address.Stream)
	}
	return err
}

// Cancel stops the running prompts of a batch, and removes all its prompts from the queue.
func (f *Fleet) Cancel(ctx context.Context, id string) error {
	if _, err := f.book.Get(ctx, "batch."+id); err != nil {
		return f.unknown(id, err)
	}
	err := amend(ctx, f, "batch."+id, func(is *Begin) bool {
		is.State = cancelled
		return true
	})
	if err != nil {
		return err
	}
	return f.takeBack(ctx, id)
}

// Clear deletes the results and the records of a batch.
func (f *Fleet) Clear(ctx context.Context, id string) error {
	err := f.results.Purge(ctx, jetstream.WithPurgeSubject(f.resultSubject(id, "*")))
	for _, name := range []string{"purse.", "batch."} {
		err = errors.Join(err, f.book.Purge(ctx, name+id, jetstream.PurgeTTL(time.Minute)))
	}
	return err
}

// takeBack removes the prompts of a batch from the queue.
func (f *Fleet) takeBack(ctx context.Context, id string) error {
	return f.prompts.Purge(ctx, jetstream.WithPurgeSubject(f.promptSubject("*", id, "*")))
}

// Drain tells the named worker, or all workers if the name is empty, to complete the running
// prompts and leave the fleet. It returns the number of workers that were told.
func (f *Fleet) Drain(ctx context.Context, worker string) (told int, err error) {
	status, err := f.Status(ctx)
	if err != nil {
		return 0, err
	}
	for _, one := range status.Workers {
		if worker != "" && worker != one.Worker {
			continue
		}
		if _, err := f.book.Put(ctx, "drain."+one.Worker, []byte("{}")); err != nil {
			return told, err
		}
		told++
	}
	return told, nil
}
