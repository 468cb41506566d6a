package stack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	serviceURL  = "https://api.stackexchange.com/2.3"
	answerLimit = 8 << 20
	patience    = 8 * time.Second // a longer pause is reported instead of kept
)

// Service asks Stack Exchange.
type Service struct {
	client *http.Client
	pauses *pauses
}

// New makes the service.
func New(client *http.Client) Service {
	return Service{client: client, pauses: &pauses{until: map[string]time.Time{}}}
}

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.searchTool(), s.answersTool()} }

// wrapper is around every answer.
type wrapper[T any] struct {
	Items   []T
	Backoff int // seconds until this method may be asked again
	Left    int `json:"quota_remaining"`
}

// ask asks one method of the service, after the pause that it wanted the last time.
func ask[T any](ctx context.Context, s Service, now func() time.Time, method, path string, query url.Values) (wrapper[T], error) {
	var answer wrapper[T]
	if err := s.pauses.keep(ctx, now, method); err != nil {
		return answer, err
	}
	// No Accept-Encoding: the answer is always compressed, and the client unpacks
	// only what it asked for itself.
	err := web.GetJSON(ctx, s.client, serviceURL+path+"?"+query.Encode(), answerLimit, &answer)
	if answer.Backoff > 0 {
		s.pauses.want(method, now().Add(time.Duration(answer.Backoff)*time.Second))
	}
	return answer, explain(err, query.Get("site"))
}

// explain says what the service's errors mean; they come with status 400 and a sentence.
func explain(err error, site string) error {
	var status *web.StatusError
	if !errors.As(err, &status) {
		return err
	}
	said := strings.ToLower(status.Message)
	switch {
	case strings.Contains(said, "too many requests") || strings.Contains(said, "backoff") || status.Status == http.StatusTooManyRequests:
		return tools.Advise(fmt.Errorf("no more answers from Stack Exchange for now: %s", status.Message),
			"Without a key it takes 300 requests a day from one address. Try again later, or use web_search.")
	case strings.Contains(said, "site"):
		return tools.Advise(fmt.Errorf("there is no Stack Exchange site %q", site),
			"Sites are called stackoverflow, serverfault, superuser, askubuntu, unix, math, physics, gaming, … as in NAME.stackexchange.com.")
	}
	return err
}

// site checks the name of a site, which may come as an address.
func site(name string) (string, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimPrefix(strings.TrimPrefix(name, "https://"), "www.")
	name, _, _ = strings.Cut(name, "/")
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".com"), ".stackexchange")
	valid := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.' && r != '-'
	})
	if !valid {
		return "", tools.Advise(fmt.Errorf("%q is not the name of a site", show.Line(name, 60)), "For example: stackoverflow, serverfault, superuser, askubuntu, unix, math.")
	}
	return name, nil
}

// pauses remembers until when each method does not want to be asked.
type pauses struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (p *pauses) want(method string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until[method] = until
}

// keep waits for a short pause to end, and refuses before a long one has.
func (p *pauses) keep(ctx context.Context, now func() time.Time, method string) error {
	p.mu.Lock()
	left := p.until[method].Sub(now())
	p.mu.Unlock()
	switch {
	case left <= 0:
		return nil
	case left > patience:
		return tools.Advise(errors.New("a pause is wanted by Stack Exchange"), "Try again in %s.", left.Round(time.Second))
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(left):
		return nil
	}
}
