package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	serviceURL  = "https://api.stackexchange.com/2.3"
	answerLimit = 8 << 20
	patience    = 8 * time.Second // if the service demands a longer pause, a call fails
)

// Service searches Stack Exchange.
type Service struct {
	client *http.Client
	pauses *pauses
}

// New returns a service.
func New(client *http.Client) Service {
	return Service{client: client, pauses: &pauses{until: map[string]time.Time{}}}
}

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.searchTool(), s.answersTool()} }

// wrapper is the common part of all replies.
type wrapper[T any] struct {
	Items   []T
	Backoff int // seconds to wait before the next request to the same API method
	Left    int `json:"quota_remaining"`
}

// ask sends an API request. If the service has demanded a pause for the method, ask first waits
// until the pause ends. A long pause causes an error.
func ask[T any](ctx context.Context, s Service, now func() time.Time, method, path string, query url.Values) (wrapper[T], error) {
	var answer wrapper[T]
	if err := s.pauses.wait(ctx, now, method); err != nil {
		return answer, err
	}
	// Do not set Accept-Encoding: the HTTP client decompresses a reply only if the client itself
	// added this header. The service compresses all replies.
	err := web.GetJSON(ctx, s.client, serviceURL+path+"?"+query.Encode(), answerLimit, &answer)
	if answer.Backoff > 0 {
		s.pauses.want(method, now().Add(time.Duration(answer.Backoff)*time.Second))
	}
	return answer, explain(err, query.Get("site"))
}

// explain replaces the service's errors about request limits and unknown sites. It examines the
// message, because the HTTP status is usually 400.
func explain(err error, site string) error {
	var status *web.StatusError
	if !errors.As(err, &status) {
		return err
	}
	said := strings.ToLower(status.Message)
	switch {
	case strings.Contains(said, "too many requests") || strings.Contains(said, "backoff") || status.Status == http.StatusTooManyRequests:
		return tools.Advise(fmt.Errorf("Stack Exchange accepts no more requests for now: %s", status.Message),
			"Without a key, Stack Exchange allows 300 requests a day from one IP address. Try again later, or use web_search.")
	case strings.Contains(said, "site"):
		return tools.Advise(fmt.Errorf("there is no Stack Exchange site %q", site),
			"Give a name such as stackoverflow, serverfault, superuser, askubuntu, unix, math, physics or gaming; for other sites, give the NAME in NAME.stackexchange.com.")
	}
	return err
}

// site shortens a name or address such as "https://unix.stackexchange.com" to "unix" for the API.
func site(name string) (string, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimPrefix(strings.TrimPrefix(name, "https://"), "www.")
	name, _, _ = strings.Cut(name, "/")
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".com"), ".stackexchange")
	valid := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.' && r != '-'
	})
	if !valid {
		return "", tools.Advise(fmt.Errorf("%q is not the name of a site", show.Line(name, 60)), "For example: stackoverflow, serverfault, superuser, askubuntu, unix, math.")
	}
	return name, nil
}

// pauses contains, for each method, the end of the pause that the service demanded.
type pauses struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (p *pauses) want(method string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until[method] = until
}

// wait sleeps until the pause for an API method ends. A long pause causes an immediate error.
func (p *pauses) wait(ctx context.Context, now func() time.Time, method string) error {
	p.mu.Lock()
	left := p.until[method].Sub(now())
	p.mu.Unlock()
	switch {
	case left <= 0:
		return nil
	case left > patience:
		return tools.Advise(errors.New("Stack Exchange asks Marvin to wait"), "Try again in %s.", left.Round(time.Second))
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(left):
		return nil
	}
}

type searchArgs struct {
	Query      string `json:"query" doc:"Words from the question or the error message" alias:"q" example:"goroutine leak"`
	Site       string `json:"site" doc:"Name of the site: stackoverflow, serverfault, superuser, askubuntu, unix, math, …" default:"stackoverflow"`
	Tagged     string `json:"tagged" doc:"Only questions with all these tags, for example go;http" default:"" alias:"tags"`
	Sort       string `json:"sort" doc:"Sort order" default:"relevance" enum:"relevance,votes,creation,activity"`
	MaxResults int    `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"10" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "stack_search",
		Doc:  "Search questions on Stack Overflow and other Stack Exchange sites. ✓ marks questions with a good answer; stack_answers shows a question's answers.",
		Examples: []string{
			"search stack overflow for {goroutine leak|query}",
			"ask {superuser|site} about {slow disk|query} with stack exchange",
			"stack overflow questions on {json decoding|query} tagged {go|tagged}",
		},
		Pool: tools.Net, Service: "api.stackexchange.com",
		Run: s.search,
	})
}

type question struct {
	ID       int `json:"question_id"`
	Title    string
	Score    int
	Answers  int  `json:"answer_count"`
	Answered bool `json:"is_answered"`
	Tags     []string
	Link     string
}

func (s Service) search(ctx context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
	name, err := site(in.Site)
	if err != nil {
		return tools.Output{}, err
	}
	text := strings.Join(strings.Fields(in.Query), " ")
	if text == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say what the question is about.")
	}
	query := url.Values{
		"order": {"desc"}, "sort": {in.Sort}, "q": {text}, "site": {name}, "pagesize": {strconv.Itoa(in.MaxResults)},
	}
	if tags := strings.FieldsFunc(in.Tagged, func(r rune) bool { return r == ';' || r == ',' || r == ' ' }); len(tags) > 0 {
		query.Set("tagged", strings.Join(tags, ";"))
	}
	answer, err := ask[question](ctx, s, env.Now, "search", "/search/advanced", query)
	if err != nil {
		return tools.Output{}, err
	}
	if len(answer.Items) == 0 {
		return tools.NoResults(fmt.Sprintf("No questions on %s for %q. Try fewer words, or leave the tags out.%s", name, text, left(answer.Left))), nil
	}
	items := make([][]string, min(in.MaxResults, len(answer.Items)))
	for i, question := range answer.Items[:len(items)] {
		mark := "✗ "
		if question.Answered {
			mark = "✓ "
		}
		items[i] = []string{
			mark + show.Line(html.UnescapeString(question.Title), 200),
			fmt.Sprintf("id %d · score %d · answers %d", question.ID, question.Score, question.Answers),
			show.Label("Tags", show.FirstNames(question.Tags, 5)),
			show.Line(question.Link, 300),
		}
	}
	return tools.Output{Text: show.List(items) + left(answer.Left)}, nil
}

func left(quota int) string {
	return fmt.Sprintf("\n\n[%s left today]", messages.Counted(quota, "request"))
}

type answersArgs struct {
	ID   int    `json:"question_id" doc:"The question's ID, from stack_search" alias:"id" example:"11227809"`
	Site string `json:"site" doc:"Stack Exchange site of the question" default:"stackoverflow"`
}

func (s Service) answersTool() tools.Tool {
	return tools.New(tools.Def[answersArgs]{
		Name:     "stack_answers",
		Doc:      "Show the three best answers to a Stack Exchange question, with their code.",
		Examples: []string{"answers to stack overflow question {11227809|question_id}", "stack answers {11227809|question_id} on {superuser|site}"},
		Pool:     tools.Net, Service: "api.stackexchange.com",
		Run: s.answers,
	})
}

type reply struct {
	ID       int  `json:"answer_id"`
	Accepted bool `json:"is_accepted"`
	Score    int
	Body     string
	Owner    struct {
		Name string `json:"display_name"`
	}
}

func (s Service) answers(ctx context.Context, env tools.Env, in answersArgs) (tools.Output, error) {
	name, err := site(in.Site)
	if err != nil {
		return tools.Output{}, err
	}
	if in.ID <= 0 {
		return tools.Output{}, tools.Advise(fmt.Errorf("%d is not a question", in.ID), "Find its id with stack_search.")
	}
	query := url.Values{"order": {"desc"}, "sort": {"votes"}, "pagesize": {"3"}, "filter": {"withbody"}, "site": {name}}
	answer, err := ask[reply](ctx, s, env.Now, "answers", fmt.Sprintf("/questions/%d/answers", in.ID), query)
	if err != nil {
		return tools.Output{}, err
	}
	if len(answer.Items) == 0 {
		return tools.Output{Text: fmt.Sprintf("Question %d has no answers on %s, or does not exist there. The id may belong to another site.%s", in.ID, name, left(answer.Left))}, nil
	}
	var parts []string
	for i, reply := range answer.Items[:min(3, len(answer.Items))] {
		accepted := ""
		if reply.Accepted {
			accepted = "accepted ✓"
		}
		who := cmp.Or(show.Line(html.UnescapeString(reply.Owner.Name), 60), "somebody")
		head := show.Join(" · ", fmt.Sprintf("%d. by %s", i+1, who), "score "+strconv.Itoa(reply.Score), accepted, "id "+strconv.Itoa(reply.ID))
		parts = append(parts, head+"\n"+body(reply.Body))
	}
	return tools.Output{Text: strings.Join(parts, "\n\n") + left(answer.Left)}, nil
}

// body converts a post to text, and cuts long texts. If the cut is inside a code block, body closes
// the block.
func body(source string) string {
	text := show.Text(markup.Text(source), 1500)
	if fences := strings.Count("\n"+text, "\n```"); fences%2 == 1 {
		text += "\n```"
	}
	return text
}
