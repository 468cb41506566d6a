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
	"marvin/tools"
)

// mostDeaths is the number of workers that may crash on a prompt before it fails.
const mostDeaths = 3

// tries records the attempts of a prompt. The server's own delivery count is wrong after crashes,
// and does not know what a turn did.
type tries struct {
	Begun []begun  `json:"begun"` // one for each time
	Tools []string `json:"tools,omitempty"`
}

type begun struct {
	Worker string `json:"worker"`
	Mark   string `json:"mark"` // so that noting it again changes nothing
}

// try records that a worker begins a prompt. If it must not, aside gives the reason for the result.
func (f *Fleet) try(ctx context.Context, id, k, worker string, prompt batch.Prompt) (was tries, aside string, err error) {
	mark := rand.Text()[:8]
	err = amend(ctx, f, "tries."+id+"."+k, func(now *tries) bool {
		if n := len(now.Begun); n > 0 && now.Begun[n-1].Mark == mark {
			return false // it is there; only the answer of the server was lost
		}
		was, aside = *now, now.aside(prompt)
		now.Begun = append(slices.Clone(now.Begun), begun{Worker: worker, Mark: mark})
		return aside == ""
	})
	return was, aside, err
}

// aside is why a prompt is not begun again, "" if it may be.
func (t tries) aside(prompt batch.Prompt) string {
	var workers []string
	for _, one := range t.Begun {
		workers = append(workers, one.Worker)
	}
	switch {
	case len(workers) >= mostDeaths:
		return fmt.Sprintf("set aside: %s died or froze while answering it (%s)", messages.Counted(len(workers), "worker"), strings.Join(workers, ", "))
	case len(t.Tools) > 0 && !prompt.Repeat:
		return fmt.Sprintf("half done: worker %s died or froze after it had begun %s; it is not repeated, because its line has no \"repeat\":true", workers[len(workers)-1], strings.Join(t.Tools, ", "))
	}
	return ""
}

// mostTools is how many names of tools are kept for the words about a death.
const mostTools = 20

// lasts says whether what a call does stays when its worker dies. In a checkout of its own a
// prompt may write as it likes, because the checkout goes with its worker.
func lasts(prompt batch.Prompt, effect tools.Effect) bool {
	return prompt.Git == "" || effect > tools.Writes
}

// intends notes calls that change something, before they begin: what they do must not be
// done twice.
func (f *Fleet) intends(ctx context.Context, id, k string, prompt batch.Prompt) func(string, tools.Effect) {
	return func(tool string, effect tools.Effect) {
		if !lasts(prompt, effect) {
			return
		}
		_ = amend(ctx, f, "tries."+id+"."+k, func(now *tries) bool { // it fails with the end of the turn
			if slices.Contains(now.Tools, tool) || len(now.Tools) >= mostTools {
				return false
			}
			now.Tools = append(slices.Clone(now.Tools), tool)
			return true
		})
	}
}

// amend changes a value by compare-and-swap until it succeeds. change returns whether to write; it
// may be called several times.
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

// forgetTries takes the count of a prompt away that has its result.
func (f *Fleet) forgetTries(ctx context.Context, id, k string) {
	timed, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_ = f.book.Purge(timed, "tries."+id+"."+k, jetstream.PurgeTTL(time.Minute)) // what stays is an entry of some bytes
}
