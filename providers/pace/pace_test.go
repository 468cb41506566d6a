package pace_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marvin/providers"
	"marvin/providers/pace"
)

// model is a model whose answer is sent by a function.
type model func(emit func(providers.Part)) error

func (m model) Close() error { return nil }

func (m model) Respond(_ context.Context, _ providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	return providers.Reply{}, m(emit)
}

const every = 50 * time.Millisecond

// heard is a piece of an answer with its time after the beginning.
type heard struct {
	part providers.Part
	at   time.Duration
}

func listen(t *testing.T, m model) (all []heard) {
	t.Helper()
	begun := time.Now()
	_, _ = pace.Wrap(m, every, time.Now).Respond(t.Context(), providers.Question{}, func(part providers.Part) {
		all = append(all, heard{part, time.Since(begun)})
	})
	return all
}

func text(words string) providers.Part { return providers.Part{Kind: providers.TextPart, Text: words} }

// trickle sends n words, one every ten milliseconds.
func trickle(emit func(providers.Part), n int) {
	for range n {
		emit(text("word "))
		time.Sleep(10 * time.Millisecond)
	}
}

func TestAStreamComesOncePerFrameAndWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := listen(t, func(emit func(providers.Part)) error { trickle(emit, 300); return nil })
		said := ""
		for _, one := range all {
			said += one.part.Text
		}
		if said != strings.Repeat("word ", 300) {
			t.Errorf("%d bytes came", len(said))
		}
		if most := 8 + 300/5 + 1; len(all) > most {
			t.Errorf("300 words came in %d pieces, at most %d", len(all), most)
		}
	})
}

func TestNothingIsHeldBackAtTheEdges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		said, begun := map[string]time.Duration{}, time.Now()
		all := listen(t, func(emit func(providers.Part)) error {
			say := func(kind providers.PartKind, words string) {
				said[words] = time.Since(begun)
				emit(providers.Part{Kind: kind, Text: words})
			}
			say(providers.TextPart, "first")
			trickle(emit, 33)
			time.Sleep(time.Second)
			say(providers.TextPart, "behind a pause")
			trickle(emit, 33)
			say(providers.NoticePart, "a notice")
			trickle(emit, 33)
			say(providers.ThinkingPart, "last")
			return errors.New("broke off")
		})
		for _, one := range all {
			if at, ok := said[one.part.Text]; ok && at == one.at {
				delete(said, one.part.Text)
			}
		}
		if len(said) != 0 {
			t.Errorf("came late or never: %v of\n%v", said, all)
		}
	})
}

// Text before a pause is forwarded at most one frame after the text before it.
func TestWordsDoNotWaitForTheNextOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var paused time.Duration
		begun := time.Now()
		all := listen(t, func(emit func(providers.Part)) error {
			trickle(emit, 33)
			emit(text("pause"))
			paused = time.Since(begun)
			time.Sleep(time.Hour)
			return nil
		})
		if last := all[len(all)-1]; !strings.HasSuffix(last.part.Text, "pause") || last.at > paused+every {
			t.Errorf("said at %v, heard %q at %v", paused, last.part.Text, last.at)
		}
	})
}
