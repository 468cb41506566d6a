package geo

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const nominatim = "nominatim.openstreetmap.org"

// The form is that of https://nominatim.org/release-docs/latest/api/Output/ (jsonv2: category
// instead of class, coordinates as strings).
const london = `[{"place_id": 100149, "licence": "Data © OpenStreetMap contributors, ODbL 1.0. https://osm.org/copyright",
	"osm_type": "node", "osm_id": 107775, "boundingbox": ["51.3473219", "51.6673219", "-0.2876474", "0.0323526"],
	"lat": "51.5073219", "lon": "-0.1276474", "category": "place", "type": "city", "place_rank": 16, "importance": 0.9654895765402,
	"addresstype": "city", "name": "London", "display_name": "London, Greater London, England, SW1A 2DU, United Kingdom",
	"address": {"city": "London", "country_code": "gb"}, "extratags": {"website": "http://www.london.gov.uk", "population": "8416535"}}]`

func newFinder(t *testing.T, handler http.HandlerFunc) (Finder, tools.Env) {
	home := persistence.Open(t.TempDir(), time.Now)
	env := toolstest.Env(t)
	env.Profile = home.Profile("default").Dir
	return Finder{toolstest.Client(t, map[string]http.HandlerFunc{nominatim: handler}), home}, env
}

func TestPlacesAreFoundAsCoordinatesThenLabelsThenWords(t *testing.T) {
	var asked []string
	finder, env := newFinder(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.FormValue("q"))
		if !strings.HasPrefix(r.UserAgent(), "Marvin/") {
			t.Errorf("Nominatim turns %q away", r.UserAgent())
		}
		_, _ = io.WriteString(w, london)
	})
	zero, address := 0.0, "10 Downing St"
	for label, change := range map[string]personal.PlaceChange{"buoy": {Lat: &zero, Lng: &zero}, "office": {Address: &address}, "note": {}} {
		if _, _, err := personal.SavePlace(finder.Home.Profile("default"), label, change); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ text, want, asked string }{
		{"1.5, 2", "1.5, 2", ""},
		{" BUOY", "buoy (0, 0)", ""}, // 0 is a valid coordinate
		{"office", "London, Greater London, England, SW1A 2DU, United Kingdom (51.507322, -0.127647)", "10 Downing St"},
		{"note", "London, Greater London, England, SW1A 2DU, United Kingdom (51.507322, -0.127647)", "note"},
		{"London", "London, Greater London, England, SW1A 2DU, United Kingdom (51.507322, -0.127647)", "London"},
	} {
		asked = nil
		found, err := finder.Find(t.Context(), env, test.text)
		if got := strings.Join(asked, ","); err != nil || found.Title() != test.want || got != test.asked {
			t.Errorf("%q: %s, asked for %q, %v", test.text, found.Title(), got, err)
		}
	}
}

func TestUnknownPlaceIsExplained(t *testing.T) {
	finder, env := newFinder(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "[]") })
	for text, want := range map[string]string{
		"": "the place is empty", "My Location": "get_my_location", "200,7": "swapped", "Xyzzy": `has no place called "Xyzzy"`,
	} {
		_, err := finder.Find(t.Context(), env, text)
		toolstest.CheckError(t, err, want)
	}
}

func TestNominatimFaults(t *testing.T) {
	toolstest.CheckFaults(t, nominatim, func(client *http.Client) (string, error) {
		places, err := Search{Query: "x", Limit: 1}.Do(t.Context(), client)
		return strings.Repeat("x", len(places)), err
	})
}

func TestASearchStaysInItsBox(t *testing.T) {
	var asked *http.Request
	client := toolstest.Client(t, map[string]http.HandlerFunc{nominatim: func(w http.ResponseWriter, r *http.Request) {
		asked = r
		_, _ = io.WriteString(w, `[{"lat": "north", "lon": "1"}, {"lat": "1", "lon": "2", "display_name": "A, B"}, {"lat": "3", "lon": "4"}]`)
	}})
	places, err := Search{Query: "a&b=c", Limit: 2, Center: &Point{10, 20}, Radius: 1000}.Do(t.Context(), client)
	if err != nil || len(places) != 1 || places[0].Name != "A" || places[0].URL != "" {
		t.Errorf("%+v, %v", places, err)
	}
	for name, want := range map[string]string{
		"q": "a&b=c", "format": "jsonv2", "limit": "2", "bounded": "1", "viewbox": "19.990868,10.008993,20.009132,9.991007",
	} {
		if got := asked.FormValue(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

const overpass = "overpass-api.de"

// The page has the form in https://github.com/teambtcmap/btcmap-data/issues/1; parse errors look
// alike.
const overpassPage = `<?xml version="1.0" encoding="UTF-8"?>
<html><head><title>OSM3S Response</title></head>
<body>
<p>The data included in this document is from www.openstreetmap.org. The data is made available under ODbL.</p>
<p><strong style="color:#FF0000">Error</strong>: %s </p>
</body>
</html>`

func TestOverpassAnswers(t *testing.T) {
	client := toolstest.Client(t, map[string]http.HandlerFunc{overpass: func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.PostFormValue("data") != `node["a"="ü&b"];` {
			t.Errorf("%s %q", r.Method, r.PostFormValue("data"))
		}
		_, _ = io.WriteString(w, `{"version": 0.6, "generator": "Overpass API 0.7.62", "osm3s": {"timestamp_osm_base": "2026-11-21T12:00:00Z"}, "elements": [
			{"type": "node", "id": 1, "lat": 0, "lon": 0, "tags": {"name": "A"}},
			{"type": "way", "id": 2, "center": {"lat": 1.5, "lon": 2.5}, "nodes": [1, 2]},
			{"type": "relation", "id": 3}]}`)
	}})
	elements, err := Overpass(t.Context(), client, `node["a"="ü&b"];`)
	if err != nil || len(elements) != 3 {
		t.Fatalf("%+v, %v", elements, err)
	}
	if point, ok := elements[0].Point(); !ok || point != (Point{}) {
		t.Errorf("node at %v, %v", point, ok)
	}
	if point, ok := elements[1].Point(); !ok || point != (Point{1.5, 2.5}) {
		t.Errorf("way at %v, %v", point, ok)
	}
	if _, ok := elements[2].Point(); ok {
		t.Error("a relation without a center has a position")
	}
}

func TestOverpassFailsInManyClothes(t *testing.T) {
	page := func(said string) string { return strings.Replace(overpassPage, "%s", said, 1) }
	for name, test := range map[string]struct {
		status     int
		body, want string
	}{
		"parse error": {400, page(`line 1: parse error: Unknown type &quot;nod&quot; <b>x</b>`), `line 1: parse error: Unknown type "nod" x`},
		"busy page":   {200, page("runtime error: open64: 0 Success /osm3s Dispatcher_Client::request_read_and_idx::timeout."), "could not answer: runtime error"},
		"empty page":  {200, "<html></html>", "the server gave no reason"},
		"pause":       {429, page("too many"), "at least 30 seconds"},
		"too slow":    {504, page("x"), "smaller area"},
		"remark":      {200, `{"elements": [], "remark": "runtime error: Query timed out in \"query\" at line 1 after 26 seconds."}`, "Query timed out"},
		"CSV":         {200, "id\tname\n", "[out:json]"},
	} {
		t.Run(name, func(t *testing.T) {
			client := toolstest.Client(t, map[string]http.HandlerFunc{overpass: toolstest.Status(test.status, test.body)})
			_, err := Overpass(t.Context(), client, "node(1);out;")
			toolstest.CheckError(t, err, test.want)
		})
	}
	toolstest.CheckFaults(t, overpass, func(client *http.Client) (string, error) {
		elements, err := Overpass(t.Context(), client, "node(1);out;")
		return strings.Repeat("x", len(elements)), err
	})
}
