package browse

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"marvin/tools"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	pageLimit = 4 << 20         // maximum number of bytes read from a page
	keep      = 5 * time.Minute // how long a page stays in the cache
	keepPages = 32
)

type browseArgs struct {
	URL   string `json:"url" doc:"Address of the page" sent:"" alias:"link,address" example:"https://go.dev"`
	Max   int    `json:"max_length" doc:"Maximum characters" sent:"" default:"4000" min:"1" max:"8000" alias:"limit"`
	Start int    `json:"start_index" doc:"The position to continue from" sent:"" default:"0" min:"0" alias:"start,offset"`
}

func (s Service) browseTool() tools.Tool {
	return tools.New(tools.Def[browseArgs]{
		Name: "browse_web",
		Doc:  "Read a web page as Markdown, with its links. If the page needs scripts, use scrape_page.",
		Examples: []string{
			"read the page {https://go.dev|url}", "what does {https://go.dev/doc|url} say", "open {https://go.dev|url}",
			"browse {https://go.dev|url} from character {4000|start_index}",
		},
		Core:  true,
		Pool:  tools.Net,
		Sends: func(_ tools.Env, in browseArgs) []tools.Destination { return tools.ToAddress(in.URL) },
		Run:   s.browse,
	})
}

func (s Service) browse(ctx context.Context, env tools.Env, in browseArgs) (tools.Output, error) {
	address, err := webAddress(in.URL)
	if err != nil {
		return tools.Output{}, err
	}
	page, known := s.pages.get(address, env.Now())
	if !known {
		if err := s.fetches.Wait(ctx); err != nil {
			return tools.Output{}, fmt.Errorf("too many pages are waiting to be read: %w", err)
		}
		if page, err = s.fetch(ctx, address); err != nil {
			return tools.Output{}, err
		}
		s.pages.put(address, page, env.Now())
	}
	return page.part(in.Start, in.Max)
}

type page struct {
	head string // a "Title:" line and, after a redirect, an "Address:" line
	text []rune
	cut  bool // the page is longer than pageLimit
}

func (s Service) fetch(ctx context.Context, address string) (*page, error) {
	found, err := web.Get(ctx, s.client, address, pageLimit)
	if err != nil {
		return nil, pageFailed(err)
	}
	result := &page{cut: found.Cut}
	if found.URL.String() != address {
		result.head = "Address: " + show.Line(found.URL.String(), 1000) + "\n"
	}
	kind, _, _ := mime.ParseMediaType(found.Kind)
	if kind == "" {
		kind, _, _ = mime.ParseMediaType(http.DetectContentType(found.Body))
	}
	source := markup.Decode(found.Body, found.Kind)
	switch {
	case kind == "text/html" || kind == "application/xhtml+xml":
		document := markup.Parse(source)
		if title := titleOf(document); title != "" {
			result.head = "Title: " + title + "\n" + result.head
		}
		result.text = []rune(tidy(markup.Markdown(document, base(goquery.NewDocumentFromNode(document), found.URL.String()))))
	case strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml") || strings.HasSuffix(kind, "javascript"):
		result.text = []rune(tidy(source))
	default:
		return nil, tools.Advise(fmt.Errorf("%s is not a page but %s", show.Line(address, 300), show.Line(kind, 80)), "Save it with download_file.")
	}
	return result, nil
}

// pageFailed replaces a [web.StatusError] for a missing or inaccessible page. The original message
// fits only services.
func pageFailed(err error) error {
	var status *web.StatusError
	if !errors.As(err, &status) {
		return err
	}
	said := fmt.Errorf("%s answered %d %s", status.Host, status.Status, http.StatusText(status.Status))
	switch status.Status {
	case http.StatusNotFound, http.StatusGone:
		return tools.Advise(said, "Check the address, or find the page with web_search.")
	case http.StatusUnauthorized, http.StatusForbidden:
		return tools.Advise(said, "The site requires a login or blocks bots. scrape_page may work; otherwise find another source with web_search.")
	}
	return err
}

// part returns a part of the page's text: at most the given number of characters, beginning at the
// given index. A note says how to get the next part.
func (p *page) part(start, limit int) (tools.Output, error) {
	total := len(p.text)
	switch {
	case total == 0:
		return tools.Output{Text: p.head + "The page has no text. If scripts create the text, scrape_page can read it."}, nil
	case start >= total:
		return tools.Output{}, tools.Advise(fmt.Errorf("the page has only %d characters, so it ends before character %d", total, start), "Give a smaller start_index.")
	}
	end := min(start+limit, total)
	text := string(p.text[start:end])
	if p.head != "" && start == 0 {
		text = p.head + "\n" + text
	}
	switch {
	case end < total:
		text += fmt.Sprintf("\n\n[Characters %d to %d of %d. Continue with start_index=%d.]", start, end, total, end)
	case p.cut:
		text += fmt.Sprintf("\n\n[The rest of the page, after its first %d MiB, was not read.]", pageLimit>>20)
	case start > 0:
		text += fmt.Sprintf("\n\n[Characters %d to %d of %d: the end.]", start, end, total)
	}
	return tools.Output{Text: text}, nil
}

// tidy removes white space at the ends of lines, and shortens each run of empty lines to at most
// two.
func tidy(text string) string {
	var out strings.Builder
	blank := 0
	for line := range strings.Lines(tools.Visible(strings.ReplaceAll(text, "\r\n", "\n"))) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" {
			blank++
			continue
		}
		if out.Len() > 0 {
			out.WriteString(strings.Repeat("\n", 1+min(blank, 2)))
		}
		blank = 0
		out.WriteString(line)
	}
	return out.String()
}

// cache is a store that keeps pages for a limited time. A new page replaces the oldest one if the
// cache is full.
type cache struct {
	mu    sync.Mutex
	pages map[string]kept
}

type kept struct {
	*page
	at time.Time
}

func (c *cache) get(address string, now time.Time) (*page, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.pages[address]
	if !ok || now.Sub(found.at) >= keep || now.Before(found.at) {
		return nil, false
	}
	return found.page, true
}

func (c *cache) put(address string, page *page, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pages == nil {
		c.pages = map[string]kept{}
	}
	c.pages[address] = kept{page, now}
	for len(c.pages) > keepPages {
		oldest, at := "", now.Add(time.Hour)
		for each, found := range c.pages {
			if found.at.Before(at) {
				oldest, at = each, found.at
			}
		}
		delete(c.pages, oldest)
	}
}

func titleOf(document *html.Node) string {
	return show.Line(goquery.NewDocumentFromNode(document).Find("title").First().Text(), 200)
}

// base returns the URL against which a page's relative links are resolved.
func base(document *goquery.Document, address string) *url.URL {
	own, err := url.Parse(address)
	if err != nil {
		return &url.URL{}
	}
	if declared, err := own.Parse(document.Find("base[href]").First().AttrOr("href", "")); err == nil {
		return declared
	}
	return own
}
