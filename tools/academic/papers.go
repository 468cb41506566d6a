package academic

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/reason"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	papersURL   = "https://api.semanticscholar.org/graph/v1/paper/search"
	papersHost  = "api.semanticscholar.org"
	answerLimit = 8 << 20
	authorLimit = 4
)

// Service searches Semantic Scholar and arXiv.
type Service struct {
	client *http.Client
	pause  time.Duration // how long to wait before the second request to Semantic Scholar
}

// New returns a Service that sends its requests through client.
func New(client *http.Client) Service { return Service{client: client, pause: 3 * time.Second} }

// Tools returns the two search tools.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.papersTool(), s.arxivTool()} }

type papersArgs struct {
	Query      string `json:"query" doc:"Words to find in titles and abstracts" alias:"q,topic" example:"graph neural networks"`
	MaxResults int    `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"20" alias:"limit"`
	From       int    `json:"year_min" doc:"Earliest year; 0 means any year" default:"0" alias:"year_from,from_year"`
	To         int    `json:"year_max" doc:"Latest year; 0 means any year" default:"0" alias:"year_to,to_year"`
	Open       bool   `json:"open_access_only" doc:"Only papers with a free PDF" default:"false" alias:"open_access"`
}

func (s Service) papersTool() tools.Tool {
	return tools.New(tools.Def[papersArgs]{
		Name: "search_papers",
		Keys: "SEMANTIC_SCHOLAR_API_KEY; without it, the service allows only a few requests",
		Doc:  "Search scientific papers in all fields (Semantic Scholar): authors, year, citations, links, abstract.",
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
	Year       int    // 0 if unknown
	Abstract   string // "" if the publisher withholds the abstract
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
		return tools.NoResults(fmt.Sprintf("No papers were found for %q. Try fewer words or other years.", strings.TrimSpace(in.Query))), nil
	}
	items := lists.Map(found.Data[:min(in.MaxResults, len(found.Data))], paper.lines)
	return tools.Output{Text: resultHeading("paper", max(found.Total, len(items))) + show.List(items)}, nil
}

func (a papersArgs) query() (url.Values, error) {
	text := strings.Join(strings.Fields(a.Query), " ")
	switch {
	case text == "":
		return nil, tools.Advise(errors.New("the query is empty"), "Say what the papers are about.")
	case a.From < 0 || a.To < 0 || a.From > 9999 || a.To > 9999:
		return nil, errors.New("a year has four digits; write 0 for any year")
	case a.From > 0 && a.To > 0 && a.From > a.To:
		return nil, tools.Advise(fmt.Errorf("year_min %d is after year_max %d", a.From, a.To), "Swap the two years.")
	}
	query := url.Values{
		"query": {text}, "limit": {strconv.Itoa(a.MaxResults)},
		"fields": {"title,authors,year,citationCount,abstract,url,openAccessPdf,externalIds"},
	}
	year := func(number int) string { // an open end is left empty, as in "2019-" or "-2015"
		if number == 0 {
			return ""
		}
		return strconv.Itoa(number)
	}
	if a.From > 0 || a.To > 0 {
		query.Set("year", year(a.From)+"-"+year(a.To))
	}
	if a.Open {
		query.Set("openAccessPdf", "") // the parameter has no value
	}
	return query, nil
}

// ask sends a request, and repeats it once after a pause if the service replies with status 429.
func (s Service) ask(ctx context.Context, env tools.Env, query url.Values, value any) error {
	key := env.Key("SEMANTIC_SCHOLAR_API_KEY")
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, papersURL+"?"+query.Encode(), http.NoBody)
		if err != nil {
			return fmt.Errorf("ask %s: %w", papersHost, err)
		}
		if key != "" {
			request.Header.Set("X-Api-Key", key)
		}
		err = web.AskJSON(s.client, request, answerLimit, value)
		switch {
		case key != "" && web.HasStatus(err, http.StatusForbidden, http.StatusUnauthorized):
			return tools.Advise(errors.New("Semantic Scholar rejects the key in SEMANTIC_SCHOLAR_API_KEY"), "Correct it, or unset it: the search also works without one.")
		case !web.HasStatus(err, http.StatusTooManyRequests):
			return err
		case attempt == 2:
			return tools.Advise(errors.New("Semantic Scholar accepts no more requests for now, because all users without a key share one limit"),
				"Try again in a minute, or use search_arxiv.")
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(s.pause):
		}
	}
}

// resultHeading returns the first line of a result list, such as "12 papers match."
func resultHeading(kind string, count int) string {
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
	authors := lists.Map(p.Authors, func(author struct{ Name string }) string { return author.Name })
	return []string{
		show.Line(p.Title, 250),
		show.Join(" · ", show.FirstNames(authors, authorLimit), year, show.Count(p.Citations)+" citations"),
		show.Line(p.URL, 300),
		show.Label("PDF", pdf),
		show.Label("arXiv", arxiv),
		show.Line(p.Abstract, 200),
	}
}

const arxivURL = "https://export.arxiv.org/api/query"

type arxivArgs struct {
	Query      string `json:"query" doc:"Words, or fields such as au:hinton AND ti:capsules" alias:"q,topic" example:"diffusion models"`
	MaxResults int    `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"20" alias:"limit"`
	Sort       string `json:"sort_by" doc:"Sort order; newest dates first" default:"relevance" enum:"relevance,lastUpdatedDate,submittedDate" alias:"sort"`
}

func (s Service) arxivTool() tools.Tool {
	return tools.New(tools.Def[arxivArgs]{
		Name: "search_arxiv",
		Doc:  "Search preprints on arXiv (physics, mathematics, computer science): authors, date, categories, PDF, abstract.",
		Examples: []string{
			"search arxiv for {diffusion models|query}",
			"newest {=submittedDate|sort_by} arxiv preprints on {superconductivity|query}",
		},
		Pool: tools.Net, Service: "export.arxiv.org",
		Run: s.arxiv,
	})
}

// feed is arXiv's reply in the Atom format:
// https://info.arxiv.org/help/api/user-manual.html#_outline_of_an_atom_feed
type feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Total   int      `xml:"http://a9.com/-/spec/opensearch/1.1/ totalResults"`
	Entries []entry  `xml:"entry"`
}

type entry struct {
	ID        string `xml:"id"`
	Title     string `xml:"title"`
	Summary   string `xml:"summary"`
	Published string `xml:"published"`
	Authors   []struct {
		Name string `xml:"name"`
	} `xml:"author"`
	Categories []struct {
		Term string `xml:"term,attr"`
	} `xml:"category"`
	Links []struct {
		Address string `xml:"href,attr"`
		Title   string `xml:"title,attr"`
	} `xml:"link"`
}

func (s Service) arxiv(ctx context.Context, _ tools.Env, in arxivArgs) (tools.Output, error) {
	text := strings.Join(strings.Fields(in.Query), " ")
	if text == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say what the papers are about.")
	}
	wanted := searchQuery(text)
	query := url.Values{
		"search_query": {wanted}, "start": {"0"}, "max_results": {strconv.Itoa(in.MaxResults)},
		"sortBy": {in.Sort}, "sortOrder": {"descending"},
	}
	found, err := s.requestFeed(ctx, query)
	if words := strings.Fields(text); err == nil && len(found.Entries) == 0 && wanted != text && len(words) > 1 {
		query.Set("search_query", "all:"+strings.Join(words, " AND all:"))
		found, err = s.requestFeed(ctx, query)
	}
	if err != nil {
		return tools.Output{}, err
	}
	if len(found.Entries) == 0 {
		return tools.NoResults(fmt.Sprintf("arXiv has nothing for %q. Try fewer or other words.", text)), nil
	}
	items := lists.Map(found.Entries[:min(in.MaxResults, len(found.Entries))], entry.lines)
	return tools.Output{Text: resultHeading("preprint", max(found.Total, len(items))) + show.List(items)}, nil
}

// searchQuery turns text into an arXiv query. If the text has several words, searchQuery puts the
// text in quotation marks, because arXiv would otherwise return papers that contain only one of the
// words. Text with field names is already in arXiv's query language and stays unchanged.
func searchQuery(text string) string {
	for word := range strings.FieldsSeq(text) {
		field, value, ok := strings.Cut(strings.TrimLeft(word, "("), ":")
		fields := []string{"all", "ti", "au", "abs", "co", "jr", "cat", "rn", "id", "submittedDate"}
		if ok && value != "" && slices.Contains(fields, field) {
			return text
		}
	}
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, `"`, " ")), " ")
	if strings.Contains(text, " ") {
		return `all:"` + text + `"`
	}
	return "all:" + text
}

// requestFeed sends a query to arXiv. arXiv also sends errors as feeds, with status 200 or 400 and
// one entry titled "Error". For such a feed, requestFeed returns an error.
func (s Service) requestFeed(ctx context.Context, query url.Values) (feed, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, arxivURL+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return feed{}, fmt.Errorf("ask arXiv: %w", err)
	}
	body, err := web.Ask(s.client, request, answerLimit)
	if web.HasStatus(err, http.StatusBadRequest) {
		return feed{}, badQuery("")
	}
	if web.HasStatus(err, http.StatusServiceUnavailable, http.StatusTooManyRequests) {
		return feed{}, errArxivBusy
	}
	if err != nil {
		return feed{}, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("Rate exceeded")) { // arXiv sends this text with status 200
		return feed{}, errArxivBusy
	}
	var answer feed
	if err := xml.Unmarshal(body, &answer); err != nil {
		return feed{}, reason.Reword(err, "arXiv's answer is not a feed; perhaps arXiv has changed, or the answer is a login page; try again later")
	}
	for _, each := range answer.Entries {
		if strings.Contains(each.ID, "/api/errors") || strings.TrimSpace(each.Title) == "Error" && len(each.Links) < 2 {
			return feed{}, badQuery(show.Line(each.Summary, 200))
		}
	}
	return answer, nil
}

var errArxivBusy = tools.Advise(errors.New("arXiv accepts no more requests for now"), "arXiv allows one request every three seconds. Try again in a minute.")

func badQuery(why string) error {
	said := errors.New("arXiv does not understand the query")
	if why != "" {
		said = fmt.Errorf("%w: %s", said, why)
	}
	return tools.Advise(said, "Write plain words, or fields such as ti:word AND au:name, with balanced quotes and brackets.")
}

func (e entry) lines() []string {
	authors, categories := make([]string, len(e.Authors)), []string{}
	for i, author := range e.Authors {
		authors[i] = author.Name
	}
	for _, category := range e.Categories {
		if len(categories) < 3 {
			categories = append(categories, show.Line(category.Term, 30))
		}
	}
	pdf := ""
	for _, link := range e.Links {
		if link.Title == "pdf" {
			pdf = show.Line(link.Address, 200)
		}
	}
	return []string{
		show.Line(e.Title, 250),
		show.Join(" · ", show.FirstNames(authors, authorLimit), date(e.Published), strings.Join(categories, ", ")),
		strings.Replace(show.Line(e.ID, 200), "http://", "https://", 1),
		show.Label("PDF", strings.Replace(pdf, "http://", "https://", 1)),
		show.Line(e.Summary, 200),
	}
}

// date returns the date part of an Atom timestamp.
func date(text string) string {
	parsed, err := time.Parse(time.RFC3339, strings.TrimSpace(text))
	if err != nil {
		return show.Line(text, 30)
	}
	return parsed.Format(time.DateOnly)
}
