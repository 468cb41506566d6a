package location

import (
	"fmt"
	"slices"
	"strings"

	"marvin/messages/lists"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
)

// venue is a place from any source.
type venue struct {
	name, address, phone, website, hours, price, mapURL string

	types   []string
	rating  *float64
	reviews int
	open    *bool
	point   *geo.Point
}

const maxTypes = 4

// list converts the venues to text. If center is not nil, the text includes distances from that
// point.
func list(venues []venue, center *geo.Point) string {
	items := lists.Map(venues, func(v venue) []string { return v.lines(center) })
	return show.List(items)
}

func (v venue) lines(center *geo.Point) []string {
	place, away := "", ""
	if v.point != nil {
		place = v.point.String()
		if center != nil {
			away = geo.Metres(geo.Distance(*center, *v.point))
		}
	}
	types := lists.Map(v.types, func(name string) string { return strings.ReplaceAll(name, "_", " ") })
	return []string{
		show.Line(v.name, 120),
		show.Join(", ", v.stars(), v.price, v.doors()),
		show.Label("Type", show.Line(strings.Join(types[:min(len(types), maxTypes)], ", "), 160)),
		show.Label("Distance", away),
		show.Label("Address", show.Line(v.address, 200)),
		show.Label("Phone", show.Line(v.phone, 60)),
		show.Label("Website", show.Line(v.website, 200)),
		show.Label("Hours", show.Line(v.hours, 200)),
		show.Label("Map", show.Line(v.mapURL, 200)),
		show.Label("Coordinates", place),
	}
}

func (v venue) stars() string {
	if v.rating == nil {
		return ""
	}
	return fmt.Sprintf("Rating %.1f/5 (%s reviews)", *v.rating, show.Count(v.reviews))
}

func (v venue) doors() string {
	switch {
	case v.open == nil:
		return ""
	case *v.open:
		return "open now"
	}
	return "closed now"
}

// byDistance sorts venues by their distance from center. Venues without a position come last.
func byDistance(venues []venue, center geo.Point) {
	slices.SortStableFunc(venues, func(a, b venue) int {
		switch {
		case a.point == nil && b.point == nil:
			return 0
		case a.point == nil:
			return 1
		case b.point == nil:
			return -1
		}
		return int(geo.Distance(center, *a.point) - geo.Distance(center, *b.point))
	})
}

// venueOf converts OpenStreetMap tags to a venue.
func venueOf(tags map[string]string) venue {
	first := func(names ...string) string {
		for _, name := range names {
			if tags[name] != "" {
				return tags[name]
			}
		}
		return ""
	}
	var types []string
	for _, name := range []string{"amenity", "shop", "leisure", "tourism", "cuisine"} {
		if tags[name] != "" {
			types = append(types, tags[name])
		}
	}
	street := show.Join(" ", tags["addr:street"], tags["addr:housenumber"])
	return venue{
		name: first("name", "brand", "operator"), types: types,
		address: show.Join(", ", street, show.Join(" ", tags["addr:postcode"], tags["addr:city"])),
		phone:   first("phone", "contact:phone"), website: first("website", "contact:website"), hours: tags["opening_hours"],
	}
}
