package fleet

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// pullFor is the timeout of one request for a prompt.
const pullFor = 15 * time.Second

// pull serves the prompts of one consumer until the worker stops accepting prompts. It fetches one
// prompt at a time, so that other workers can take the next prompts.
func (w *Worker) pull(ctx context.Context, need string) {
	var consumer jetstream.Consumer
	for w.waitForSlot(ctx) {
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
			if asking.Err() == nil { // not a timeout: the server or the consumer is unavailable
				consumer = nil
				pause(ctx, 100*time.Millisecond)
			}
			continue
		}
		if !w.enter() { // a prompt from another consumer took the slot
			_ = message.Nak() // if the Nak gets lost, the server redelivers the prompt after AckWait
			continue
		}
		wait := consumer.CachedInfo().Config.AckWait
		w.serving.Go(func() {
			defer w.leave()
			w.serve(message, wait)
		})
	}
}

// waitForSlot waits for a free slot of the worker. It returns false if the worker takes no more
// prompts.
func (w *Worker) waitForSlot(ctx context.Context) bool {
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
