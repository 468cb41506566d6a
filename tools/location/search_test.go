package location

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"marvin/tools/internal/toolstest"
)

const keyed = "GOOGLE_PLACES_API_KEY=S3cr3t"

// In the shape of
// https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places.
const googleAnswer = `{"places": [{"types": ["ramen_restaurant", "japanese_restaurant", "restaurant", "point_of_interest", "food"],
	"nationalPhoneNumber": "018-12 34 56", "formattedAddress": "Storgatan 1, 753 31 Uppsala, Sweden", "location": {"latitude": 59.8596, "longitude": 17.6387},
	"rating": 4.46, "googleMapsUri": "https://maps.google.com/?cid=1", "websiteUri": "https://ramen.example/", "userRatingCount": 1234,
	"priceLevel": "PRICE_LEVEL_MODERATE", "displayName": {"text": "Ramen\nHouse\u202e", "languageCode": "sv"}, "currentOpeningHours": {"openNow": false}},
	{"displayName": {"text": "Bare"}}]}`

const googleShown = `1. Ramen House‹U+202E›
   Rating 4.5/5 (1,234 reviews), $$, closed now
   Type: ramen restaurant, japanese restaurant, restaurant, point of interest
   Distance: 111 m
   Address: Storgatan 1, 753 31 Uppsala, Sweden
   Phone: 018-12 34 56
   Website: https://ramen.example/
   Map: https://maps.google.com/?cid=1
   Coordinates: 59.8596, 17.6387

2. Bare

Source: Google Places.`

func TestTextSearchAsksGoogle(t *testing.T) {
	w := newWorld(t, map[string]http.HandlerFunc{google: func(out http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		want := `{"textQuery":"ramen","maxResultCount":20,"openNow":true,"locationBias":{"circle":{"center":{"latitude":59.8586,"longitude":17.6387},"radius":50000}}}`
		if r.Method+r.URL.Path != "POST/v1/places:searchText" || string(body) != want || r.Header.Get("X-Goog-Api-Key") != "S3cr3t" {
			t.Errorf("%s %s %s %v", r.Method, r.URL, body, r.Header)
		}
		if mask := r.Header.Get("X-Goog-FieldMask"); !strings.Contains(mask, "places.location,") {
			t.Errorf("mask %s", mask)
		}
		_, _ = io.WriteString(out, googleAnswer)
	}})
	w.env.Environ = append(w.env.Environ, keyed)
	got, err := w.call("places_text_search", `{"text_query": "ramen", "location": "59.8586,17.6387", "radius": 1e9, "max_results": 50, "open_now": "true"}`)
	if err != nil || got != googleShown {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestNearbySearchAsksGoogle(t *testing.T) {
	var asked string
	w := newWorld(t, map[string]http.HandlerFunc{google: func(out http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = r.URL.Path + " " + string(body)
		_, _ = io.WriteString(out, `{}`)
	}})
	w.env.Environ = append(w.env.Environ, keyed)
	got, err := w.call("places_nearby_search", `{"latitude": 0, "lon": "0", "included_types": "cafe, bakery", "rank_by": "distance", "radius": 700}`)
	want := `/v1/places:searchNearby {"includedTypes":["cafe","bakery"],"maxResultCount":5,"rankPreference":"DISTANCE","locationRestriction":{"circle":{"center":{"latitude":0,"longitude":0},"radius":700}}}`
	if err != nil || asked != want || !strings.HasPrefix(got, "No cafe, bakery within 700 m. Try") {
		t.Errorf("got %s, %v\nasked %s", got, err, asked)
	}
}

// mapOfUppsala plays Nominatim: nothing is in the box, something elsewhere.
func mapOfUppsala(asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.FormValue("q")+" "+r.FormValue("viewbox"))
		answer := "[]"
		if r.FormValue("viewbox") == "" {
			answer = `[{"osm_type": "node", "osm_id": 7, "lat": "59.87", "lon": "17.64", "category": "amenity", "type": "cafe", "name": "Far", "display_name": "Far, Sweden",
				"extratags": {"phone": "+46 1", "website": "https://far.example", "opening_hours": "Mo-Fr 08:00-17:00"}},
				{"osm_type": "node", "osm_id": 8, "lat": "59.86", "lon": "17.64", "category": "amenity", "type": "cafe", "name": "Near", "display_name": "Near, Sweden", "extratags": null}]`
		}
		_, _ = io.WriteString(w, answer)
	}
}

func TestWithoutAKeyTheMapIsSearchedInTheBoxFirst(t *testing.T) {
	var asked []string
	w := newWorld(t, map[string]http.HandlerFunc{nominatim: mapOfUppsala(&asked)})
	got, err := w.call("places_text_search", `{"query": "café", "latitude": 59.86, "longitude": 17.64, "open_now": true}`)
	want := `1. Near
   Type: cafe
   Distance: 0 m
   Address: Near, Sweden
   Map: https://www.openstreetmap.org/node/8
   Coordinates: 59.86, 17.64

2. Far
   Type: cafe
   Distance: 1.1 km
   Address: Far, Sweden
   Phone: +46 1
   Website: https://far.example
   Hours: Mo-Fr 08:00-17:00
   Map: https://www.openstreetmap.org/node/7
   Coordinates: 59.87, 17.64

Source: OpenStreetMap. Ratings and prices need Google Places: see setup_google_auth. OpenStreetMap cannot tell which places are open now; look at their hours.`
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	if len(asked) != 2 || asked[1] != "café " || !strings.HasPrefix(asked[0], "café 17.5") { // the radius makes the box
		t.Errorf("asked %q", asked)
	}
}

// An absent key and a rejected one are different things, and the key is in no text.
func TestRejectedKeyIsReportedAndMapIsAsked(t *testing.T) {
	for status, want := range map[int]string{
		400: "Google refused the key or the request: places.googleapis.com answered 400 Bad Request (API key ‹key› not valid.)",
		403: "Google refused the key or the request",
		429: "Google Places failed: places.googleapis.com answered 429",
		503: "Google Places failed",
	} {
		var asked []string
		w := newWorld(t, map[string]http.HandlerFunc{
			google:    toolstest.Status(status, `{"error": {"code": 400, "message": "API key S3cr3t not valid.", "status": "INVALID_ARGUMENT"}}`),
			nominatim: mapOfUppsala(&asked), overpass: toolstest.Status(200, `{"elements": []}`),
		})
		w.env.Environ = append(w.env.Environ, keyed)
		for _, call := range [][2]string{{"places_text_search", `{"query": "café"}`}, {"places_nearby_search", `{"lat": 1, "lng": 2, "type": "cafe"}`}} {
			got, err := w.call(call[0], call[1])
			if err != nil || strings.Contains(got, "S3cr3t") {
				t.Errorf("%d: %s, %v", status, got, err)
			}
			toolstest.CheckParts(t, got, "Source: OpenStreetMap", want)
		}
	}
}

func TestNearbySearchOnTheMap(t *testing.T) {
	var query string
	w := newWorld(t, map[string]http.HandlerFunc{overpass: func(out http.ResponseWriter, r *http.Request) {
		query = r.PostFormValue("data")
		_, _ = io.WriteString(out, `{"elements": [
			{"type": "way", "id": 1, "center": {"lat": 0.01, "lon": 0}, "tags": {"amenity": "fuel", "brand": "Shell", "addr:street": "High St", "addr:housenumber": "1", "addr:city": "Town"}},
			{"type": "relation", "id": 3},
			{"type": "node", "id": 2, "lat": 0.001, "lon": 0, "tags": {"shop": "bakery", "name": "Bun", "contact:phone": "+1"}}]}`)
	}})
	got, err := w.call("places_nearby_search", `{"lat": 0, "lng": 0, "type": ["gas_station", "bakery"], "radius": 1500, "max_results": 2}`)
	want := `1. Bun
   Type: bakery
   Distance: 111 m
   Phone: +1
   Map: https://www.openstreetmap.org/node/2
   Coordinates: 0.001, 0

2. Shell
   Type: fuel
   Distance: 1.1 km
   Address: High St 1, Town
   Map: https://www.openstreetmap.org/way/1
   Coordinates: 0.01, 0

Source: OpenStreetMap. Ratings and prices need Google Places: see setup_google_auth. Sorted by distance.`
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	// Kinds are alternatives, ways count too, and gas stations have another tag.
	const circle = "(around:1500,0.000000,0.000000);"
	if want := `[out:json][timeout:15];(node["amenity"="fuel"]` + circle + `way["amenity"="fuel"]` + circle + `node["shop"="bakery"]` + circle + `way["shop"="bakery"]` + circle + `);out center 400;`; query != want {
		t.Errorf("asked %s", query)
	}
	_, err = w.call("places_nearby_search", `{"lat": 0, "lng": 0, "type": "cafe\"](around:1,2,3);node[\"a"}`)
	toolstest.CheckError(t, err, "not a kind of place")
	_, err = w.call("places_nearby_search", `{"lat": 100, "lng": 0, "type": "cafe"}`)
	toolstest.CheckError(t, err, "not a position")
	_, err = w.call("places_nearby_search", `{"lat": 1, "type": "cafe"}`)
	toolstest.CheckError(t, err, "lng is required")
}

// Overpass sends elements in its own order: a full answer need not hold the nearest.
func TestAFullMapIsAskedAgainAboutASmallerCircle(t *testing.T) {
	var radii []string
	w := newWorld(t, map[string]http.HandlerFunc{overpass: func(out http.ResponseWriter, r *http.Request) {
		_, rest, _ := strings.Cut(r.PostFormValue("data"), "around:")
		radius, _, _ := strings.Cut(rest, ",")
		radii = append(radii, radius)
		elements := make([]map[string]any, 3)
		if radius == "5000" {
			elements = make([]map[string]any, elementLimit)
		}
		for i := range elements {
			elements[i] = map[string]any{"type": "node", "id": i, "lat": 0.01, "lon": 0, "tags": map[string]string{"name": fmt.Sprint("in ", radius)}}
		}
		_ = json.NewEncoder(out).Encode(map[string]any{"elements": elements})
	}})
	got, err := w.call("places_nearby_search", `{"lat": 0, "lng": 0, "type": "cafe"}`)
	if err != nil || !strings.Contains(got, "1. in 1250") || strings.Join(radii, " ") != "5000 1250" {
		t.Errorf("asked about %v: %s, %v", radii, got, err)
	}
}

func TestSearchFaults(t *testing.T) {
	for host, call := range map[string][2]string{
		nominatim: {"places_text_search", `{"query": "x"}`},
		overpass:  {"places_nearby_search", `{"lat": 1, "lng": 2, "type": "cafe"}`},
	} {
		toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
			w := newWorld(t, nil)
			w.service.finder.Client = client
			return w.call(call[0], call[1])
		})
	}
	w := newWorld(t, map[string]http.HandlerFunc{nominatim: toolstest.Status(200, "[]")})
	got, err := w.call("places_text_search", `{"query": "Xyzzy"}`)
	if err != nil || !strings.HasPrefix(got, `Nothing found for "Xyzzy". Try`) {
		t.Errorf("got %s, %v", got, err)
	}
	for args, want := range map[string]string{`{"query": " "}`: "the query is empty", `{"query": "x", "lat": 1}`: "latitude and longitude together", `{"query": "x", "location": "Nowhere"}`: "location: OpenStreetMap has no place"} {
		_, err := w.call("places_text_search", args)
		toolstest.CheckError(t, err, want)
	}
}
