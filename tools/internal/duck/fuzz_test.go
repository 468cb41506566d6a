package duck

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
)

// A page of results may contain anything. Only web addresses are extracted, without duplicates,
// with short one-line texts.
func FuzzPage(f *testing.F) {
	for _, page := range []string{
		`<div class=result><a class=result__a href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fgo.dev">Go</a><a class=result__snippet>x`,
		`<table><tr><td><a class=result-link href=http://a.org>a</a></tr><tr><td class=result-snippet>b</tr><tr class=result-sponsored><td><a class=result-link href=http://ad.org>`,
		`<div class="result result--ad"><a class=result__a href=javascript:1>`, `<div class=result><div class=result><a class=result__a href="https://a:b@c/%00">`, "\x00<", "<a class=result-link href=//[::1",
		`<div class=result><a class=result__a href="//duckduckgo.com/l/?uddg=//duckduckgo.com/l/?uddg=//x.org">`,
	} {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page string) {
		document, err := goquery.NewDocumentFromReader(strings.NewReader(page))
		if err != nil {
			return
		}
		for _, results := range [][]Result{readPage(document), readLite(document)} {
			seen := map[string]bool{}
			for _, result := range results {
				address, err := url.Parse(result.URL)
				if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" || seen[result.URL] {
					t.Errorf("%q, %v", result.URL, err)
				}
				seen[result.URL] = true
				for _, text := range []string{result.Title, result.Snippet} {
					if strings.Contains(text, "\n") || utf8.RuneCountInString(text) > 501 {
						t.Errorf("%q", text)
					}
				}
			}
		}
	})
}
