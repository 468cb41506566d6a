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

type searchArgs struct {
	Query      string `json:"query" doc:"Name of a game or a part of it" alias:"term,name" example:"portal"`
	MaxResults int    `json:"max_results" doc:"How many games" default:"10" min:"1" max:"25" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name:     "steam_search",
		Doc:      "Find games in the Steam store by name: price, platforms, Metacritic score and the app id that the other Steam tools take.",
		Examples: []string{"search steam for {portal|query}", "find the game {hades|query} on steam", "how much is {factorio|query} on steam"},
		Pool:     tools.Net, Service: "store.steampowered.com",
		Run: s.search,
	})
}

// found is an entry of a search. Packages and bundles have numbers of their own.
type found struct {
	Type      string
	ID        int
	Name      string
	Metascore json.RawMessage // "92", "" or a number
	Price     *price          // absent if it is free, and if it is not sold
	Platforms platforms
}

func (s Service) search(ctx context.Context, _ tools.Env, in searchArgs) (tools.Output, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say the name of a game.")
	}
	var answer struct{ Items []found }
	if err := s.store(ctx, "/api/storesearch/", url.Values{"term": {query}}, &answer); err != nil {
		return tools.Output{}, err
	}
	if len(answer.Items) == 0 {
		return tools.Output{Text: fmt.Sprintf("Steam knows no game called %q. A shorter part of its name may find it.", query)}, nil
	}
	var items [][]string
	for _, item := range answer.Items[:min(in.MaxResults, len(answer.Items))] {
		id := "app id " + strconv.Itoa(item.ID)
		if item.Type != "app" && item.Type != "" {
			id = show.Line(item.Type, 20) + " " + strconv.Itoa(item.ID) + " (several games; has no app id)"
		}
		items = append(items, []string{
			show.Line(item.Name, 120),
			show.Join(" · ", cost(item.Price), item.Platforms.String(), show.Label("Metacritic", score(item.Metascore))),
			id + " · " + page(item.Type, item.ID),
		})
	}
	return tools.Output{Text: show.List(items)}, nil
}

// cost is the price, or that there is none: a search does not say whether a game
// without a price is free or not for sale.
func cost(p *price) string {
	if p == nil {
		return "no price given (free, not released or not for sale)"
	}
	return p.String()
}

func page(kind string, id int) string {
	if kind != "sub" && kind != "bundle" {
		kind = "app"
	}
	return storeURL + "/" + kind + "/" + strconv.Itoa(id)
}

// score is a number that may be written as text.
func score(raw json.RawMessage) string {
	text := strings.Trim(string(raw), `" `)
	if _, err := strconv.ParseFloat(text, 64); err != nil || text == "0" {
		return ""
	}
	return text
}

// price is in hundredths of the currency, also of those that have none, like JPY.
type price struct {
	Currency string
	Initial  int
	Final    int
}

func (p *price) String() string {
	text := amount(p.Final, p.Currency)
	if p.Initial > p.Final && p.Initial > 0 {
		text += fmt.Sprintf(" (-%d%%, was %s)", (100*(p.Initial-p.Final)+p.Initial/2)/p.Initial, amount(p.Initial, p.Currency))
	}
	return text
}

func amount(cents int, currency string) string {
	return fmt.Sprintf("%d.%02d %s", cents/100, cents%100, show.Line(currency, 5))
}

type platforms struct{ Windows, Mac, Linux bool }

func (p platforms) String() string {
	var names []string
	if p.Windows {
		names = append(names, "Windows")
	}
	if p.Mac {
		names = append(names, "macOS")
	}
	if p.Linux {
		names = append(names, "Linux")
	}
	return strings.Join(names, ", ")
}
