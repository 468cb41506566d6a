package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"marvin/ui/termsafe"
)

// Announcement is a worker's description of itself, sent every few seconds.
type Announcement struct {
	Worker    string   `json:"worker"`
	Host      string   `json:"host"`
	Marvin    string   `json:"marvin"`
	Protocol  int      `json:"v"`
	Labels    []string `json:"labels,omitempty"`
	Providers []string `json:"providers"` // the providers for which the worker has keys
	Roles     []string `json:"roles,omitempty"`
	Model     string   `json:"model"` // the default model, as "provider/model"
	Dirs      []string `json:"dirs"`  // the directories that prompts may use
	Git       bool     `json:"git"`   // the worker checks out repositories
	Jobs      int      `json:"jobs"`
	Running   int      `json:"running"`
	Done      int      `json:"done"`
	Draining  bool     `json:"draining,omitempty"`
}

const (
	announceEvery = 3 * time.Second
	// A worker that announces nothing for goneAfter is considered dead.
	goneAfter = 4 * announceEvery
)

// follow invokes a callback with all entries whose keys match a pattern, and then with each entry
// that changes. It returns only when ctx is done, even if the connection is interrupted.
func (f *Fleet) follow(ctx context.Context, keys string, change func(jetstream.KeyValueEntry)) {
	for ctx.Err() == nil {
		if watcher, err := f.book.Watch(ctx, keys); err == nil {
			f.updates(ctx, watcher, change)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (f *Fleet) updates(ctx context.Context, watcher jetstream.KeyWatcher, change func(jetstream.KeyValueEntry)) {
	defer func() { _ = watcher.Stop() }() // an error means that the connection has ended
	for {
		select {
		case entry, ok := <-watcher.Updates():
			if !ok {
				return
			}
			if entry != nil { // nil marks the end of the existing entries
				change(entry)
			}
		case <-ctx.Done():
			return
		}
	}
}

func put(entry jetstream.KeyValueEntry, value any) bool {
	return entry.Operation() == jetstream.KeyValuePut && json.Unmarshal(entry.Value(), value) == nil
}

// roster is the set of the workers that a sender has seen.
type roster struct {
	stop context.CancelFunc

	mu   sync.Mutex
	seen map[string]sighting
}

type sighting struct {
	Announcement
	at time.Time // by this machine's clock, because the worker's clock can differ
}

func (f *Fleet) watchRoster(now func() time.Time) *roster {
	ctx, stop := context.WithCancel(context.Background())
	c := &roster{stop: stop, seen: map[string]sighting{}}
	go f.follow(ctx, "worker.*", func(entry jetstream.KeyValueEntry) {
		c.mu.Lock()
		defer c.mu.Unlock()
		var says Announcement
		if !put(entry, &says) {
			delete(c.seen, strings.TrimPrefix(entry.Key(), "worker."))
			return
		}
		c.seen[says.Worker] = sighting{Announcement: says, at: now()}
	})
	return c
}

func (c *roster) present(now time.Time) (there []Announcement) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.seen {
		if now.Sub(one.at) < goneAfter {
			there = append(there, one.Announcement)
		}
	}
	return there
}

// Workers implements [batch.Remote].
func (s *Sender) Workers() (running, workers int) {
	there := s.roster.present(s.now())
	for _, one := range there {
		running += one.Running
	}
	s.unserved(there)
	return running, len(there)
}

// unserved tells the user once about each demand that no current worker meets.
func (s *Sender) unserved(there []Announcement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now().Sub(s.begun) < 2*announceEvery { // announcements are still arriving
		return
	}
	for name, wanted := range s.needs {
		served := false
		for _, one := range there {
			served = served || one.meets(wanted)
		}
		if !served && !s.unheard[name] {
			s.unheard[name] = true
			s.fleet.address.Say("no worker serves " + wanted.words() + ", so the prompts that need such a worker are waiting")
		}
	}
}

// batchContext is a context that ends when another process ends the batch.
type batchContext struct {
	ctx  context.Context
	stop context.CancelFunc
}

// The reasons why a batch ends early.
var (
	errCancelled = errors.New("the batch was cancelled; the answers so far are stored")
	errExhausted = errors.New("the cost limit of the batch is reached")
)

func (s *Sender) watchBatch(ctx context.Context) batchContext {
	ctx, end := context.WithCancelCause(ctx)
	lost := context.AfterFunc(s.fleet.life, func() { end(s.fleet.Lost()) })
	context.AfterFunc(ctx, func() { lost() })
	s.hearNotes(ctx)
	go s.fleet.follow(ctx, "batch."+s.id, func(entry jetstream.KeyValueEntry) {
		var is Begin
		if !put(entry, &is) {
			return
		}
		switch is.State {
		case cancelled:
			end(errCancelled)
		case exhausted:
			end(errExhausted)
		case open:
		}
	})
	return batchContext{ctx: ctx, stop: func() { end(nil) }}
}

// Close stops watching the fleet's workers.
func (s *Sender) Close() { s.roster.stop() }

// hearNotes shows the notes that workers publish about this batch. It shows equal notes only once,
// and at most 20 different notes.
func (s *Sender) hearNotes(ctx context.Context) {
	told := map[string]bool{} // used only by the subscription's goroutine
	heard, err := s.fleet.conn.Subscribe(s.fleet.address.Stream+".notes."+s.id, func(message *nats.Msg) {
		if text := termsafe.Line(string(message.Data[:min(len(message.Data), 400)])); !told[text] && len(told) < 20 {
			told[text] = true
			s.fleet.address.Say(text)
		}
	})
	if err == nil { // after an error, the batch continues without notes
		context.AfterFunc(ctx, func() { _ = heard.Unsubscribe() })
	}
}
