package music

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"

	"marvin/messages"
	"marvin/tools/internal/show"
)

type medium struct {
	Position      int
	Format, Title string
	Tracks        []track
}

type track struct {
	Number, Title string
	Length        length
}

func (s Service) release(ctx context.Context, id string) (string, error) {
	var release struct {
		Title, Date, Country, Status, Barcode string
		Credit                                credit `json:"artist-credit"`
		Genres                                []named
		Labels                                []struct {
			Number string `json:"catalog-number"`
			Label  *named // may be nil
		} `json:"label-info"`
		Media []medium
	}
	if err := s.get(ctx, "release/"+id, url.Values{"inc": {"recordings artist-credits labels genres"}}, &release); err != nil {
		return "", err
	}
	var labels []string
	for _, each := range release.Labels {
		name := "no label"
		if each.Label != nil {
			name = each.Label.Name
		}
		labels = append(labels, show.Join(" ", name, each.Number))
	}
	head := show.Block([]string{
		titleAndArtist(release.Title, release.Credit),
		show.Join(" · ", show.Line(release.Date, 10), show.Line(release.Country, 20), show.Line(release.Status, 20)),
		show.Label("Label", show.FirstNames(labels, 5)),
		show.Label("Barcode", show.Line(release.Barcode, 40)),
		show.Label("Genres", show.FirstNames(names(release.Genres), 10)),
	}, "")
	return show.Join("\n\n", head, trackList(release.Media)), nil
}

// trackList lists the tracks of all media, up to trackLimit tracks.
func trackList(media []medium) string {
	var parts []string
	left := trackLimit
	for _, each := range media {
		title := show.Join(" ", cmp.Or(show.Line(each.Format, 40), "Medium"), strconv.Itoa(each.Position))
		lines := []string{show.Join(": ", title, show.Line(each.Title, 120)) + " (" + messages.Counted(len(each.Tracks), "track") + ")"}
		for _, track := range each.Tracks[:min(left, len(each.Tracks))] {
			lines = append(lines, show.Join("  ", show.Line(track.Number, 8)+".", show.Line(track.Title, 150), clock(track.Length)))
		}
		if missing := len(each.Tracks) - left; missing > 0 {
			lines = append(lines, fmt.Sprintf("… and %d more", missing))
		}
		left = max(0, left-len(each.Tracks))
		parts = append(parts, show.Block(lines, ""))
	}
	return show.Join("\n\n", parts...)
}
