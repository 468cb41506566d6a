package wiki

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	host        = "https://en.wikipedia.org"
	answerLimit = 16 << 20 // maximum number of bytes; the longest articles contain 1 MB of text
)

// Service reads Wikipedia.
type Service struct{ client *http.Client }

// New returns a service.
func New(client *http.Client) Service { return Service{client: client} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.searchTool(), s.summaryTool(), s.fullTool(), grepTool()}
}

// query sends a request to the action API. The API's error responses have status 200.
func (s Service) query(ctx context.Context, values url.Values, value any) error {
	values.Set("action", "query")
	values.Set("format", "json")
	values.Set("formatversion", "2") // version 2 returns the pages as a list
	answer := struct {
		Query any
		Error *struct{ Code, Info string }
	}{Query: value}
	if err := web.GetJSON(ctx, s.client, host+"/w/api.php?"+values.Encode(), answerLimit, &answer); err != nil {
		return explain(err)
	}
	if answer.Error != nil {
		return tools.Advise(fmt.Errorf("no answer from Wikipedia: %s (%s)", show.Line(answer.Error.Info, 200), show.Line(answer.Error.Code, 40)), "Check the title or query, or try again later.")
	}
	return nil
}

func explain(err error) error {
	if status, ok := errors.AsType[*web.StatusError](err); ok && (status.Status == http.StatusTooManyRequests || status.Status == http.StatusForbidden) {
		wait := "in a minute"
		if status.After != "" {
			wait = "after " + show.Line(status.After, 40) + " (seconds or date)"
		}
		return tools.Advise(errors.New("too many requests to Wikipedia from this IP address"), "Try again %s.", wait)
	}
	return err
}

type searchArgs struct {
	Query      string `json:"query" doc:"Words to find" alias:"q" example:"alan turing"`
	MaxResults int    `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"10" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name:     "wiki_search",
		Doc:      "Find Wikipedia articles. Shows each title with the text around the match.",
		Examples: []string{"search wikipedia for {alan turing|query}", "which wikipedia article is about {the halting problem|query}"},
		Pool:     tools.Net, Service: "en.wikipedia.org",
		Run: s.search,
	})
}

func (s Service) search(ctx context.Context, _ tools.Env, in searchArgs) (tools.Output, error) {
	text := strings.Join(strings.Fields(in.Query), " ")
	if text == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say what the article is about.")
	}
	var found struct {
		Search []struct {
			Title, Snippet string
			PageID         int
		}
	}
	err := s.query(ctx, url.Values{"list": {"search"}, "srsearch": {text}, "srlimit": {strconv.Itoa(in.MaxResults)}}, &found)
	if err != nil {
		return tools.Output{}, err
	}
	if len(found.Search) == 0 {
		return tools.Output{Text: fmt.Sprintf("Wikipedia has no article that contains %q. Try fewer or other words.", text)}, nil
	}
	items := make([][]string, min(in.MaxResults, len(found.Search)))
	for i, each := range found.Search[:len(items)] {
		items[i] = []string{show.Line(each.Title, 250), show.Line(markup.Text(each.Snippet), 300), "pageid " + strconv.Itoa(each.PageID)}
	}
	return tools.Output{Text: show.List(items)}, nil
}

type titleArgs struct {
	Title string `json:"title" doc:"Title of the article" alias:"page,query,name" example:"Alan Turing"`
}

// title returns the article's title with spaces instead of underscores. a.Title can be the address
// of an article instead of a title.
func (a titleArgs) title() (string, error) {
	text := a.Title
	if _, path, ok := strings.Cut(text, "wikipedia.org/wiki/"); ok {
		path, _, _ = strings.Cut(path, "#")
		if unescaped, err := url.PathUnescape(path); err == nil {
			text = unescaped
		}
	}
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "_", " ")), " ")
	switch {
	case text == "":
		return "", tools.Advise(errors.New("the title is empty"), "Find one with wiki_search.")
	case len(text) > 255 || strings.ContainsAny(text, "#<>[]|{}\x00"):
		return "", tools.Advise(fmt.Errorf("%q cannot be the title of an article", show.Line(text, 80)), "Find it with wiki_search.")
	}
	return text, nil
}

// article is the action API's data about one article.
type article struct {
	Title, Extract, Description string
	Missing, Invalid            bool
	URL                         string `json:"fullurl"`
}

func (s Service) article(ctx context.Context, title string, values url.Values) (article, error) {
	values.Set("titles", title)
	values.Set("redirects", "1")
	values.Set("explaintext", "1")
	var found struct{ Pages []article }
	if err := s.query(ctx, values, &found); err != nil {
		return article{}, err
	}
	if len(found.Pages) == 0 || found.Pages[0].Missing || found.Pages[0].Invalid {
		return article{}, unknown(title)
	}
	return found.Pages[0], nil
}

func unknown(title string) error {
	return tools.Advise(fmt.Errorf("there is no Wikipedia article %q", title), "Find the title with wiki_search.")
}
