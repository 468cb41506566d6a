package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"marvin/tools"
	"marvin/tools/internal/browser"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

// renderTimeout is the timeout for the browser. It leaves the call enough time to read the page
// without a browser.
const renderTimeout = 45 * time.Second

type scrapeArgs struct {
	URL      string `json:"url" doc:"Address of the page" alias:"link,address" example:"https://go.dev"`
	Extract  string `json:"extract" doc:"What to read; \"menu\" finds dishes and prices" enum:"text,menu,links" default:"text" alias:"mode"`
	Selector string `json:"css_selector" doc:"Read only this part of the page" default:"" alias:"selector" example:"#main"`
	Max      int    `json:"max_length" doc:"Maximum characters" default:"4000" min:"1" max:"8000" alias:"limit"`
}

func (s Service) scrapeTool() tools.Tool {
	return tools.New(tools.Def[scrapeArgs]{
		Name: "scrape_page",
		Doc:  "Read a page in a real browser, after its scripts have run.",
		Examples: []string{
			"scrape {https://go.dev|url}", "list the links {=links|extract} on {https://go.dev|url}",
			"get the menu {=menu|extract} with prices from {https://pizza.example|url}",
			"read {#main|css_selector} of {https://go.dev|url} in a browser",
		},
		Pool:    tools.Proc,
		Brings:  tools.Strangers,
		Sends:   func(_ tools.Env, in scrapeArgs) []tools.Destination { return tools.ToAddress(in.URL) },
		Timeout: renderTimeout + 20*time.Second,
		Run:     s.scrape,
	})
}

func (s Service) scrape(ctx context.Context, env tools.Env, in scrapeArgs) (tools.Output, error) {
	address, err := webAddress(in.URL)
	if err != nil {
		return tools.Output{}, err
	}
	selector, err := parseSelector(in.Selector)
	if err != nil {
		return tools.Output{}, err
	}
	if err := s.renders.Wait(ctx); err != nil {
		return tools.Output{}, fmt.Errorf("too many pages are waiting to be read: %w", err)
	}
	source, note, err := s.render(ctx, env, address)
	if err != nil {
		return tools.Output{}, err
	}
	document := goquery.NewDocumentFromNode(markup.Parse(source))
	title := titleOf(document.Nodes[0])
	content, err := choose(document, selector, in.Selector)
	if err != nil {
		return tools.Output{}, err
	}
	var text string
	switch in.Extract {
	case "links":
		text = links(content, base(document, address))
	case "menu":
		text = menu(textOf(content, markup.NodeText))
	default:
		from := base(document, address)
		text = textOf(content, func(node *html.Node) string { return markup.Markdown(node, from) })
	}
	text = cmp.Or(text, "There is no text.")
	if runes := []rune(text); len(runes) > in.Max {
		text = string(runes[:in.Max]) + fmt.Sprintf("\n\n[%d of %d characters. Select a part of the page with css_selector.]", in.Max, len(runes))
	}
	if title != "" {
		text = "Title: " + title + "\n\n" + text
	}
	return tools.Output{Text: text + note}, nil
}

// render returns the page after its scripts have run. If the browser fails, render returns the
// original page and a note.
func (s Service) render(ctx context.Context, env tools.Env, address string) (source, note string, err error) {
	bounded, cancel := context.WithTimeoutCause(ctx, renderTimeout, errors.New("it took longer than "+renderTimeout.String()))
	defer cancel()
	source, err = browser.Render(bounded, browser.Request{URL: address, Client: s.client, Environ: env.Environ, Now: env.Now()})
	if err == nil || ctx.Err() != nil || errors.Is(err, web.ErrRefused) {
		return source, "", err
	}
	note = fmt.Sprintf("\n\n[The scripts of the page did not run: %s.]", show.Line(err.Error(), 300))
	if errors.Is(err, browser.ErrNone) {
		note = "\n\n[The scripts of the page did not run, because neither Chromium, Chrome nor Firefox is installed.]"
	}
	page, err := web.Get(ctx, s.client, address, pageLimit)
	if err != nil {
		return "", "", pageFailed(err)
	}
	return markup.Decode(page.Body, page.Kind), note, nil
}

func parseSelector(text string) (goquery.Matcher, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil //nolint:nilnil // a call need not have a selector
	}
	selector, err := cascadia.Compile(text)
	if err != nil {
		return nil, tools.Advise(fmt.Errorf("%.200q is not a CSS selector: %w", text, err), "Give a selector such as #main, .price or article p.")
	}
	return selector, nil
}

// choose returns the elements that match the selector. Without a selector, it returns the page
// without navigation, headers and footers. Scripts and other elements without readable text are
// removed.
func choose(document *goquery.Document, selector goquery.Matcher, text string) (*goquery.Selection, error) {
	document.Find("script, style, noscript, iframe, template, svg").Remove()
	if selector == nil {
		document.Find("nav, footer, header").Remove()
		return document.Selection, nil
	}
	found := document.FindMatcher(selector)
	if found.Length() > 0 {
		return found, nil
	}
	var ids []string
	document.Find("[id]").EachWithBreak(func(_ int, element *goquery.Selection) bool {
		if id := show.Line(element.AttrOr("id", ""), 60); id != "" {
			ids = append(ids, "#"+id)
		}
		return len(ids) < 15
	})
	err := fmt.Errorf("nothing on the page matches %.200q", text)
	if len(ids) == 0 {
		return nil, tools.Advise(err, "The page has no ids. Leave css_selector out.")
	}
	return nil, tools.Advise(err, "Ids on the page: %s", strings.Join(ids, ", "))
}

func textOf(content *goquery.Selection, layOut func(*html.Node) string) string {
	var parts []string
	for i, node := range content.Nodes {
		if i > 0 && insideAny(content.Nodes[:i], node) {
			continue
		}
		if text := layOut(node); text != "" {
			parts = append(parts, text)
		}
	}
	return tidy(strings.Join(parts, "\n\n"))
}
