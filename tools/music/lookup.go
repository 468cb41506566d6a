package music

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	pageSize   = 100 // the service's maximum
	pageLimit  = 5   // maximum number of requests for an artist's works; a request takes a second
	trackLimit = 400 // maximum number of tracks shown for a release
)

type lookupArgs struct {
	MBID string `json:"mbid" doc:"MusicBrainz ID, from music_search" alias:"id" example:"5b11f4ce-a62d-471e-81fc-a69a8278c7da"`
	Type string `json:"type" doc:"What the ID belongs to" default:"artist" enum:"artist,release,recording,album,song,track" alias:"entity"`
}

func (s Service) lookupTool() tools.Tool {
	return tools.New(tools.Def[lookupArgs]{
		Name: "music_lookup",
		Doc:  "Show details for a MusicBrainz ID: an artist's albums, EPs and singles; a release's tracks; a recording's length and releases.",
		Examples: []string{
			"music lookup {5b11f4ce-a62d-471e-81fc-a69a8278c7da|mbid}",
			"track list of the {release|type} {b52a8f31-b5ab-34e9-92f4-f5b7110220f0|mbid}",
		},
		Pool: tools.Net, Service: "musicbrainz.org",
		Run: s.lookup,
	})
}

func (s Service) lookup(ctx context.Context, _ tools.Env, in lookupArgs) (tools.Output, error) {
	kind := entity(in.Type)
	text := strings.TrimSuffix(strings.TrimSpace(in.MBID), "/")
	// The argument can be a URL that ends with the ID.
	id, err := uuid.Parse(text[strings.LastIndexByte(text, '/')+1:])
	if err != nil {
		return tools.Output{}, tools.Advise(fmt.Errorf("%q is not a MusicBrainz ID", show.Line(in.MBID, 80)), "Find it with music_search.")
	}
	switch kind {
	case "release":
		text, err = s.release(ctx, id.String())
	case "recording":
		text, err = s.recording(ctx, id.String())
	default:
		text, err = s.artist(ctx, id.String())
	}
	if web.HasStatus(err, http.StatusNotFound) {
		return tools.Output{}, tools.Advise(fmt.Errorf("MusicBrainz has no %s %s", kind, id), "The ID may belong to another type (artist, release or recording). IDs of release groups do not work here: search for the release instead.")
	}
	if err == nil && strings.TrimSpace(text) == "" {
		err = errors.New("MusicBrainz returned no data; try again later")
	}
	return tools.Output{Text: text}, err
}

// work is an album, an EP or a single, independent of its editions.
type work struct {
	Title, Disambiguation string
	Primary               string   `json:"primary-type"`
	Secondary             []string `json:"secondary-types"`
	First                 string   `json:"first-release-date"`
}

func (s Service) artist(ctx context.Context, id string) (string, error) {
	var artist struct {
		Name, Type, Country, Disambiguation string
		LifeSpan                            span `json:"life-span"`
		Genres, Tags                        []named
	}
	if err := s.get(ctx, "artist/"+id, url.Values{"inc": {"genres tags"}}, &artist); err != nil {
		return "", err
	}
	works, more, err := s.artistWorks(ctx, id)
	if err != nil {
		return "", err
	}
	genres := artist.Genres
	if len(genres) == 0 {
		genres = artist.Tags
	}
	parts := []string{show.Block([]string{
		show.Line(artist.Name, 120),
		show.Join(" · ", show.Line(artist.Type, 20), show.Line(artist.Country, 20), artist.LifeSpan.String(), show.Line(artist.Disambiguation, 100)),
		show.Label("Genres", show.FirstNames(names(genres), 10)),
	}, "")}
	for _, group := range []struct {
		title, kind string
		limit       int
	}{{"Albums", "Album", 20}, {"EPs", "EP", 10}, {"Singles", "Single", 15}} {
		parts = append(parts, section(group.title, group.kind, works, group.limit))
	}
	if more {
		parts = append(parts, fmt.Sprintf("[MusicBrainz has more albums, EPs and singles; only the first %d are considered]", len(works)))
	}
	return show.Join("\n\n", parts...), nil
}

// artistWorks returns an artist's works, up to pageLimit pages, and reports whether works are
// missing. A lookup of the artist would return only 25 works.
func (s Service) artistWorks(ctx context.Context, artist string) (works []work, more bool, err error) {
	for range pageLimit {
		var page struct {
			Total int    `json:"release-group-count"`
			Works []work `json:"release-groups"`
		}
		query := url.Values{
			"artist": {artist}, "type": {"album|ep|single"}, "release-group-status": {"website-default"}, // omits bootlegs
			"limit": {strconv.Itoa(pageSize)}, "offset": {strconv.Itoa(len(works))},
		}
		if err := s.get(ctx, "release-group", query, &page); err != nil {
			return nil, false, err
		}
		works = append(works, page.Works...)
		if len(page.Works) == 0 || len(works) >= page.Total {
			return works, false, nil
		}
	}
	return works, true, nil
}

// section returns the works of one kind, sorted by date. Undated works come last.
func section(title, kind string, works []work, limit int) string {
	chosen := lists.Filter(works, func(each work) bool { return each.Primary == kind })
	slices.SortStableFunc(chosen, func(a, b work) int { return cmp.Compare(cmp.Or(a.First, "9"), cmp.Or(b.First, "9")) })
	if len(chosen) == 0 {
		return ""
	}
	lines := []string{fmt.Sprintf("%s (%d):", title, len(chosen))}
	for _, each := range chosen[:min(limit, len(chosen))] {
		kinds := ""
		if len(each.Secondary) > 0 {
			kinds = " [" + show.FirstNames(each.Secondary, 3) + "]"
		}
		lines = append(lines, cmp.Or(show.Line(each.First, 10), "no date")+"  "+show.Line(each.Title, 120)+kinds)
	}
	if more := len(chosen) - limit; more > 0 {
		lines = append(lines, "… and "+messages.Counted(more, "later one"))
	}
	return strings.Join(lines, "\n")
}

func (s Service) recording(ctx context.Context, id string) (string, error) {
	var recording struct {
		Title, Disambiguation string
		Credit                credit `json:"artist-credit"`
		Length                length
		First                 string `json:"first-release-date"`
		Genres                []named
		ISRCs                 []string
		Releases              []struct{ Title, Date, Country, ID string }
	}
	if err := s.get(ctx, "recording/"+id, url.Values{"inc": {"releases artist-credits genres isrcs"}}, &recording); err != nil {
		return "", err
	}
	lines := []string{
		titleAndArtist(recording.Title, recording.Credit),
		show.Line(recording.Disambiguation, 120),
		show.Label("Length", cmp.Or(clock(recording.Length), "not known")),
		show.Label("First released", show.Line(recording.First, 10)),
		show.Label("Genres", show.FirstNames(names(recording.Genres), 10)),
		show.Label("ISRC", show.FirstNames(recording.ISRCs, 5)),
	}
	if len(recording.Releases) > 0 {
		lines = append(lines, "On "+messages.Counted(len(recording.Releases), "release")+":")
	}
	for _, each := range recording.Releases[:min(10, len(recording.Releases))] {
		lines = append(lines, "- "+show.Join(" · ", show.Line(each.Title, 120), show.Line(each.Date, 10), show.Line(each.Country, 20), "MBID "+show.Line(each.ID, 36)))
	}
	return show.Block(lines, ""), nil
}
