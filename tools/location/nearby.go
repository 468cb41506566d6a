package location

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
)

type nearbyArgs struct {
	Lat    float64  `json:"lat" doc:"Latitude" alias:"latitude" example:"59.86"`
	Lng    float64  `json:"lng" doc:"Longitude" alias:"longitude,lon" example:"17.64"`
	Types  []string `json:"type" doc:"Kinds of places, for example cafe, restaurant or gas_station" alias:"types,included_types" example:"[\"cafe\"]"`
	Radius float64  `json:"radius" doc:"In meters" default:"5000" min:"1" max:"50000"`
	Max    int      `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"20" alias:"limit"`
	Rank   string   `json:"rank_by" doc:"Sort order" enum:"POPULARITY,DISTANCE" default:"POPULARITY"`
}

func (s *Service) nearbyTool() tools.Tool {
	return tools.New(tools.Def[nearbyArgs]{
		Name: "places_nearby_search",
		Keys: "GOOGLE_PLACES_API_KEY or a gcloud login; without either, Marvin asks OpenStreetMap",
		Doc:  "List places of the given kinds around coordinates.",
		Examples: []string{
			"which {cafe|type} is near {59.86|lat}, {17.64|lng}",
			"list every {pharmacy|type} within {1000|radius} metres of {59.86|lat}, {17.64|lng}",
			"nearest {pharmacy|type} to {59.86|lat}, {17.64|lng}",
		},
		Pool: tools.Net, Service: "places.googleapis.com, overpass-api.de",
		Timeout: time.Minute,
		Run:     s.nearby,
	})
}

func (s *Service) nearby(ctx context.Context, env tools.Env, in nearbyArgs) (tools.Output, error) {
	center, err := geo.NewPoint(in.Lat, in.Lng)
	if err != nil {
		return tools.Output{}, err
	}
	kinds, err := cleanKinds(in.Types)
	if err != nil {
		return tools.Output{}, err
	}
	venues, googleErr := s.askGoogle(ctx, env, googleNearby, googleNearbyQuery{
		IncludedTypes: kinds, MaxResultCount: in.Max, RankPreference: in.Rank, LocationRestriction: around(center, in.Radius),
	})
	note := "Source: Google Places."
	if googleErr != nil {
		note = explainNoGoogle(googleErr)
		if venues, err = s.mapAround(ctx, kinds, center, in.Radius); err != nil {
			return tools.Output{}, fmt.Errorf("%w\n%s", err, note)
		}
		venues = venues[:min(len(venues), in.Max)]
		note += " Sorted by distance."
	}
	if len(venues) == 0 {
		return tools.NoResults(fmt.Sprintf("No %s within %s. Try a larger radius or another kind.\n%s", strings.Join(kinds, ", "), geo.Metres(in.Radius), note)), nil
	}
	return tools.Output{Text: list(venues, &center) + "\n\n" + note}, nil
}

const maxKinds = 10

// cleanKinds splits and normalizes comma-separated kinds. A kind becomes part of a query, so
// cleanKinds accepts only letters, spaces, hyphens and underscores.
func cleanKinds(given []string) ([]string, error) {
	var kinds []string
	for _, text := range given {
		for kind := range strings.SplitSeq(text, ",") {
			kind = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(kind)))
			if kind == "" {
				continue
			}
			if strings.ContainsFunc(kind, func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' }) {
				return nil, tools.Advise(fmt.Errorf("%q is not a kind of place", show.Line(kind, 60)),
					"A kind is an English word such as restaurant, cafe, pharmacy or gas_station. Search for names with places_text_search.")
			}
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 || len(kinds) > maxKinds {
		return nil, tools.Advise(errors.New("\"type\" contains no kind of place, or too many kinds"), "Give 1 to %d kinds, such as restaurant.", maxKinds)
	}
	return kinds, nil
}

// tag returns the OpenStreetMap tag for one of Google's kinds.
func tag(kind string) (key, value string) {
	switch kind {
	case "bakery", "supermarket":
		return "shop", kind
	case "gym":
		return "leisure", "fitness_centre"
	case "park":
		return "leisure", kind
	case "gas_station":
		return "amenity", "fuel"
	case "hotel":
		return "tourism", kind
	}
	return "amenity", kind
}

// elementLimit is the maximum number of elements in a reply. 400 elements are about 200 KB.
const elementLimit = 400

// mapAround asks Overpass for places of the given kinds. Overpass does not sort by distance, so if
// a reply has elementLimit elements, mapAround reduces the radius.
func (s *Service) mapAround(ctx context.Context, kinds []string, center geo.Point, radius float64) ([]venue, error) {
	for {
		elements, err := geo.Overpass(ctx, s.finder.Client, aroundQuery(kinds, center, radius))
		if err != nil {
			return nil, err
		}
		if len(elements) >= elementLimit && radius > 100 {
			radius /= 4
			continue
		}
		return venuesOf(elements, center), nil
	}
}

func aroundQuery(kinds []string, center geo.Point, radius float64) string {
	var query strings.Builder
	query.WriteString("[out:json][timeout:15];(")
	for _, kind := range kinds {
		key, value := tag(kind)
		for _, element := range []string{"node", "way"} {
			fmt.Fprintf(&query, `%s["%s"="%s"](around:%.0f,%s,%s);`, element, key, value, max(1, radius), geo.Query(center.Lat), geo.Query(center.Lng))
		}
	}
	fmt.Fprintf(&query, ");out center %d;", elementLimit)
	return query.String()
}

func venuesOf(elements []geo.Element, center geo.Point) []venue {
	var venues []venue
	for _, element := range elements {
		v := venueOf(element.Tags)
		if point, ok := element.Point(); ok {
			v.point = &point
		}
		v.name = cmp.Or(v.name, "(without a name)")
		v.mapURL = geo.MapURL(element.Type, element.ID)
		venues = append(venues, v)
	}
	byDistance(venues, center)
	return venues
}
