package media

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/reason"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

// OMDb has a single endpoint. Query parameters select the operation: https://www.omdbapi.com/
const (
	omdbURL   = "https://www.omdbapi.com/"
	omdbKey   = "OMDB_API_KEY"
	omdbWhere = "omdbapi.com/apikey.aspx"
)

type searchMoviesArgs struct {
	Query string `json:"query" doc:"Title to find" alias:"q,title" example:"Blade Runner"`
	Year  string `json:"year" doc:"Year of release" default:"" alias:"y"`
	Type  string `json:"type" doc:"Kind" enum:"movie,series,episode" default:"" alias:"kind"`
}

func (s Service) searchMoviesTool() tools.Tool {
	return tools.New(tools.Def[searchMoviesArgs]{
		Name: "search_movies",
		Keys: "OMDB_API_KEY (free); without it, Marvin searches the web",
		Doc:  "Find films and series with their IMDb ids.",
		Examples: []string{
			"find the movie {Blade Runner|query}", "search the film {Dune|query} from {1984|year}",
			"find the series {=series|type} {Fargo|query}",
		},
		Pool: tools.Net, Service: "www.omdbapi.com",
		Run: s.searchMovies,
	})
}

func (s Service) searchMovies(ctx context.Context, env tools.Env, in searchMoviesArgs) (tools.Output, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give a title or a part of it.")
	}
	key := env.Key(omdbKey)
	if key == "" {
		return s.onTheWeb(ctx, env, strings.Join(strings.Fields(query+" "+cmp.Or(in.Type, "movie")+" "+in.Year), " "), 5, omdbKey, omdbWhere)
	}
	var answer struct {
		Search []struct{ Title, Year, Type, ImdbID string }
	}
	said, err := s.omdb(ctx, url.Values{"apikey": {key}, "s": {query}, "y": {strings.TrimSpace(in.Year)}, "type": {in.Type}}, &answer)
	if err != nil {
		return tools.Output{}, err
	}
	if len(answer.Search) == 0 {
		return tools.NoResults(fmt.Sprintf("No title matches %q (%s). Try fewer words, or leave out the year and the type.", show.Line(query, 200), cmp.Or(said, "no results"))), nil
	}
	var items [][]string
	for _, each := range answer.Search[:min(10, len(answer.Search))] {
		items = append(items, []string{fmt.Sprintf("%s (%s) [%s] — %s", show.Line(each.Title, 200), show.Line(each.Year, 20), show.Line(each.Type, 20), show.Line(each.ImdbID, 20))})
	}
	return tools.Output{Text: show.List(items)}, nil
}

// omdb decodes the reply to a query into value. If nothing is found, message contains the service's
// explanation, and err is nil. An invalid or exhausted key is an error, even with status 200.
func (s Service) omdb(ctx context.Context, query url.Values, value any) (message string, err error) {
	for name, values := range query {
		if values[0] == "" {
			delete(query, name)
		}
	}
	var raw json.RawMessage
	err = web.GetJSON(ctx, s.client, omdbURL+"?"+query.Encode(), answerLimit, &raw)
	if status, ok := errors.AsType[*web.StatusError](err); ok && strings.Contains(status.Message, "limit reached") {
		return "", errUsedUp()
	}
	if err != nil {
		return "", explainRejection(err, omdbKey)
	}
	var outcome struct{ Response, Error string }
	if err = json.Unmarshal(raw, &outcome); err == nil {
		err = json.Unmarshal(raw, value)
	}
	message = show.Line(outcome.Error, 200)
	switch {
	case err != nil:
		return "", reason.Reword(err, "www.omdbapi.com answered in an unexpected form; the service may have changed, try again later")
	case strings.Contains(message, "API key"):
		return "", explainRejection(&web.StatusError{Host: "www.omdbapi.com", Status: http.StatusUnauthorized}, omdbKey)
	case strings.Contains(message, "limit reached"):
		return "", errUsedUp()
	}
	return message, nil
}

func errUsedUp() error {
	return tools.Advise(fmt.Errorf("the key in %s has no requests left for today", omdbKey), "Try again tomorrow, or use web_search.")
}

type movieArgs struct {
	ID    string `json:"imdb_id" doc:"IMDb id; not needed with \"title\"" default:"" alias:"id,imdb" example:"tt0083658"`
	Title string `json:"title" doc:"Title; not needed with \"imdb_id\"" default:"" alias:"query,name"`
}

func (s Service) movieTool() tools.Tool {
	return tools.New(tools.Def[movieArgs]{
		Name: "get_movie_details",
		Keys: "OMDB_API_KEY (free); without it, Marvin searches the web",
		Doc:  "Show the cast, ratings, awards and plot of a film or series.",
		Examples: []string{
			"who directed {Blade Runner|title}", "tell me about the film {Dune|title}", "ratings of {tt0083658|imdb_id}",
			"what is the movie {Arrival|title} about",
		},
		Pool: tools.Net, Service: "www.omdbapi.com",
		Run: s.movie,
	})
}

// movie is OMDb's description of a film or series. "N/A" marks a missing value.
type movie struct {
	Title, Year, Rated, Released, Runtime, Genre, Director, Writer, Actors, Plot string
	Language, Country, Awards, BoxOffice, ImdbID, Type, TotalSeasons             string
	Ratings                                                                      []struct{ Source, Value string }
}

func (s Service) movie(ctx context.Context, env tools.Env, in movieArgs) (tools.Output, error) {
	id, title := strings.TrimSpace(in.ID), strings.TrimSpace(in.Title)
	name := cmp.Or(title, id)
	if name == "" {
		return tools.Output{}, tools.Advise(errors.New("neither imdb_id nor title is given"), "Give one of them; search_movies finds ids.")
	}
	key := env.Key(omdbKey)
	if key == "" {
		return s.onTheWeb(ctx, env, name+" movie review rating", 5, omdbKey, omdbWhere)
	}
	query := url.Values{"apikey": {key}, "plot": {"full"}, "i": {id}, "t": {title}}
	if id != "" {
		query.Del("t")
	}
	var found movie
	said, err := s.omdb(ctx, query, &found)
	if err != nil {
		return tools.Output{}, err
	}
	if found.Title == "" {
		return tools.Output{}, tools.Advise(fmt.Errorf("no film or series %q (%s)", show.Line(cmp.Or(id, title), 200), cmp.Or(said, "not found")), "Find it with search_movies.")
	}
	return tools.Output{Text: found.text()}, nil
}

func (m movie) text() string {
	var ratings []string
	for _, rating := range m.Ratings {
		if known(rating.Value) != "" {
			ratings = append(ratings, show.Line(rating.Source, 60)+" "+show.Line(rating.Value, 20))
		}
	}
	address := ""
	if known(m.ImdbID) != "" {
		address = "https://www.imdb.com/title/" + url.PathEscape(m.ImdbID) + "/"
	}
	return show.Join("\n",
		show.Line(m.Title, 200)+" ("+cmp.Or(show.Join(", ", known(m.Year), known(m.Type)), "year unknown")+")",
		show.Join(", ", known(m.Rated), known(m.Runtime), known(m.Genre)),
		show.Label("Released", known(m.Released)), show.Label("Seasons", known(m.TotalSeasons)),
		show.Label("Director", known(m.Director)), show.Label("Writer", known(m.Writer)), show.Label("Actors", known(m.Actors)),
		show.Label("Country", known(m.Country)), show.Label("Language", known(m.Language)),
		show.Label("Ratings", strings.Join(ratings, ", ")), show.Label("Awards", known(m.Awards)), show.Label("Box office", known(m.BoxOffice)),
		show.Label("Plot", known(m.Plot)), address,
	)
}

// known returns a value as a single line. It returns "" for "N/A".
func known(value string) string {
	if value = show.Line(value, 3000); value == "N/A" {
		return ""
	}
	return value
}
