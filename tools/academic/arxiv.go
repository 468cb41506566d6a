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

	"marvin/tools"
	"marvin/tools/internal/reason"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const arxivURL = "https://export.arxiv.org/api/query"

type arxivArgs struct {
	Query      string `json:"query" doc:"Words; or fields, such as au:hinton AND ti:capsules" alias:"q,topic" example:"diffusion models"`
	MaxResults int    `json:"max_results" doc:"How many" default:"5" min:"1" max:"20" alias:"limit"`
	Sort       string `json:"sort_by" doc:"Order, best or newest first" default:"relevance" enum:"relevance,lastUpdatedDate,submittedDate" alias:"sort"`
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

// feed is the Atom that arXiv answers with:
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
	found, err := s.feed(ctx, query)
	if words := strings.Fields(text); err == nil && len(found.Entries) == 0 && wanted != text && len(words) > 1 {
		query.Set("search_query", "all:"+strings.Join(words, " AND all:"))
		found, err = s.feed(ctx, query)
	}
	if err != nil {
		return tools.Output{}, err
	}
	if len(found.Entries) == 0 {
		return tools.Nothing(fmt.Sprintf("arXiv has nothing for %q. Fewer words, or others, may find something.", text)), nil
	}
	items := make([][]string, min(in.MaxResults, len(found.Entries)))
	for i, entry := range found.Entries[:len(items)] {
		items[i] = entry.lines()
	}
	return tools.Output{Text: matching("preprint", max(found.Total, len(items))) + show.List(items)}, nil
}

// searchQuery makes a phrase of several words, which would otherwise be any of them.
// A query that names fields is arXiv's own language and stays.
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

// feed asks for a feed and finds the errors that look like one: they have status 200
// or 400, and one entry titled Error that says what is wrong.
func (s Service) feed(ctx context.Context, query url.Values) (feed, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, arxivURL+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return feed{}, fmt.Errorf("ask arXiv: %w", err)
	}
	body, err := web.Ask(s.client, request, answerLimit)
	var status *web.StatusError
	if errors.As(err, &status) && status.Status == http.StatusBadRequest {
		return feed{}, badQuery("")
	}
	if errors.As(err, &status) && (status.Status == http.StatusServiceUnavailable || status.Status == http.StatusTooManyRequests) {
		return feed{}, errArxivBusy
	}
	if err != nil {
		return feed{}, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("Rate exceeded")) { // with status 200
		return feed{}, errArxivBusy
	}
	var answer feed
	if err := xml.Unmarshal(body, &answer); err != nil {
		return feed{}, reason.Worded(err, "arXiv answered with something else than a feed; it may have changed, or a login page is in between; try again later")
	}
	for _, each := range answer.Entries {
		if strings.Contains(each.ID, "/api/errors") || strings.TrimSpace(each.Title) == "Error" && len(each.Links) < 2 {
			return feed{}, badQuery(show.Line(each.Summary, 200))
		}
	}
	return answer, nil
}

var errArxivBusy = tools.Advise(errors.New("arXiv answers no more for now"), "It takes one request in three seconds. Try again in a minute.")

func badQuery(why string) error {
	said := errors.New("arXiv does not understand the query")
	if why != "" {
		said = fmt.Errorf("%w: %s", said, why)
	}
	return tools.Advise(said, "Check it: plain words, or fields such as ti:word AND au:name, with balanced quotes and brackets.")
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
		show.Join(" · ", show.Some(authors, authorLimit), date(e.Published), strings.Join(categories, ", ")),
		strings.Replace(show.Line(e.ID, 200), "http://", "https://", 1),
		show.Label("PDF", strings.Replace(pdf, "http://", "https://", 1)),
		show.Line(e.Summary, 200),
	}
}

// date is the day of a time as Atom writes it.
func date(text string) string {
	parsed, err := time.Parse(time.RFC3339, strings.TrimSpace(text))
	if err != nil {
		return show.Line(text, 30)
	}
	return parsed.Format(time.DateOnly)
}
