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

	"marvin/messages/lists"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	limit   = 2 << 20          // maximum size of a page in bytes; most pages are about 40 KB
	pause   = time.Second      // minimum time between two searches
	backOff = time.Minute      // waiting time after a captcha
	timeout = 15 * time.Second // maximum time for a search
)

// ErrBusy means that DuckDuckGo currently considers Marvin a bot.
var ErrBusy = errors.New("DuckDuckGo asks for a puzzle to be solved, because too many searches came from this network")

var errChanged = errors.New("DuckDuckGo answered with an unexpected page; the service may have changed")

// Result is a page that a search found.
type Result struct {
	Title, URL, Snippet string
}

// List formats the results as a numbered list for the model.
func List(results []Result) string {
	return show.List(lists.Map(results, func(result Result) []string {
		return []string{show.Line(result.Title, 200), show.Line(result.URL, 1000), show.Line(result.Snippet, 400)}
	}))
}

// Query describes a search.
type Query struct {
	Text  string
	Max   int    // the maximum number of results
	Since string // the maximum age: d, w, m or y; "" means any age
}

// Engine queries DuckDuckGo. It starts at most one search per second. It is safe for concurrent
// use.
type Engine struct {
	client  *http.Client
	limiter *rate.Limiter

	mu    sync.Mutex
	until time.Time // no request before this time
	lite  time.Time // before this time, only liteURL is requested
}

// New returns an engine that sends its requests with client.
func New(client *http.Client) *Engine {
	return &Engine{client: client, limiter: rate.NewLimiter(rate.Every(pause), 1)}
}

// enter waits until the rate limiter permits another search.
func (e *Engine) enter(ctx context.Context, now time.Time) error {
	e.mu.Lock()
	wait := e.until.Sub(now)
	e.mu.Unlock()
	if wait > 0 {
		return fmt.Errorf("%w; during the next %s, Marvin sends no searches", ErrBusy, wait.Round(time.Second))
	}
	if err := e.limiter.Wait(ctx); err != nil {
		return fmt.Errorf("too many searches are waiting: %w", err)
	}
	return nil
}

// load returns ErrBusy if the server refuses the request or answers with a captcha.
func (e *Engine) load(request *http.Request) (web.Page, error) {
	page, err := web.Load(e.client, request, limit)
	if web.HasStatus(err, http.StatusTooManyRequests, http.StatusForbidden) || err == nil && isCaptcha(page) {
		return page, ErrBusy
	}
	return page, err
}

func (e *Engine) block(until *time.Time, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	*until = now.Add(backOff)
}

// onlyLite reports whether a search should skip pageURL. It returns true if pageURL recently
// refused a request or returned a captcha.
func (e *Engine) onlyLite(now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return now.Before(e.lite)
}

// isCaptcha recognizes a captcha page by its status or its elements. Words would be unreliable,
// because search results can contain any words.
func isCaptcha(page web.Page) bool {
	return page.Status == http.StatusAccepted ||
		bytes.Contains(page.Body, []byte(`class="anomaly-modal`)) || bytes.Contains(page.Body, []byte(`id="challenge-form"`))
}
