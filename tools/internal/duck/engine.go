package duck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"marvin/tools/internal/web"
)

const (
	limit   = 2 << 20          // of one page; they have 40 KB
	pause   = time.Second      // between two searches
	backOff = time.Minute      // after a puzzle
	timeout = 15 * time.Second // of one search
)

// ErrBusy means that DuckDuckGo takes Marvin for a bot for the moment.
var ErrBusy = errors.New("DuckDuckGo wants a person to solve a puzzle, because too many searches came from this network. There may still be results")

// errChanged means that a page is neither results, nor their absence, nor a puzzle.
var errChanged = errors.New("DuckDuckGo answered with an unexpected page; it may have changed")

// Result is one page that was found.
type Result struct {
	Title, URL, Snippet string
}

// Query says what to look for.
type Query struct {
	Text  string
	Max   int    // results wanted at most
	Since string // d, w, m or y: not older than that; "" for any age
}

// Engine asks DuckDuckGo, one search at a time and one a second. It is safe for
// concurrent use.
type Engine struct {
	client  *http.Client
	limiter *rate.Limiter

	mu    sync.Mutex
	until time.Time // nothing is asked before
	lite  time.Time // before, only the page without looks is asked
}

// New makes an engine; it costs nothing before the first search.
func New(client *http.Client) *Engine {
	return &Engine{client: client, limiter: rate.NewLimiter(rate.Every(pause), 1)}
}

// enter waits for a search's turn.
func (e *Engine) enter(ctx context.Context, now time.Time) error {
	e.mu.Lock()
	wait := e.until.Sub(now)
	e.mu.Unlock()
	if wait > 0 {
		return fmt.Errorf("%w; Marvin asks again in %s", ErrBusy, wait.Round(time.Second))
	}
	if err := e.limiter.Wait(ctx); err != nil {
		return fmt.Errorf("too many searches are waiting: %w", err)
	}
	return nil
}

// load asks for one page and tells puzzles from results.
func (e *Engine) load(request *http.Request) (web.Page, error) {
	page, err := web.Load(e.client, request, limit)
	var status *web.StatusError
	busy := errors.As(err, &status) && (status.Status == http.StatusTooManyRequests || status.Status == http.StatusForbidden)
	if busy || err == nil && isPuzzle(page) {
		return page, ErrBusy
	}
	return page, err
}

// rest keeps everybody from asking for a while.
func (e *Engine) rest(until *time.Time, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	*until = now.Add(backOff)
}

// onlyLite says whether the usual page had a puzzle a moment ago.
func (e *Engine) onlyLite(now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return now.Before(e.lite)
}

// isPuzzle knows the page by its status, or by what only it holds. The page of a search
// for these very words has results, so the words alone do not count.
func isPuzzle(page web.Page) bool {
	return page.Status == http.StatusAccepted ||
		bytes.Contains(page.Body, []byte(`class="anomaly-modal`)) || bytes.Contains(page.Body, []byte(`id="challenge-form"`))
}
