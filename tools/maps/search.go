package maps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
)

// Service holds what the tools need.
type Service struct{ client *http.Client }

// New makes the service.
func New(client *http.Client) Service { return Service{client} }

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.searchTool(), s.overpassTool()} }

type searchArgs struct {
	Query string `json:"query" doc:"Name or address" alias:"q,location,place" example:"Uppsala Castle"`
	Max   int    `json:"max_results" doc:"How many" default:"5" min:"1" max:"20" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "osm_search",
		Doc:  "Find coordinates of an address or place by name (OpenStreetMap).",
		Examples: []string{
			"what are the coordinates of {Uppsala Castle|query}",
			"find {Uppsala Castle|query} on OpenStreetMap",
			"geocode {1 High St, London|query}",
		},
		Pool: tools.Net, Service: "nominatim.openstreetmap.org",
		Run: s.search,
	})
}

func (s Service) search(ctx context.Context, _ tools.Env, in searchArgs) (tools.Output, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give the name of a place or an address.")
	}
	places, err := geo.Search{Query: query, Limit: in.Max}.Do(ctx, s.client)
	if err != nil {
		return tools.Output{}, err
	}
	if len(places) == 0 {
		return tools.Output{Text: fmt.Sprintf("OpenStreetMap knows no %q. Try fewer words, or add the city and country.", show.Line(query, 100))}, nil
	}
	items := make([][]string, len(places))
	for i, place := range places {
		items[i] = []string{
			show.Line(place.Address, 200),
			"Coordinates: " + place.Point.String(),
			"Type: " + show.Line(show.Join("/", place.Category, place.Type), 80),
			fmt.Sprintf("Importance: %.2f", place.Importance),
		}
	}
	return tools.Output{Text: show.List(items)}, nil
}
