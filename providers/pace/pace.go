package pace

import (
	"context"
	"sync"
	"time"

	"marvin/providers"
)

// trickling is how many pieces close behind each other make a stream.
const trickling = 8

// Wrap makes a model that passes the pieces of a stream on once in every. They may come from
// another goroutine than that of the caller, but never two at a time, and none after Respond.
func Wrap(model providers.Model, every time.Duration, now func() time.Time) providers.Model {
	return paced{model, every, now}
}

type paced struct {
	providers.Model
	every time.Duration
	now   func() time.Time
}

// Respond implements [providers.Model].
func (p paced) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	g := &gathering{every: p.every, now: p.now, emit: emit}
	defer g.finish()
	return p.Model.Respond(ctx, question, g.take)
}

// gathering is an answer under way.
type gathering struct {
	every time.Duration
	now   func() time.Time
	emit  func(providers.Part)

	mutex  sync.Mutex
	held   []providers.Part // not passed on yet; pieces of one kind are one
	timer  *time.Timer      // passes them on; nil while none are held
	last   time.Time        // when some were passed on
	near   int              // pieces that came close behind each other
	closed bool
}

// take takes a piece of the answer.
func (g *gathering) take(part providers.Part) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	since := g.now().Sub(g.last)
	if g.near++; since >= 2*g.every {
		g.near = 0
	}
	g.hold(part)
	urgent := part.Kind != providers.TextPart && part.Kind != providers.ThinkingPart && part.Kind != providers.CallingPart
	switch {
	case urgent, g.near < trickling, since >= g.every:
		g.flush()
	case g.timer == nil:
		g.timer = time.AfterFunc(g.every-since, g.due)
	}
}

// hold adds a piece to those that are held.
func (g *gathering) hold(part providers.Part) {
	if last := len(g.held) - 1; last >= 0 && g.held[last].Kind == part.Kind {
		switch held := &g.held[last]; part.Kind {
		case providers.TextPart, providers.ThinkingPart:
			held.Text += part.Text
			return
		case providers.CallingPart:
			if held.Text == part.Text {
				held.Size += part.Size
				return
			}
		case providers.NoticePart, providers.AnewPart:
		}
	}
	g.held = append(g.held, part)
}

func (g *gathering) due() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if !g.closed {
		g.flush()
	}
}

// flush passes on what is held.
func (g *gathering) flush() {
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
	for _, part := range g.held {
		g.emit(part)
	}
	g.held, g.last = g.held[:0], g.now()
}

// finish passes on the last pieces.
func (g *gathering) finish() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.flush()
	g.closed = true
}
