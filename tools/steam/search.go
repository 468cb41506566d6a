package steam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/show"
)

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{
		s.searchTool(), s.detailsTool(), s.featuredTool(), s.statsTool(), s.gamesTool(), s.summaryTool(),
	}
}

type searchArgs struct {
	Query      string `json:"query" doc:"Name of a game, or part of the name" alias:"term,name" example:"portal"`
	MaxResults int    `json:"max_results" doc:"Maximum number of games" default:"10" min:"1" max:"25" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name:     "steam_search",
		Doc:      "Find games in the Steam store by name, with price, platforms, Metacritic score and the app id for the other Steam tools.",
		Examples: []string{"search steam for {portal|query}", "find the game {hades|query} on steam", "how much is {factorio|query} on steam"},
		Pool:     tools.Net, Service: "store.steampowered.com",
		Run: s.search,
	})
}

// searchResult is one result of a search in the store. ID is an app id only if Type is "app" or
// empty.
type searchResult struct {
	Type      string
	ID        int
	Name      string
	Metascore json.RawMessage // in JSON: "92", "" or 92
	Price     *price          // nil if the game is free or not sold
	Platforms platforms
}

func (s Service) search(ctx context.Context, _ tools.Env, in searchArgs) (tools.Output, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say the name of a game.")
	}
	var answer struct{ Items []searchResult }
	if err := s.store(ctx, "/api/storesearch/", url.Values{"term": {query}}, &answer); err != nil {
		return tools.Output{}, err
	}
	if len(answer.Items) == 0 {
		return tools.Output{Text: fmt.Sprintf("Steam has no game called %q. Try a shorter part of its name.", query)}, nil
	}
	var items [][]string
	for _, item := range answer.Items[:min(in.MaxResults, len(answer.Items))] {
		id := "app id " + strconv.Itoa(item.ID)
		if item.Type != "app" && item.Type != "" {
			id = show.Line(item.Type, 20) + " " + strconv.Itoa(item.ID) + " (a package of several games, without an app id)"
		}
		items = append(items, []string{
			show.Line(item.Name, 120),
			show.Join(" · ", cost(item.Price), item.Platforms.String(), show.Label("Metacritic", score(item.Metascore))),
			id + " · " + page(item.Type, item.ID),
		})
	}
	return tools.Output{Text: show.List(items)}, nil
}

// score returns a rating as a string, or "" if the rating is missing or 0. Steam sends a string or
// a number.
func score(raw json.RawMessage) string {
	text := strings.Trim(string(raw), `" `)
	if _, err := strconv.ParseFloat(text, 64); err != nil || text == "0" {
		return ""
	}
	return text
}
