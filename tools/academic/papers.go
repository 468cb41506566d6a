package academic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	papersURL   = "https://api.semanticscholar.org/graph/v1/paper/search"
	papersHost  = "api.semanticscholar.org"
	answerLimit = 8 << 20
	authorLimit = 4
)

// Service asks the two indexes.
type Service struct {
	client *http.Client
	pause  time.Duration // before Semantic Scholar is asked again
}

// New makes the service.
func New(client *http.Client) Service { return Service{client: client, pause: 3 * time.Second} }

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.papersTool(), s.arxivTool()} }

type papersArgs struct {
	Query      string `json:"query" doc:"Words of title or abstract" alias:"q,topic" example:"graph neural networks"`
	MaxResults int    `json:"max_results" doc:"How many" default:"5" min:"1" max:"20" alias:"limit"`
	From       int    `json:"year_min" doc:"Earliest year; 0 is any" default:"0" alias:"year_from,from_year"`
	To         int    `json:"year_max" doc:"Latest year; 0 is any" default:"0" alias:"year_to,to_year"`
	Open       bool   `json:"open_access_only" doc:"Only those with a free PDF" default:"false" alias:"open_access"`
}

func (s Service) papersTool() tools.Tool {
	return tools.New(tools.Def[papersArgs]{
		Name: "search_papers",
		Keys: "SEMANTIC_SCHOLAR_API_KEY; without it requests are few",
		Doc:  "Search scientific papers of all fields (Semantic Scholar): authors, year, citations, links, abstract.",
		Examples: []string{
			"find papers about {graph neural networks|query}",
			"papers on {sleep and memory|query} since {2020|year_min}",
			"most cited research on {crispr|query}",
		},
		Pool: tools.Net, Service: "api.semanticscholar.org", Timeout: 45 * time.Second,
		Run: s.papers,
	})
}

type paper struct {
	Title, URL string
	Year       int    // 0 for null
	Abstract   string // null where the publisher does not allow it
	Citations  int    `json:"citationCount"`
	Authors    []struct{ Name string }
	PDF        *struct{ URL string }  `json:"openAccessPdf"`
	External   struct{ ArXiv string } `json:"externalIds"`
}

func (s Service) papers(ctx context.Context, env tools.Env, in papersArgs) (tools.Output, error) {
	query, err := in.query()
	if err != nil {
		return tools.Output{}, err
	}
	var found struct {
		Total int
		Data  []paper
	}
	if err := s.ask(ctx, env, query, &found); err != nil {
		return tools.Output{}, err
	}
	if len(found.Data) == 0 {
		return tools.Nothing(fmt.Sprintf("No papers for %q. Fewer words, or other years, may find some.", strings.TrimSpace(in.Query))), nil
	}
	items := make([][]string, min(in.MaxResults, len(found.Data)))
	for i, paper := range found.Data[:len(items)] {
		items[i] = paper.lines()
	}
	return tools.Output{Text: matching("paper", max(found.Total, len(items))) + show.List(items)}, nil
}

func (a papersArgs) query() (url.Values, error) {
	text := strings.Join(strings.Fields(a.Query), " ")
	switch {
	case text == "":
		return nil, tools.Advise(errors.New("the query is empty"), "Say what the papers are about.")
	case a.From < 0 || a.To < 0 || a.From > 9999 || a.To > 9999:
		return nil, errors.New("a year has four digits; 0 is any year")
	case a.From > 0 && a.To > 0 && a.From > a.To:
		return nil, tools.Advise(fmt.Errorf("year_min %d is after year_max %d", a.From, a.To), "Exchange them.")
	}
	query := url.Values{
		"query": {text}, "limit": {strconv.Itoa(a.MaxResults)},
		"fields": {"title,authors,year,citationCount,abstract,url,openAccessPdf,externalIds"},
	}
	year := func(number int) string { // an open end is written as nothing: "2019-", "-2015"
		if number == 0 {
			return ""
		}
		return strconv.Itoa(number)
	}
	if a.From > 0 || a.To > 0 {
		query.Set("year", year(a.From)+"-"+year(a.To))
	}
	if a.Open {
		query.Set("openAccessPdf", "") // its presence is what counts
	}
	return query, nil
}

// ask asks twice at most. A key of one's own is not shared with anybody.
func (s Service) ask(ctx context.Context, env tools.Env, query url.Values, value any) error {
	key := strings.TrimSpace(proc.Lookup(env.Environ, "SEMANTIC_SCHOLAR_API_KEY"))
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, papersURL+"?"+query.Encode(), http.NoBody)
		if err != nil {
			return fmt.Errorf("ask %s: %w", papersHost, err)
		}
		if key != "" {
			request.Header.Set("X-Api-Key", key)
		}
		err = web.AskJSON(s.client, request, answerLimit, value)
		var status *web.StatusError
		if !errors.As(err, &status) {
			return err
		}
		switch {
		case status.Status == http.StatusForbidden && key != "", status.Status == http.StatusUnauthorized && key != "":
			return tools.Advise(errors.New("the key in SEMANTIC_SCHOLAR_API_KEY is rejected"), "Correct it, or unset it: the search also works without one.")
		case status.Status != http.StatusTooManyRequests:
			return err
		case attempt == 2:
			return tools.Advise(errors.New("no answer from Semantic Scholar for now: everybody who asks without a key shares one limit"),
				"Try again in a minute, or use search_arxiv.")
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(s.pause):
		}
	}
}

// matching says how many results of a kind there are; some of them follow.
func matching(kind string, count int) string {
	if count == 1 {
		return "1 " + kind + " matches.\n\n"
	}
	return show.Count(count) + " " + kind + "s match.\n\n"
}

func (p paper) lines() []string {
	year, pdf, arxiv := "", "", ""
	if p.Year > 0 {
		year = strconv.Itoa(p.Year)
	}
	if p.PDF != nil {
		pdf = show.Line(p.PDF.URL, 300)
	}
	if p.External.ArXiv != "" {
		arxiv = "https://arxiv.org/abs/" + show.Line(p.External.ArXiv, 40)
	}
	authors := make([]string, len(p.Authors))
	for i, author := range p.Authors {
		authors[i] = author.Name
	}
	return []string{
		show.Line(p.Title, 250),
		show.Join(" · ", show.Some(authors, authorLimit), year, show.Count(p.Citations)+" citations"),
		show.Line(p.URL, 300),
		show.Label("PDF", pdf),
		show.Label("arXiv", arxiv),
		show.Line(p.Abstract, 200),
	}
}
