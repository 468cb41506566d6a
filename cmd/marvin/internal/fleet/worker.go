package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
	"marvin/messages"
	"marvin/tools"
)

// Worker answers a fleet's prompts in this process.
type Worker struct {
	Fleet *Fleet
	About Announcement
	// Answer runs a prompt within Ask.Limits. It reports each cost to Ask.Spend, and calls
	// Ask.Intends before each tool call that changes something.
	Answer func(context.Context, Ask) batch.Result
	Say    io.Writer // receives messages for the user

	mu       sync.Mutex
	free     *sync.Cond
	slots    int // the number of free slots
	done     int
	draining bool
	running  map[string]map[string]context.CancelCauseFunc // by batch and key
	batches  map[string]Begin
	serving  sync.WaitGroup
}

// Ask is a prompt for this worker.
type Ask struct {
	Prompt  batch.Prompt
	Limits  Limits
	Left    float64 // US dollars that the batch may still spend, or 0 for no limit
	Intends func(tool string, effect tools.Effect)
	Spend   func(cost float64)
	Held    batch.Restrictions
	Doing   func(tools.TaskProgress) // nil if nobody watches
}

// meets is true if a worker satisfies a prompt's demand. A worker serves its directories and their
// subdirectories.
func (a Announcement) meets(wanted demand) bool {
	return a.Protocol == Protocol && !a.Draining &&
		(wanted.Label == "" || slices.Contains(a.Labels, wanted.Label)) &&
		(wanted.Provider == "" || slices.Contains(a.Providers, wanted.Provider)) &&
		(wanted.Role == "" || slices.Contains(a.Roles, wanted.Role)) &&
		(wanted.Dir == "" || a.serves(wanted.Dir)) &&
		(!wanted.Git || a.Git)
}

func (a Announcement) serves(dir string) bool {
	return slices.ContainsFunc(a.Dirs, func(served string) bool {
		return dir == served || strings.HasPrefix(dir, strings.TrimSuffix(served, "/")+"/")
	})
}

// Run answers prompts until ctx is done, the worker is drained, or the connection is lost. Run
// waits for running prompts before it returns.
func (w *Worker) Run(ctx context.Context) error {
	w.free, w.slots = sync.NewCond(&w.mu), w.About.Jobs
	w.running, w.batches = map[string]map[string]context.CancelCauseFunc{}, map[string]Begin{}
	ctx, drain := context.WithCancel(ctx)
	defer drain()
	defer context.AfterFunc(w.Fleet.life, drain)()
	life, end := context.WithCancel(context.WithoutCancel(ctx)) // canceled only when Run returns
	defer end()
	if err := w.Fleet.book.Purge(ctx, "drain."+w.About.Worker, jetstream.PurgeTTL(time.Minute)); err != nil { // an existing entry was meant for an earlier worker with this name
		return fmt.Errorf("begin to work: %w", w.Fleet.reason(err))
	}
	w.announce(life)
	go repeatEvery(life, announceEvery, func() { w.announce(life) })
	go w.Fleet.follow(life, "batch.*", w.updateBatch)
	go w.Fleet.follow(ctx, "drain."+w.About.Worker, func(entry jetstream.KeyValueEntry) {
		if entry.Operation() == jetstream.KeyValuePut {
			drain()
		}
	})
	var pullers sync.WaitGroup
	pulled := map[string]bool{}
	pullers.Go(func() {
		w.Fleet.follow(ctx, "need.*", func(entry jetstream.KeyValueEntry) {
			var wanted demand
			name := strings.TrimPrefix(entry.Key(), "need.")
			if pulled[name] || !put(entry, &wanted) || !w.About.meets(wanted) {
				return
			}
			pulled[name] = true
			pullers.Go(func() { w.pull(ctx, name) })
		})
	})
	<-ctx.Done()
	w.mu.Lock()
	w.draining = true
	running := w.About.Jobs - w.slots
	w.free.Broadcast()
	w.mu.Unlock()
	if running > 0 {
		fmt.Fprintf(w.Say, "draining: %s still being answered\n", messages.Counted(running, "prompt"))
	}
	pullers.Wait()
	w.serving.Wait()
	timed, cancel := context.WithTimeout(life, 5*time.Second)
	defer cancel()
	_ = w.Fleet.book.Purge(timed, "worker."+w.About.Worker, jetstream.PurgeTTL(time.Minute)) // if this fails, senders notice the worker's silence
	return w.Fleet.Lost()
}

// updateBatch stores the new state of a batch. If the batch has ended, updateBatch cancels the
// batch's running prompts.
func (w *Worker) updateBatch(entry jetstream.KeyValueEntry) {
	id, is := strings.TrimPrefix(entry.Key(), "batch."), Begin{}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !put(entry, &is) {
		delete(w.batches, id)
		return
	}
	w.batches[id] = is
	if cause := is.endReason(); cause != nil {
		for _, cancel := range w.running[id] {
			cancel(cause)
		}
	}
}

// endReason returns the reason why the batch has ended, or nil if it has not.
func (b Begin) endReason() error {
	switch b.State {
	case cancelled:
		return errCancelled
	case exhausted:
		return errExhausted
	case open:
	}
	return nil
}

// repeatEvery calls a function once per interval, until ctx is done.
func repeatEvery(ctx context.Context, interval time.Duration, do func()) {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			do()
		}
	}
}

func (w *Worker) announce(ctx context.Context) {
	w.mu.Lock()
	says := w.About
	says.Running, says.Done, says.Draining = says.Jobs-w.slots, w.done, w.draining
	w.mu.Unlock()
	encoded, _ := json.Marshal(says) // text and numbers can always be encoded
	timed, cancel := context.WithTimeout(ctx, announceEvery)
	defer cancel()
	_, _ = w.Fleet.book.Put(timed, "worker."+says.Worker, encoded) // another announcement follows
}
