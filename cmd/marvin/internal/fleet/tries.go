package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
)

// mostDeaths is the number of unfinished attempts after which a prompt is not tried again.
const mostDeaths = 3

// attempts contains the attempts at a prompt. The server's own delivery count is not enough,
// because it is wrong after crashes and does not say what a turn did.
type attempts struct {
	Begun []begun  `json:"begun"` // one entry for each attempt
	Tools []string `json:"tools,omitempty"`
}

type begun struct {
	Worker string `json:"worker"`
	Mark   string `json:"mark"` // distinguishes this attempt from other attempts by the same worker
}

// beginAttempt records a worker's attempt to answer a prompt, and returns the earlier attempts. If
// no further attempt is allowed, beginAttempt records nothing and returns the reason.
func (f *Fleet) beginAttempt(ctx context.Context, id, k, worker string, prompt batch.Prompt) (was attempts, refusal string, err error) {
	mark := rand.Text()[:8]
	err = amend(ctx, f, "tries."+id+"."+k, func(now *attempts) bool {
		if n := len(now.Begun); n > 0 && now.Begun[n-1].Mark == mark {
			return false // the attempt is already recorded; only the server's answer was lost
		}
		was, refusal = *now, now.whyNotRepeat(prompt)
		now.Begun = append(slices.Clone(now.Begun), begun{Worker: worker, Mark: mark})
		return refusal == ""
	})
	return was, refusal, err
}

// whyNotRepeat returns the reason not to try a prompt again, or "" if there is none.
func (t attempts) whyNotRepeat(prompt batch.Prompt) string {
	workers := lists.Map(t.Begun, func(one begun) string { return one.Worker })
	switch {
	case len(workers) >= mostDeaths:
		return fmt.Sprintf("set aside: %s died or froze while answering this prompt (%s)", messages.Counted(len(workers), "worker"), strings.Join(workers, ", "))
	case len(t.Tools) > 0 && !prompt.Repeat:
		return fmt.Sprintf("half done: worker %s died or froze after it had begun %s; Marvin does not repeat the prompt, because its line has no \"repeat\":true", workers[len(workers)-1], strings.Join(t.Tools, ", "))
	}
	return ""
}

// mostTools is the maximum number of tool names recorded for a prompt.
const mostTools = 20

// outlivesWorker reports whether the effect of a call remains after the worker dies. Changes in a
// prompt's own checkout do not remain, because a dead worker's checkout is removed.
func outlivesWorker(prompt batch.Prompt, effect tools.Effect) bool {
	return prompt.Git == "" || effect > tools.Writes
}

// changeRecorder returns a function to call before each tool call. The function records the tool's
// name if the effect outlives the worker, because repeating the prompt could repeat the effect.
func (f *Fleet) changeRecorder(ctx context.Context, id, k string, prompt batch.Prompt) func(string, tools.Effect) {
	return func(tool string, effect tools.Effect) {
		if !outlivesWorker(prompt, effect) {
			return
		}
		_ = amend(ctx, f, "tries."+id+"."+k, func(now *attempts) bool { // an error means that the turn has ended
			if slices.Contains(now.Tools, tool) || len(now.Tools) >= mostTools {
				return false
			}
			now.Tools = append(slices.Clone(now.Tools), tool)
			return true
		})
	}
}

// amend modifies a stored value by compare-and-swap, with as many attempts as necessary. Each
// attempt calls the given function, which returns false to leave the value unchanged.
func amend[T any](ctx context.Context, f *Fleet, name string, change func(*T) bool) error {
	for {
		err := f.persist(ctx, func(ctx context.Context) error {
			var value T
			entry, err := f.book.Get(ctx, name)
			switch {
			case errors.Is(err, jetstream.ErrKeyNotFound):
			case err != nil:
				return err
			default:
				if err := json.Unmarshal(entry.Value(), &value); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			if !change(&value) {
				return nil
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				return err
			}
			if entry == nil {
				_, err = f.book.Create(ctx, name, encoded)
			} else {
				_, err = f.book.Update(ctx, name, encoded, entry.Revision())
			}
			return err
		})
		if !taken(err) && !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
		pause(ctx, time.Millisecond)
	}
}

func (f *Fleet) forgetTries(ctx context.Context, id, k string) {
	timed, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_ = f.book.Purge(timed, "tries."+id+"."+k, jetstream.PurgeTTL(time.Minute)) // if this fails, a small entry remains
}
