package travel

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/internal/geo"
)

// Service finds places and requests routes.
type Service struct{ finder geo.Finder }

// New returns a service that reads the user's saved places.
func New(client *http.Client, home *persistence.Home) Service {
	return Service{geo.Finder{Client: client, Home: home}}
}

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.timeTool(), s.directionsTool(), s.trafficTool()}
}

// timeout is long enough to look up four places, one per second, and then to request the route and
// the weather.
const timeout = time.Minute

type tripArgs struct {
	Origin      string `json:"origin" doc:"Address, saved place or lat,lng" alias:"from,start" example:"home"`
	Destination string `json:"destination" doc:"Address, saved place or lat,lng" alias:"dest,to,end" example:"Uppsala Castle"`
	Mode        string `json:"mode" doc:"Travel mode" enum:"driving,cycling,walking" default:"driving" alias:"profile,travel_mode"`
}

// fold combines separate latitude and longitude arguments, and normalizes the travel mode.
func fold(arguments map[string]any) {
	for name, spellings := range map[string][]string{"origin": {"origin"}, "destination": {"dest", "destination"}} {
		for _, spelling := range spellings {
			lat, okLat := arguments[spelling+"_lat"]
			lng, okLng := arguments[spelling+"_lng"]
			if !okLat || !okLng {
				continue
			}
			delete(arguments, spelling+"_lat")
			delete(arguments, spelling+"_lng")
			if _, given := arguments[name]; !given && lat != nil && lng != nil {
				arguments[name] = fmt.Sprintf("%v,%v", lat, lng)
			}
		}
	}
	if mode, ok := arguments["mode"].(string); ok {
		arguments["mode"] = modeName(mode)
	}
}

func modeName(text string) string {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "car", "drive", "auto":
		return "driving"
	case "bike", "bicycle", "cycle":
		return "cycling"
	case "foot", "walk", "on foot", "pedestrian":
		return "walking"
	}
	return text
}

// trip is a route between two places.
type trip struct {
	from, to geo.Found
	mode     string
}

func (s Service) trip(ctx context.Context, env tools.Env, in tripArgs) (trip, error) {
	from, err := s.finder.Find(ctx, env, in.Origin)
	if err != nil {
		return trip{}, fmt.Errorf("origin: %w", err)
	}
	to, err := s.finder.Find(ctx, env, in.Destination)
	if err != nil {
		return trip{}, fmt.Errorf("destination: %w", err)
	}
	return trip{from, to, in.Mode}, nil
}

// head returns the first lines of a result. They show which places were found, because several
// towns may have the same name.
func (t trip) head(note string) string {
	return fmt.Sprintf("%s%s%s\nFrom: %s\nTo: %s\n", strings.ToUpper(t.mode[:1]), t.mode[1:], note, t.from.Title(), t.to.Title())
}

const freeFlow = ", free-flow (without traffic)"

func length(metres float64) string {
	return fmt.Sprintf("Distance: %.1f km (%.1f mi)\n", metres/1000, metres/1000*0.621371)
}

// duration converts seconds to text, such as "25 min" or "2h 5m".
func duration(seconds float64) string {
	minutes := int(seconds/60 + 0.5)
	switch {
	case minutes == 0:
		return "less than 1 min"
	case minutes < 60:
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%dh %dm", minutes/60, minutes%60)
}

func (s Service) timeTool() tools.Tool {
	return tools.New(tools.Def[tripArgs]{
		Name: "estimate_travel_time",
		Doc:  "Show distance and travel time without traffic between two places.",
		Examples: []string{
			"how long does it take from {home|origin} to {Uppsala Castle|destination}",
			"how far is {Uppsala Castle|destination} from {home|origin} {walking|mode}",
			"travel time from {home|origin} to {work|destination} by {cycling|mode}",
		},
		Pool: tools.Net, Service: "nominatim.openstreetmap.org, router.project-osrm.org, routing.openstreetmap.de", Timeout: timeout, Fold: fold, State: "saved places",
		Run: s.time,
	})
}

func (s Service) time(ctx context.Context, env tools.Env, in tripArgs) (tools.Output, error) {
	t, err := s.trip(ctx, env, in)
	if err != nil {
		return tools.Output{}, err
	}
	found, err := s.route(ctx, t.mode, false, t.from.Point, t.to.Point)
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: t.head(freeFlow) + length(found.Distance) + "Duration: " + duration(found.Duration)}, nil
}
