package spotify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/show"
)

// item is a track, artist, album or playlist.
type item struct {
	Name  string `json:"name"`
	ID    string `json:"id"`
	URI   string `json:"uri"`
	Links struct {
		Spotify string `json:"spotify"`
	} `json:"external_urls"`
	Artists []struct {
		Name string `json:"name"`
	} `json:"artists"`
	Album struct {
		Name string `json:"name"`
	} `json:"album"`
	Owner struct {
		Name string `json:"display_name"`
	} `json:"owner"`
	Released string `json:"release_date"`
}

// title returns the name, followed by the artists and the album.
func (i item) title() string {
	var artists []string
	for _, artist := range i.Artists {
		artists = append(artists, artist.Name)
	}
	text := i.Name
	if len(artists) > 0 {
		text += " – " + strings.Join(artists, ", ")
	}
	if i.Album.Name != "" {
		text += " (" + i.Album.Name + ")"
	}
	if i.Owner.Name != "" {
		text += " by " + i.Owner.Name
	}
	if i.Released != "" {
		text += ", " + i.Released
	}
	return show.Line(text, 200)
}

type searchArgs struct {
	Query string `json:"query" doc:"Search words, or isrc:CODE" alias:"q,text" example:"Take Five"`
	Type  string `json:"type" doc:"What to look for" enum:"track,artist,album,playlist" default:"track" alias:"search_type"`
	Max   int    `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"10" alias:"limit"`
}

func (s *Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "spotify_search",
		Keys: "a login with spotify_auth", Doc: "Search Spotify. Returns names with URI, ID and address.",
		Examples: []string{"search spotify for {Take Five|query}", "find the {album|type} {Kind of Blue|query} on spotify"},
		Pool:     tools.Net, Service: "api.spotify.com, accounts.spotify.com",
		Run: func(ctx context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
			if strings.TrimSpace(in.Query) == "" {
				return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give a title, a name or isrc:CODE.")
			}
			found, err := s.search(ctx, env, in.Query, in.Type, in.Max)
			if err != nil {
				return tools.Output{}, err
			}
			if len(found) == 0 {
				return tools.Output{Text: fmt.Sprintf("Spotify has no %s for %q.", in.Type, in.Query)}, nil
			}
			var list [][]string
			for _, i := range found {
				list = append(list, []string{i.title(), "URI: " + show.Line(i.URI, 100), "ID: " + show.Line(i.ID, 60), show.Line(i.Links.Spotify, 200)})
			}
			return tools.Output{Text: show.List(list)}, nil
		},
	})
}

func (s *Service) search(ctx context.Context, env tools.Env, query, kind string, limit int) ([]item, error) {
	values := url.Values{"q": {query}, "type": {kind}, "limit": {strconv.Itoa(limit)}}
	var answer map[string]struct {
		Items []*item `json:"items"` // null elements are unavailable in the user's country or app
	}
	if err := s.ask(ctx, env, http.MethodGet, "/search?"+values.Encode(), nil, &answer); err != nil {
		return nil, err
	}
	var found []item
	for _, i := range answer[kind+"s"].Items {
		if i != nil && i.ID != "" && len(found) < limit {
			found = append(found, *i)
		}
	}
	return found, nil
}
