package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/show"
)

type searchArgs struct {
	Query      string `json:"query" doc:"Words of the question or the error message" alias:"q" example:"goroutine leak"`
	Site       string `json:"site" doc:"stackoverflow, serverfault, superuser, askubuntu, unix, math, …" default:"stackoverflow"`
	Tagged     string `json:"tagged" doc:"Only with all these tags: go;http" default:"" alias:"tags"`
	Sort       string `json:"sort" doc:"Order" default:"relevance" enum:"relevance,votes,creation,activity"`
	MaxResults int    `json:"max_results" doc:"How many" default:"5" min:"1" max:"10" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "stack_search",
		Doc:  "Search questions on Stack Overflow and the other Stack Exchange sites; ✓ has a good answer. stack_answers takes the id.",
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
		return tools.Nothing(fmt.Sprintf("No questions on %s for %q. Fewer words, or no tags, may find some.%s", name, text, left(answer.Left))), nil
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
			show.Label("Tags", show.Some(question.Tags, 5)),
			show.Line(question.Link, 300),
		}
	}
	return tools.Output{Text: show.List(items) + left(answer.Left)}, nil
}

func left(quota int) string {
	return fmt.Sprintf("\n\n[%s left today]", messages.Counted(quota, "request"))
}

type answersArgs struct {
	ID   int    `json:"question_id" doc:"Number of the question, from stack_search" alias:"id" example:"11227809"`
	Site string `json:"site" doc:"Where the question is" default:"stackoverflow"`
}

func (s Service) answersTool() tools.Tool {
	return tools.New(tools.Def[answersArgs]{
		Name:     "stack_answers",
		Doc:      "The three best answers to a Stack Exchange question, with their code.",
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
		return tools.Output{}, tools.Advise(fmt.Errorf("%d is no question", in.ID), "Find its id with stack_search.")
	}
	query := url.Values{"order": {"desc"}, "sort": {"votes"}, "pagesize": {"3"}, "filter": {"withbody"}, "site": {name}}
	answer, err := ask[reply](ctx, s, env.Now, "answers", fmt.Sprintf("/questions/%d/answers", in.ID), query)
	if err != nil {
		return tools.Output{}, err
	}
	if len(answer.Items) == 0 {
		return tools.Output{Text: fmt.Sprintf("Question %d has no answers on %s, or is not there. The id may belong to another site.%s", in.ID, name, left(answer.Left))}, nil
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

// body is an answer as text, cut so that code that began also ends.
func body(source string) string {
	text := show.Text(markup.Text(source), 1500)
	if fences := strings.Count("\n"+text, "\n```"); fences%2 == 1 {
		text += "\n```"
	}
	return text
}
