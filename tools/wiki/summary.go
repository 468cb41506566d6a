package wiki

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const extractLimit = 4000 // characters; the longest introductions have 3,000

func (s Service) summaryTool() tools.Tool {
	return tools.New(tools.Def[titleArgs]{
		Name:     "wiki_summary",
		Doc:      "Show the introduction of a Wikipedia article.",
		Examples: []string{"wikipedia summary of {Alan Turing|title}", "what does wikipedia say about {black holes|title}"},
		Pool:     tools.Net, Service: "en.wikipedia.org",
		Run: s.summary,
	})
}

func (s Service) summary(ctx context.Context, _ tools.Env, in titleArgs) (tools.Output, error) {
	title, err := in.title()
	if err != nil {
		return tools.Output{}, err
	}
	var page struct {
		Type, Title, Description, Extract string
		URLs                              struct{ Desktop struct{ Page string } } `json:"content_urls"`
	}
	// Titles such as "AC/DC" and "Who?" contain characters with a special meaning in URLs.
	address := host + "/api/rest_v1/page/summary/" + url.PathEscape(strings.ReplaceAll(title, " ", "_"))
	err = web.GetJSON(ctx, s.client, address, answerLimit, &page)
	if err != nil || page.Extract == "" && page.Type != "disambiguation" {
		return s.introduction(ctx, title, err)
	}
	text := show.Block([]string{
		show.Line(page.Title, 250),
		show.Line(page.Description, 200),
		show.Text(page.Extract, extractLimit),
		show.Line(page.URLs.Desktop.Page, 400),
	}, "")
	if page.Type == "disambiguation" {
		text += s.meanings(ctx, cmp.Or(page.Title, title))
	}
	return tools.Output{Text: text}, nil
}

// introduction fetches an article's introduction from the action API. The introduction replaces a
// missing summary.
func (s Service) introduction(ctx context.Context, title string, cause error) (tools.Output, error) {
	if explained := explain(cause); cause != nil && !errors.Is(explained, cause) {
		return tools.Output{}, explained // Wikipedia would also reject a second request
	}
	found, err := s.article(ctx, title, url.Values{"prop": {"extracts|info|description"}, "inprop": {"url"}, "exintro": {"1"}})
	if err != nil {
		if status, ok := errors.AsType[*web.StatusError](cause); ok && status.Status != http.StatusNotFound {
			err = fmt.Errorf("%w (the summary: %w)", err, cause)
		}
		return tools.Output{}, err
	}
	return tools.Output{Text: show.Block([]string{
		show.Line(found.Title, 250),
		show.Line(found.Description, 200),
		show.Text(found.Extract, extractLimit),
		show.Line(found.URL, 400),
	}, "")}, nil
}

// meanings returns a list of the titles to which a disambiguation page links. If no titles are
// available, the result refers to wiki_search.
func (s Service) meanings(ctx context.Context, title string) string {
	var found struct {
		Pages []struct{ Links []struct{ Title string } }
	}
	values := url.Values{"prop": {"links"}, "titles": {title}, "redirects": {"1"}, "plnamespace": {"0"}, "pllimit": {"40"}}
	text := "\n\nThis title has several meanings. Ask again with one of these titles"
	if err := s.query(ctx, values, &found); err != nil || len(found.Pages) == 0 || len(found.Pages[0].Links) == 0 {
		return text + ", which wiki_search finds."
	}
	for _, link := range found.Pages[0].Links {
		text += "\n- " + show.Line(link.Title, 250)
	}
	return text
}
