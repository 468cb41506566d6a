package browse

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"marvin/tools"
	"marvin/tools/internal/duck"
	"marvin/tools/internal/show"
)

// Service holds the state that the tools of this package share.
type Service struct {
	client  *http.Client
	engine  *duck.Engine
	pages   *cache
	fetches *rate.Limiter // limits browse_web
	renders *rate.Limiter // the limit for scrape_page, which starts a browser for each page
}

// New returns a Service. New itself sends no requests and starts no programs.
func New(client *http.Client) Service {
	return Service{
		client: client, engine: duck.New(client), pages: &cache{},
		fetches: rate.NewLimiter(rate.Every(time.Second), 1), renders: rate.NewLimiter(rate.Every(3*time.Second), 1),
	}
}

// Tools returns the tools for searching the web and reading pages.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.searchTool(), s.newsTool(), s.browseTool(), s.scrapeTool()}
}

// webAddress accepts only full http and https addresses. It rejects file names and command-line
// options.
func webAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return "", tools.Advise(fmt.Errorf("%.200q is not a web address", text), "Give a full address that begins with http:// or https://.")
	}
	return parsed.String(), nil
}

var errNoQuery = errors.New("the query is empty")

type searchArgs struct {
	Query string `json:"query" doc:"What to look for" sent:"" alias:"q,search" example:"go generics tutorial"`
	Max   int    `json:"max_results" doc:"Maximum results" sent:"" default:"5" min:"1" max:"20" alias:"limit,count"`
	Since string `json:"time_filter" doc:"Only results newer than a day, week, month or year" sent:"" enum:"d,w,m,y" default:"" alias:"time,timelimit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "web_search",
		Doc:  "Search the web. Read the results with browse_web.",
		Examples: []string{
			"search the web for {go generics tutorial|query}", "google {best pizza dough|query}",
			"look up {the population of Uppsala|query} on the internet", "search online for {go release notes|query}",
		},
		Core: true,
		Pool: tools.Net, Service: "duckduckgo.com",
		Run: s.search,
	})
}

func (s Service) search(ctx context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return tools.Output{}, tools.Advise(errNoQuery, "Say what to look for.")
	}
	results, err := s.engine.Search(ctx, env.Now(), duck.Query{Text: query, Max: in.Max, Since: in.Since})
	if err != nil {
		return tools.Output{}, searchFailed(err)
	}
	if len(results) == 0 {
		text := fmt.Sprintf("No results for %q.", show.Line(query, 200))
		if in.Since != "" {
			text += " Try without time_filter."
		}
		return tools.NoResults(text), nil
	}
	return tools.Output{Text: duck.List(results)}, nil
}

func searchFailed(err error) error {
	if errors.Is(err, duck.ErrBusy) {
		return tools.Advise(err, "Wait a few minutes before the next search, or read a known page with browse_web.")
	}
	return tools.Advise(err, "Try again later, or read a known page with browse_web.")
}
