package pace

import (
	"context"
	"sync"
	"time"

	"marvin/providers"
)

// piecesAtOnce is how many pieces are forwarded without delay when a pause ends. Later pieces are
// forwarded once per interval.
const piecesAtOnce = 8

// Wrap returns a model that forwards the collected pieces of an answer once per interval. The calls
// of Respond's callback do not overlap, but a timer's goroutine makes some of them. The last call
// ends before Respond returns.
func Wrap(model providers.Model, interval time.Duration, now func() time.Time) providers.Model {
	return paced{model, interval, now}
}

type paced struct {
	providers.Model
	every time.Duration
	now   func() time.Time
}

// Respond implements [providers.Model].
func (p paced) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	g := &gatherer{every: p.every, now: p.now, emit: emit}
	defer g.finish()
	return p.Model.Respond(ctx, question, g.take)
}

// gatherer collects the pieces of one answer until they are forwarded.
type gatherer struct {
	every time.Duration
	now   func() time.Time
	emit  func(providers.Part)

	mutex  sync.Mutex
	held   []providers.Part // pieces to forward; successive pieces of one kind are joined
	timer  *time.Timer      // the timer of the next flush; nil if no pieces are held
	last   time.Time        // time of the last flush
	near   int              // number of pieces since the last pause of at least two intervals
	closed bool
}

func (g *gatherer) take(part providers.Part) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	since := g.now().Sub(g.last)
	if g.near++; since >= 2*g.every {
		g.near = 0
	}
	g.hold(part)
	urgent := part.Kind != providers.TextPart && part.Kind != providers.ThinkingPart && part.Kind != providers.CallingPart
	switch {
	case urgent, g.near < piecesAtOnce, since >= g.every:
		g.flush()
	case g.timer == nil:
		g.timer = time.AfterFunc(g.every-since, g.due)
	}
}

func (g *gatherer) hold(part providers.Part) {
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

func (g *gatherer) due() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if !g.closed {
		g.flush()
	}
}

func (g *gatherer) flush() {
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
	for _, part := range g.held {
		g.emit(part)
	}
	g.held, g.last = g.held[:0], g.now()
}

func (g *gatherer) finish() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.flush()
	g.closed = true
}
