package browse

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/duck"
	"marvin/tools/internal/show"
)

type searchArgs struct {
	Query string `json:"query" doc:"What to look for" sent:"" alias:"q,search" example:"go generics tutorial"`
	Max   int    `json:"max_results" doc:"How many" sent:"" default:"5" min:"1" max:"20" alias:"limit,count"`
	Since string `json:"time_filter" doc:"Newer than a day, week, month, year" sent:"" enum:"d,w,m,y" default:"" alias:"time,timelimit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "web_search",
		Doc:  "Search the web. Read what it finds with browse_web.",
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
		return tools.Nothing(text), nil
	}
	return tools.Output{Text: listResults(results)}, nil
}

func searchFailed(err error) error {
	if errors.Is(err, duck.ErrBusy) {
		return tools.Advise(err, "Wait some minutes before the next search, or read a page that is known with browse_web.")
	}
	return tools.Advise(err, "Try again later, or read a page that is known with browse_web.")
}

func listResults(results []duck.Result) string {
	var items [][]string
	for _, result := range results {
		items = append(items, []string{show.Line(result.Title, 200), show.Line(result.URL, 1000), show.Line(result.Snippet, 400)})
	}
	return show.List(items)
}
