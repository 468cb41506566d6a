package duck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marvin/tools/internal/markup"
)

const (
	tokenURL = "https://duckduckgo.com/"
	newsURL  = "https://duckduckgo.com/news.js"
)

// Article is a news article.
type Article struct {
	Title, URL, Source, Text string
	Date                     time.Time // zero if unknown
}

// News returns articles in DuckDuckGo's order, newest first.
func (e *Engine) News(ctx context.Context, now time.Time, query Query) ([]Article, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, errors.New("it took longer than "+timeout.String()))
	defer cancel()
	if err := e.enter(ctx, now); err != nil {
		return nil, err
	}
	page, err := e.get(ctx, now, tokenURL, url.Values{"q": {query.Text}})
	if err != nil {
		return nil, err
	}
	token := findToken(string(page))
	if token == "" { // DuckDuckGo treats a client with a wrong token as a bot
		return nil, errChanged
	}
	fields := url.Values{"l": {"us-en"}, "o": {"json"}, "noamp": {"1"}, "q": {query.Text}, "vqd": {token}, "p": {"-1"}}
	if query.Since != "" {
		fields.Set("df", query.Since)
	}
	body, err := e.get(ctx, now, newsURL, fields)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Results []struct {
			Date                        int64
			Title, Excerpt, URL, Source string
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("%w: %w", errChanged, err)
	}
	var articles []Article
	for _, result := range answer.Results[:min(len(answer.Results), query.Max)] {
		article := Article{Title: markup.Line(result.Title), URL: result.URL, Source: markup.Line(result.Source), Text: markup.Line(result.Excerpt)}
		if result.Date > 0 {
			article.Date = time.Unix(result.Date, 0).UTC()
		}
		articles = append(articles, article)
	}
	return articles, nil
}

func (e *Engine) get(ctx context.Context, now time.Time, address string, query url.Values) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return nil, err
	}
	page, err := e.load(request)
	if errors.Is(err, ErrBusy) {
		e.block(&e.until, now)
	}
	return page.Body, err
}

// findToken returns the query token in a page. For example, vqd="4-123", vqd='4-123' and vqd=4-123&
// contain the token "4-123".
func findToken(page string) string {
	_, rest, _ := strings.Cut(page, "vqd=")
	rest = strings.TrimLeft(rest, `"'`)
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '-' && (r < '0' || r > '9') })
	if end <= 0 {
		return ""
	}
	return rest[:end]
}
