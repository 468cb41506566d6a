package maps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
)

// Service searches OpenStreetMap.
type Service struct{ client *http.Client }

// New returns a service.
func New(client *http.Client) Service { return Service{client} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.searchTool(), s.overpassTool()} }

type searchArgs struct {
	Query string `json:"query" doc:"Name or address" alias:"q,location,place" example:"Uppsala Castle"`
	Max   int    `json:"max_results" doc:"Maximum results" default:"5" min:"1" max:"20" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "osm_search",
		Doc:  "Find coordinates by address or place name (OpenStreetMap).",
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
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give an address, or the name of a place.")
	}
	places, err := geo.Search{Query: query, Limit: in.Max}.Do(ctx, s.client)
	if err != nil {
		return tools.Output{}, err
	}
	if len(places) == 0 {
		return tools.Output{Text: fmt.Sprintf("OpenStreetMap has no match for %q. Try fewer words, or add the city and country.", show.Line(query, 100))}, nil
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

const (
	maxElements = 20
	maxTags     = 5
	maxQuery    = 16 << 10
)

type overpassArgs struct {
	Query string `json:"query" doc:"Overpass QL query; end it with \"out center;\"" alias:"q,data" example:"node[amenity=cafe](around:500,59.86,17.64); out center;"`
}

func (s Service) overpassTool() tools.Tool {
	return tools.New(tools.Def[overpassArgs]{
		Name:     "overpass_query",
		Doc:      "Query OpenStreetMap data by tags with Overpass QL. Shows 20 elements.",
		Examples: []string{"run the Overpass query {node[amenity=cafe](around:500,59.86,17.64); out;|query}", "overpass {node(1); out;|query}"},
		Pool:     tools.Net, Service: "overpass-api.de",
		Timeout: time.Minute,
		Run:     s.overpass,
	})
}

func (s Service) overpass(ctx context.Context, _ tools.Env, in overpassArgs) (tools.Output, error) {
	query, err := withSettings(in.Query)
	if err != nil {
		return tools.Output{}, err
	}
	elements, err := geo.Overpass(ctx, s.client, query)
	if err != nil {
		return tools.Output{}, err
	}
	if len(elements) == 0 {
		return tools.NoResults("No elements. Check the tags and the area, and make sure that the query ends with \"out center;\" or another output statement."), nil
	}
	items := make([][]string, min(len(elements), maxElements))
	for i := range items {
		items[i] = lines(elements[i])
	}
	text := show.List(items)
	switch more := len(elements) - len(items); {
	case more == 1:
		text += "\n\nOne more element is not shown."
	case more > 1:
		text += fmt.Sprintf("\n\n%s more elements are not shown.", show.Count(more))
	}
	return tools.Output{Text: text}, nil
}

var (
	comments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\s+|//[^\n]*(\n|$)|(?s:/\*.*?\*/))+`) })
	format   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\s*\[[^\]]*\])*\s*\[\s*out\s*:\s*(\w+)`) })
)

// withSettings requests JSON output and sets a timeout of 25 s, unless the query already has these
// settings. Overpass accepts settings only at the beginning of a query.
func withSettings(query string) (string, error) {
	query = strings.TrimSpace(comments().ReplaceAllString(query, ""))
	switch {
	case query == "":
		return "", tools.Advise(errors.New("the query is empty"), `Overpass QL looks like: node["amenity"="cafe"](around:500,59.86,17.64); out center;`)
	case len(query) > maxQuery:
		return "", tools.Advise(fmt.Errorf("the query has %d bytes", len(query)), "The limit is %d bytes; ask for less.", maxQuery)
	case strings.Contains(query, "{{"):
		return "", tools.Advise(errors.New("{{…}} is for the page overpass turbo only"), `Name an area instead: area["name"="Uppsala"]->.a; node["amenity"="cafe"](area.a); out center;`)
	case strings.HasPrefix(query, "<"):
		return "", tools.Advise(errors.New("the query is in XML"), "Write it in Overpass QL.")
	}
	if output := format().FindStringSubmatch(query); output != nil {
		if output[2] != "json" {
			return "", tools.Advise(fmt.Errorf("[out:%s] cannot be read here", output[2]), "Use [out:json], or leave it out.")
		}
		return query, nil
	}
	switch {
	case !strings.HasPrefix(query, "["):
		return "[out:json][timeout:25];" + query, nil
	case strings.Contains(query, "[timeout:"):
		return "[out:json]" + query, nil
	}
	return "[out:json][timeout:25]" + query, nil
}

// lines returns an element's name, type, ID, coordinates and main tags.
func lines(element geo.Element) []string {
	identity := show.Line(fmt.Sprintf("%s/%d", element.Type, element.ID), 60)
	item := []string{identity}
	if name := show.Line(element.Tags["name"], 120); name != "" {
		item = []string{name, identity}
	}
	if point, ok := element.Point(); ok {
		item = append(item, "Coordinates: "+point.String())
	}
	names := slices.DeleteFunc(slices.Collect(maps.Keys(element.Tags)), func(name string) bool { return name == "name" })
	slices.SortFunc(names, func(a, b string) int { // main tags such as amenity come before detailed ones such as addr:housenumber
		return cmp.Or(strings.Count(a, ":")-strings.Count(b, ":"), strings.Compare(a, b))
	})
	for _, name := range names[:min(len(names), maxTags)] {
		item = append(item, show.Line(name+"="+element.Tags[name], 120))
	}
	return item
}
