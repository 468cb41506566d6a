package geo

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"marvin/tools/internal/web"
)

const searchURL = "https://nominatim.openstreetmap.org/search"

// Place is a place in OpenStreetMap. Its strings come unchanged from the server.
type Place struct {
	Name       string
	Address    string // the full display name
	Point      Point
	Category   string // the key of the main tag, such as "amenity"
	Type       string // the value of the main tag, such as "cafe"
	Importance float64
	Tags       map[string]string // phone, website, opening_hours and others; may be nil
	URL        string            // the place's page on openstreetmap.org
}

// Search is a query to Nominatim. If Center is not nil, the query finds only places in the square
// around the circle with this center and a radius of Radius meters.
type Search struct {
	Query  string
	Limit  int
	Center *Point
	Radius float64
}

// found is one place from a Nominatim response in jsonv2 format. See
// https://nominatim.org/release-docs/latest/api/Output/
type found struct {
	OSMType     string            `json:"osm_type"`
	OSMID       int64             `json:"osm_id"`
	Lat         string            `json:"lat"`
	Lon         string            `json:"lon"`
	Category    string            `json:"category"`
	Type        string            `json:"type"`
	Importance  float64           `json:"importance"`
	Name        string            `json:"name"`
	DisplayName string            `json:"display_name"`
	ExtraTags   map[string]string `json:"extratags"`
}

// Do sends the query. An empty result is not an error.
func (s Search) Do(ctx context.Context, client *http.Client) ([]Place, error) {
	query := url.Values{
		"q": {s.Query}, "format": {"jsonv2"}, "addressdetails": {"1"}, "extratags": {"1"}, "limit": {strconv.Itoa(s.Limit)},
	}
	if s.Center != nil {
		west, north, east, south := box(*s.Center, s.Radius)
		query.Set("viewbox", strings.Join([]string{Query(west), Query(north), Query(east), Query(south)}, ","))
		query.Set("bounded", "1")
	}
	var answer []found
	if err := web.GetJSON(ctx, client, searchURL+"?"+query.Encode(), 1<<20, &answer); err != nil {
		return nil, fmt.Errorf("search OpenStreetMap: %w", err)
	}
	var places []Place
	for _, entry := range answer[:min(len(answer), s.Limit)] {
		point, ok, err := parsePoint(entry.Lat + "," + entry.Lon)
		if !ok || err != nil {
			continue
		}
		places = append(places, Place{
			Name: entry.title(), Address: entry.DisplayName, Point: point,
			Category: entry.Category, Type: entry.Type, Importance: entry.Importance,
			Tags: entry.ExtraTags, URL: MapURL(entry.OSMType, entry.OSMID),
		})
	}
	return places, nil
}

func (f found) title() string {
	if f.Name != "" {
		return f.Name
	}
	first, _, _ := strings.Cut(f.DisplayName, ",")
	return first
}

// MapURL returns the URL of an OpenStreetMap element's page, or "" if kind is invalid.
func MapURL(kind string, id int64) string {
	switch kind {
	case "node", "way", "relation":
		return fmt.Sprintf("https://www.openstreetmap.org/%s/%d", kind, id)
	}
	return ""
}
