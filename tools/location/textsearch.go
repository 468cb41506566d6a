package location

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
)

type textSearchArgs struct {
	Query     string   `json:"query" doc:"What to find" alias:"text_query,q" example:"ramen in Uppsala"`
	Location  string   `json:"location" doc:"Near this address, saved place or lat,lng" default:"" alias:"near"`
	Latitude  *float64 `json:"latitude,omitempty" doc:"Latitude" alias:"lat"`
	Longitude *float64 `json:"longitude,omitempty" doc:"Longitude" alias:"lng,lon"`
	Radius    float64  `json:"radius" doc:"In meters" default:"5000" min:"1" max:"50000"`
	Max       int      `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"20" alias:"limit"`
	OpenNow   bool     `json:"open_now" doc:"Only places open now" default:"false"`
}

func (s *Service) textSearchTool() tools.Tool {
	return tools.New(tools.Def[textSearchArgs]{
		Name: "places_text_search", Chat: true,
		Keys: "GOOGLE_PLACES_API_KEY or a gcloud login; without either, Marvin asks OpenStreetMap",
		Doc:  "Find restaurants, shops and other places with addresses and coordinates.",
		Examples: []string{
			"find {ramen|query} near {Uppsala|location}",
			"search for {bookshops|query} in {Uppsala|location}",
			"find a {pharmacy|query} that is open near {home|location}",
		},
		Pool: tools.Net, Service: "places.googleapis.com, nominatim.openstreetmap.org",
		Timeout: time.Minute,
		Run:     s.textSearch,
	})
}

func (s *Service) textSearch(ctx context.Context, env tools.Env, in textSearchArgs) (tools.Output, error) {
	in.Query = strings.TrimSpace(in.Query)
	if in.Query == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say what to find, such as ramen.")
	}
	center, err := geo.OptionalPoint(in.Latitude, in.Longitude)
	if err != nil {
		return tools.Output{}, err
	}
	if center == nil && strings.TrimSpace(in.Location) != "" {
		found, err := s.finder.Find(ctx, env, in.Location)
		if err != nil {
			return tools.Output{}, fmt.Errorf("location: %w", err)
		}
		center = &found.Point
	}
	question := googleTextQuery{TextQuery: in.Query, MaxResultCount: in.Max, OpenNow: in.OpenNow}
	if center != nil {
		question.LocationBias = around(*center, in.Radius)
	}
	venues, googleErr := s.askGoogle(ctx, env, googleText, question)
	note := "Source: Google Places."
	if googleErr != nil {
		note = explainNoGoogle(googleErr)
		if venues, err = s.searchMap(ctx, in, center); err != nil {
			return tools.Output{}, fmt.Errorf("%w\n%s", err, note)
		}
		if in.OpenNow {
			note += " OpenStreetMap cannot tell which places are open now; look at their hours."
		}
	}
	if len(venues) == 0 {
		return tools.NoResults(fmt.Sprintf("Nothing found for %q. Try other words, or a larger radius.\n%s", show.Line(in.Query, 100), note)), nil
	}
	return tools.Output{Text: list(venues, center) + "\n\n" + note}, nil
}

// searchMap searches with Nominatim: first within the radius and, if nothing is found, anywhere.
func (s *Service) searchMap(ctx context.Context, in textSearchArgs, center *geo.Point) ([]venue, error) {
	search := geo.Search{Query: in.Query, Limit: in.Max, Center: center, Radius: in.Radius}
	places, err := search.Do(ctx, s.finder.Client)
	if err == nil && len(places) == 0 && center != nil {
		search.Center = nil
		places, err = search.Do(ctx, s.finder.Client)
	}
	venues := make([]venue, len(places))
	for i, place := range places {
		v := venueOf(place.Tags)
		v.name, v.address, v.types = place.Name, place.Address, []string{place.Type}
		v.point, v.mapURL = &place.Point, place.URL
		venues[i] = v
	}
	if center != nil {
		byDistance(venues, *center)
	}
	return venues, err
}
