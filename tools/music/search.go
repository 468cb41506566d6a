package music

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/show"
)

type searchArgs struct {
	Query      string `json:"query" doc:"Name, title or Lucene query, such as release:Nevermind AND artist:Nirvana" alias:"q,name" example:"Nirvana"`
	Type       string `json:"type" doc:"What to find; a release is an album, a recording is a song" default:"artist" enum:"artist,release,recording,album,song,track" alias:"entity"`
	MaxResults int    `json:"max_results" doc:"Maximum results" default:"10" min:"1" max:"25" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name:     "music_search",
		Doc:      "Find artists, albums or songs in MusicBrainz, with the MBID for music_lookup.",
		Examples: []string{"find the band {Nirvana|query}", "search music for the {album|type} {Nevermind|query}", "find the {song|type} {Lithium|query}"},
		Pool:     tools.Net, Service: "musicbrainz.org",
		Run: s.search,
	})
}

// answer is the reply to a search. Only the list of the requested kind is filled.
type answer struct {
	Artists []struct {
		ID, Name, Type, Country, Disambiguation string
		Score                                   int
		LifeSpan                                span `json:"life-span"`
	}
	Releases []struct {
		ID, Title, Date, Country, Status string
		Credit                           credit `json:"artist-credit"`
		Tracks                           int    `json:"track-count"`
	}
	Recordings []struct {
		ID, Title, Disambiguation string
		Credit                    credit `json:"artist-credit"`
		Length                    length
		First                     string `json:"first-release-date"`
	}
}

func (s Service) search(ctx context.Context, _ tools.Env, in searchArgs) (tools.Output, error) {
	text, kind := strings.TrimSpace(in.Query), entity(in.Type)
	if text == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give a name or a title.")
	}
	query := url.Values{"query": {text}, "limit": {strconv.Itoa(in.MaxResults)}}
	if !isLucene(text) {
		query.Set("dismax", "true") // otherwise the slash in "AC/DC" starts a regular expression
	}
	var found answer
	if err := s.get(ctx, kind+"/", query, &found); err != nil {
		return tools.Output{}, err
	}
	items := found.items()
	if len(items) == 0 {
		return tools.Output{Text: fmt.Sprintf("MusicBrainz has no %s for %q. Try fewer words or another type.", kind, text)}, nil
	}
	return tools.Output{Text: show.List(items[:min(in.MaxResults, len(items))])}, nil
}

func (a answer) items() [][]string {
	var items [][]string
	for _, each := range a.Artists {
		about := ""
		if each.Disambiguation != "" {
			about = " (" + show.Line(each.Disambiguation, 80) + ")"
		}
		items = append(items, []string{
			show.Line(each.Name, 120) + about,
			show.Join(" · ", show.Line(each.Type, 20), show.Line(each.Country, 20), each.LifeSpan.String(), "score "+strconv.Itoa(each.Score)),
			"MBID " + show.Line(each.ID, 36),
		})
	}
	for _, each := range a.Releases {
		tracks := ""
		if each.Tracks > 0 {
			tracks = messages.Counted(each.Tracks, "track")
		}
		items = append(items, []string{
			titleAndArtist(each.Title, each.Credit),
			show.Join(" · ", show.Line(each.Date, 10), show.Line(each.Country, 20), show.Line(each.Status, 20), tracks),
			"MBID " + show.Line(each.ID, 36),
		})
	}
	for _, each := range a.Recordings {
		items = append(items, []string{
			titleAndArtist(each.Title, each.Credit),
			show.Join(" · ", clock(each.Length), show.Label("first released", show.Line(each.First, 10)), show.Line(each.Disambiguation, 80)),
			"MBID " + show.Line(each.ID, 36),
		})
	}
	return items
}

func titleAndArtist(title string, artist credit) string {
	return show.Join(" – ", show.Line(title, 150), artist.String())
}

// isLucene reports whether a query uses Lucene syntax: a field name or an operator.
func isLucene(text string) bool {
	for _, word := range strings.Fields(text) {
		field, value, ok := strings.Cut(strings.TrimLeft(word, "(+-"), ":")
		if word == "AND" || word == "OR" || word == "NOT" || ok && value != "" && isField(field) {
			return true
		}
	}
	return false
}

func isField(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLower(r) || r > unicode.MaxASCII })
}
