package media

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.searchMoviesTool(), s.movieTool(), s.searchGamesTool(), s.gameTool()}
}

// RAWG requires the key in the query. https://api.rawg.io/docs/
const (
	rawgURL   = "https://api.rawg.io/api/games"
	rawgKey   = "RAWG_API_KEY"
	rawgWhere = "rawg.io/apidocs"
)

// game is RAWG's description of a game. Search results contain only the fields of the first group.
type game struct {
	ID         int
	Slug, Name string
	Released   string
	TBA        bool
	Rating     float64
	Metacritic *int
	Platforms  []struct{ Platform named }

	Redirect    bool // the requested slug was replaced by Slug
	RatingCount int  `json:"ratings_count"`
	Ratings     []struct {
		Title   string
		Percent float64
	}
	Playtime                       int // hours
	Genres, Developers, Publishers []named
	Website                        string
	Description                    string `json:"description_raw"`
	HTML                           string `json:"description"`
}

type named struct{ Name string }

type searchGamesArgs struct {
	Query string `json:"query" doc:"Title to find" alias:"q,title,name" example:"Portal"`
	Max   int    `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"10" alias:"limit,count"`
}

func (s Service) searchGamesTool() tools.Tool {
	return tools.New(tools.Def[searchGamesArgs]{
		Name:     "search_games",
		Keys:     "RAWG_API_KEY (free); without it, Marvin searches the web",
		Doc:      "Find video games with ratings and RAWG ids.",
		Examples: []string{"search video games like {Portal|query}", "find the video game {Hades|query}", "how good is the game {Celeste|query}"},
		Pool:     tools.Net, Service: "api.rawg.io",
		Run: s.searchGames,
	})
}

func (s Service) searchGames(ctx context.Context, env tools.Env, in searchGamesArgs) (tools.Output, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give a title or a part of it.")
	}
	key := env.Key(rawgKey)
	if key == "" {
		return s.onTheWeb(ctx, env, query+" video game review", in.Max, rawgKey, rawgWhere)
	}
	var answer struct{ Results []game }
	fields := url.Values{"key": {key}, "search": {query}, "page_size": {strconv.Itoa(in.Max)}}
	if err := web.GetJSON(ctx, s.client, rawgURL+"?"+fields.Encode(), answerLimit, &answer); err != nil {
		return tools.Output{}, explainRejection(err, rawgKey)
	}
	if len(answer.Results) == 0 {
		return tools.NoResults(fmt.Sprintf("No game is called %q. Try fewer words.", show.Line(query, 200))), nil
	}
	var items [][]string
	for _, each := range answer.Results[:min(in.Max, len(answer.Results))] {
		items = append(items, []string{
			fmt.Sprintf("%s (%s)", show.Line(each.Name, 200), each.released()), each.scores(),
			show.Label("Platforms", show.FirstNames(each.platforms(), 4)), fmt.Sprintf("RAWG id: %d", each.ID),
		})
	}
	return tools.Output{Text: show.List(items)}, nil
}

func (g game) released() string {
	if g.TBA {
		return "to be announced"
	}
	return cmp.Or(show.Line(g.Released, 20), "date unknown")
}

func (g game) scores() string {
	rating, critics := "", ""
	if g.Rating > 0 {
		rating = fmt.Sprintf("Rating: %.2f/5", g.Rating)
	}
	if g.Metacritic != nil {
		critics = fmt.Sprintf("Metacritic: %d", *g.Metacritic)
	}
	return cmp.Or(show.Join(", ", rating, critics), "No ratings")
}

func (g game) platforms() []string {
	var list []string
	for _, each := range g.Platforms {
		list = append(list, each.Platform.Name)
	}
	return list
}

type gameArgs struct {
	ID string `json:"game_id" doc:"RAWG id or slug" alias:"id,slug" example:"4200"`
}

func (s Service) gameTool() tools.Tool {
	return tools.New(tools.Def[gameArgs]{
		Name:     "get_game_details",
		Keys:     "RAWG_API_KEY (free), required",
		Doc:      "Show ratings, platforms, developers and description of a video game on RAWG.",
		Examples: []string{"details of the video game {4200|game_id}", "who made the game {portal-2|game_id}"},
		Pool:     tools.Net, Service: "api.rawg.io",
		Run: s.game,
	})
}

func (s Service) game(ctx context.Context, env tools.Env, in gameArgs) (tools.Output, error) {
	id := strings.ToLower(strings.Join(strings.Fields(in.ID), "-"))
	if strings.Trim(id, ".") == "" {
		return tools.Output{}, tools.Advise(errors.New("game_id is empty"), "Find it with search_games.")
	}
	key := env.Key(rawgKey)
	if key == "" {
		return tools.Output{}, tools.Advise(fmt.Errorf("details of games need a key, but %s is not set", rawgKey),
			"You can get a free key at %s. Without one, search for the title with search_games.", rawgWhere)
	}
	var found game
	for range 2 { // the second request uses the slug from a redirect
		found = game{}
		err := web.GetJSON(ctx, s.client, rawgURL+"/"+url.PathEscape(id)+"?"+url.Values{"key": {key}}.Encode(), answerLimit, &found)
		if web.HasStatus(err, http.StatusNotFound) {
			return tools.Output{}, tools.Advise(fmt.Errorf("RAWG has no game %q", show.Line(in.ID, 100)), "Find its id with search_games.")
		}
		if err != nil {
			return tools.Output{}, explainRejection(err, rawgKey)
		}
		if !found.Redirect || found.Slug == "" {
			break
		}
		id = found.Slug
	}
	if found.Name == "" {
		return tools.Output{}, tools.Advise(fmt.Errorf("RAWG has no details about %q", show.Line(in.ID, 100)), "Find its id with search_games.")
	}
	return tools.Output{Text: found.text()}, nil
}

func (g game) text() string {
	var ratings []string
	for _, each := range g.Ratings {
		ratings = append(ratings, fmt.Sprintf("%s %.0f%%", show.Line(each.Title, 30), each.Percent))
	}
	scores := g.scores()
	if g.RatingCount > 0 {
		scores += fmt.Sprintf(" (%s ratings)", show.Count(g.RatingCount))
	}
	playtime := ""
	if g.Playtime > 0 {
		playtime = "Playtime: about " + messages.Counted(g.Playtime, "hour")
	}
	return show.Join("\n",
		fmt.Sprintf("%s (%s)", show.Line(g.Name, 200), g.released()), scores, show.Label("Ratings", strings.Join(ratings, ", ")),
		show.Label("Platforms", show.FirstNames(g.platforms(), 12)), show.Label("Genres", names(g.Genres)),
		show.Label("Developers", names(g.Developers)), show.Label("Publishers", names(g.Publishers)), playtime,
		show.Label("Website", show.Line(g.Website, 300)), show.Line(cmp.Or(g.Description, markup.Line(g.HTML)), 500),
		fmt.Sprintf("RAWG id: %d", g.ID),
	)
}

func names(list []named) string {
	all := lists.Map(list, func(each named) string { return each.Name })
	return show.FirstNames(all, 8)
}
