package geo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/show"
)

// Finder finds places.
type Finder struct {
	Client *http.Client
	Home   *persistence.Home
}

// Found is a point with its description.
type Found struct {
	Point
	Name string
}

// Title returns the name and the coordinates, or only the coordinates if there is no name.
func (f Found) Title() string {
	if f.Name == "" {
		return f.String()
	}
	return fmt.Sprintf("%s (%s)", f.Name, f.Point)
}

// Find looks up a place. It tries the text as "lat,lng", as the label of a saved place, and finally
// as a query to Nominatim.
func (f Finder) Find(ctx context.Context, env tools.Env, text string) (Found, error) {
	text = strings.TrimSpace(text)
	if point, ok, err := parsePoint(text); ok || err != nil {
		return Found{Point: point}, err
	}
	switch strings.ToLower(text) {
	case "":
		return Found{}, tools.Advise(errors.New("the place is empty"), `Give "lat,lng", the label of a saved place, or an address.`)
	case "here", "me", "my location", "current location", "my current location":
		return Found{}, tools.Advise(fmt.Errorf("%q is not a place on the map", text), `Call get_my_location and give its "lat,lng".`)
	}
	saved, ok := f.saved(env, text)
	if ok && saved.Lat != nil && saved.Lng != nil {
		point, err := NewPoint(float64(*saved.Lat), float64(*saved.Lng))
		return Found{point, show.Line(saved.Label, 60)}, err
	}
	query := text
	if ok && saved.Address != "" {
		query = saved.Address
	}
	places, err := Search{Query: query, Limit: 1}.Do(ctx, f.Client)
	if err != nil {
		return Found{}, err
	}
	if len(places) == 0 {
		return Found{}, tools.Advise(fmt.Errorf("OpenStreetMap has no place called %q", show.Line(query, 100)),
			`Write it with city and country, leave out flat and company names, or give "lat,lng".`)
	}
	return Found{places[0].Point, show.Line(places[0].Address, 120)}, nil
}

// saved returns the saved place with the given label. It ignores read errors, because the tool for
// saved places reports them.
func (f Finder) saved(env tools.Env, label string) (personal.Place, bool) {
	places, _ := personal.Places(f.Home.Profile(env.ProfileName()))
	for _, place := range places {
		if personal.PlaceLabel(place.Label) == personal.PlaceLabel(label) {
			return place, true
		}
	}
	return personal.Place{}, false
}
