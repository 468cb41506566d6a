package fleet

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// pullFor is how long one question for prompts lasts.
const pullFor = 15 * time.Second

// pull takes prompts of one demand while there is room for them, one behind the other: what
// waits here is missing elsewhere.
func (w *Worker) pull(ctx context.Context, need string) {
	var consumer jetstream.Consumer
	for w.room(ctx) {
		if consumer == nil {
			timed, cancel := context.WithTimeout(ctx, 5*time.Second)
			found, err := w.Fleet.prompts.Consumer(timed, need)
			cancel()
			if err != nil {
				pause(ctx, time.Second)
				continue
			}
			consumer = found
		}
		asking, stop := context.WithTimeout(ctx, pullFor)
		message, err := consumer.Next(jetstream.FetchContext(asking))
		stop()
		if err != nil {
			if asking.Err() == nil { // the server is away, or forgot the consumer
				consumer = nil
				pause(ctx, 100*time.Millisecond)
			}
			continue
		}
		if !w.enter() { // another demand was quicker
			_ = message.Nak() // else it comes again by itself
			continue
		}
		wait := consumer.CachedInfo().Config.AckWait
		w.serving.Go(func() {
			defer w.leave()
			w.serve(message, wait)
		})
	}
}

// room waits until a prompt can be taken; false means that none is taken any more.
func (w *Worker) room(ctx context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.slots == 0 && !w.draining {
		w.free.Wait()
	}
	return !w.draining && ctx.Err() == nil
}

func (w *Worker) enter() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.slots == 0 {
		return false
	}
	w.slots--
	return true
}

func (w *Worker) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slots++
	w.done++
	w.free.Broadcast()
}

func pause(ctx context.Context, wait time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}
