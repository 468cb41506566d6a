package duck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"marvin/tools/internal/markup"
)

const (
	pageURL = "https://html.duckduckgo.com/html/"
	liteURL = "https://lite.duckduckgo.com/lite/"
)

// Search finds pages. An empty result is not an error.
func (e *Engine) Search(ctx context.Context, now time.Time, query Query) ([]Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, errors.New("it took longer than "+timeout.String()))
	defer cancel()
	if err := e.enter(ctx, now); err != nil {
		return nil, err
	}
	err := ErrBusy
	if !e.onlyLite(now) {
		var results []Result
		if results, err = e.ask(ctx, pageURL, query, readPage); err == nil || ctx.Err() != nil {
			return results, err
		}
	}
	// Each page has its own rules for detecting bots. If pageURL returns a captcha, liteURL often
	// still returns results.
	if errors.Is(err, ErrBusy) {
		e.block(&e.lite, now)
	}
	results, second := e.ask(ctx, liteURL, query, readLite)
	switch {
	case errors.Is(second, ErrBusy):
		e.block(&e.until, now)
		return nil, second
	case second != nil:
		return nil, fmt.Errorf("%w (and %w)", err, second)
	}
	return results, nil
}

func (e *Engine) ask(ctx context.Context, address string, query Query, read func(*goquery.Document) []Result) ([]Result, error) {
	form := url.Values{"q": {query.Text}, "b": {""}, "kl": {"wt-wt"}}
	if query.Since != "" {
		form.Set("df", query.Since)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	page, err := e.load(request)
	if err != nil {
		return nil, err
	}
	document, err := goquery.NewDocumentFromReader(bytes.NewReader(page.Body))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errChanged, err)
	}
	results := read(document)
	if len(results) == 0 && document.Find(".result--no-result, .no-results, .no-results__message, .result__a, .result-link").Length() == 0 &&
		!bytes.Contains(page.Body, []byte("No results")) {
		return nil, errChanged
	}
	return results[:min(len(results), query.Max)], nil
}

// readPage returns the results in the response from pageURL, without advertisements.
func readPage(document *goquery.Document) []Result {
	var results []Result
	document.Find(".result").Not(".result--ad").Each(func(_ int, box *goquery.Selection) {
		results = add(results, box.Find(".result__a").First(), box.Find(".result__snippet").First())
	})
	return results
}

// readLite reads the results from the page at liteURL. The page is a table. Each result has a row
// with the link, and usually another row with the snippet.
func readLite(document *goquery.Document) []Result {
	var results []Result
	document.Find("a.result-link").Each(func(_ int, link *goquery.Selection) {
		row := link.Closest("tr")
		if row.HasClass("result-sponsored") {
			return
		}
		var snippet *goquery.Selection
		for next := row.Next(); next.Length() > 0 && next.Find("a.result-link").Length() == 0; next = next.Next() {
			if found := next.Find(".result-snippet"); found.Length() > 0 {
				snippet = found.First()
				break
			}
		}
		results = add(results, link, snippet)
	})
	return results
}

func add(results []Result, link, snippet *goquery.Selection) []Result {
	address, ok := destination(link.AttrOr("href", ""))
	if !ok {
		return results
	}
	for _, known := range results {
		if known.URL == address {
			return results
		}
	}
	return append(results, Result{Title: line(link), URL: address, Snippet: line(snippet)})
}

func line(selection *goquery.Selection) string {
	if selection == nil || selection.Length() == 0 {
		return ""
	}
	text := strings.Join(strings.Fields(markup.NodeText(selection.Nodes[0])), " ")
	if runes := []rune(text); len(runes) > 500 {
		text = string(runes[:500]) + "…"
	}
	return text
}

// destination returns the address to which a link leads, without DuckDuckGo's redirect. It returns
// false for advertisements and for DuckDuckGo's own pages.
func destination(href string) (string, bool) {
	for range 2 {
		parsed, err := url.Parse(strings.TrimSpace(href))
		if err != nil || parsed.Host == "" {
			return "", false
		}
		if parsed.Scheme == "" {
			parsed.Scheme = "https"
		}
		if parsed.Scheme != "http" && parsed.Scheme != "https" {
			return "", false
		}
		host := strings.ToLower(parsed.Hostname())
		if host != "duckduckgo.com" && !strings.HasSuffix(host, ".duckduckgo.com") {
			return parsed.String(), true
		}
		inner := parsed.Query().Get("uddg")
		if parsed.Path != "/l/" || inner == "" {
			return "", false // y.js is an advertisement; other paths are pages about DuckDuckGo
		}
		href = inner
	}
	return "", false
}
