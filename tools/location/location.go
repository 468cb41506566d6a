package location

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
)

// Service holds the shared state of the tools. It is safe for concurrent use.
type Service struct {
	finder geo.Finder
	google googleLogin

	mu    sync.Mutex
	last  position
	asked time.Time // time at which the cached position was found
}

// New returns a service that reads the user's saved places.
func New(client *http.Client, home *persistence.Home) *Service {
	return &Service{finder: geo.Finder{Client: client, Home: home}}
}

// Tools returns the tools of this category.
func (s *Service) Tools() []tools.Tool {
	return []tools.Tool{s.myLocationTool(), s.textSearchTool(), s.nearbyTool(), s.authTool()}
}

// positionLifetime is how long a position counts as current.
const positionLifetime = time.Hour

// position is the user's position with its source.
type position struct {
	geo.Point
	source                          string
	accuracy                        float64 // meters, 0 if unknown
	city, region, country, timezone string
}

func (s *Service) myLocationTool() tools.Tool {
	return tools.New(tools.Def[struct{}]{
		Name: "get_my_location", Chat: true,
		Doc:      "Find the user's current position: coordinates, city, time zone.",
		Examples: []string{"where am I", "what is my location", "get my current location"},
		Pool:     tools.Net, Service: "ip-api.com",
		Timeout: 45 * time.Second,
		Run:     s.myLocation,
	})
}

func (s *Service) myLocation(ctx context.Context, env tools.Env, _ struct{}) (tools.Output, error) {
	found, err := s.locate(ctx, env)
	if err != nil {
		return tools.Output{}, err
	}
	accuracy := ""
	if found.accuracy > 0 {
		accuracy = geo.Metres(found.accuracy)
	}
	return tools.Output{Text: show.Block([]string{
		"Latitude: " + strconv.FormatFloat(found.Lat, 'f', -1, 64),
		"Longitude: " + strconv.FormatFloat(found.Lng, 'f', -1, 64),
		"Source: " + found.source,
		show.Label("Accuracy", accuracy),
		show.Label("City", found.city), show.Label("Region", found.region),
		show.Label("Country", found.country), show.Label("Timezone", found.timezone),
	}, "")}, nil
}

// Coordinates returns the user's coordinates and, if known, the names of the city, region and
// country.
func (s *Service) Coordinates(ctx context.Context, env tools.Env) (lat, lng float64, name string, err error) {
	found, err := s.locate(ctx, env)
	return found.Lat, found.Lng, show.Join(", ", found.city, found.region, found.country), err
}

// locate returns the cached position if it is recent. Otherwise it calls locateBySystem and, if
// that fails, locateByNetwork.
func (s *Service) locate(ctx context.Context, env tools.Env) (position, error) {
	if last, ok := s.recent(env.Now()); ok {
		return last, nil
	}
	found, systemErr := locateBySystem(ctx, env)
	if systemErr != nil {
		var err error
		if found, err = locateByNetwork(ctx, s.finder.Client); err != nil {
			return position{}, tools.Advise(fmt.Errorf("the position is unknown: %w\nThe system's location service: %w", err, systemErr),
				"Ask the user to name a place or an address; list_places lists the saved places.")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.asked = found, env.Now()
	return found, nil
}

func (s *Service) recent(now time.Time) (position, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last, !s.asked.IsZero() && now.Sub(s.asked) < positionLifetime && !now.Before(s.asked)
}

func locateBySystem(ctx context.Context, env tools.Env) (position, error) {
	switch runtime.GOOS {
	case "linux":
		return locateByGeoClue(ctx, env)
	case "darwin":
		return locateByCoreLocation(ctx, env)
	}
	return position{}, fmt.Errorf("none is known on %s", runtime.GOOS)
}
