package travel

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	cars      = "router.project-osrm.org"
	others    = "routing.openstreetmap.de"
	openMeteo = "api.open-meteo.com"
)

// The reply has the format of
// https://github.com/Project-OSRM/osrm-backend/blob/master/docs/http.md.
const plainRoute = `{"code": "Ok", "waypoints": [{"name": "A", "location": [2, 1]}, {"name": "B", "location": [4, 3]}], "routes": [
	{"distance": 12345.6, "duration": 3930.4, "weight": 3930.4, "weight_name": "routability", "legs": [{"distance": 12345.6, "duration": 3930.4, "summary": "", "steps": []}]}]}`

// services serves the replies; asked collects the requests. A canceled request may still be running
// when the next request arrives.
type services struct {
	t     *testing.T
	hosts map[string]http.HandlerFunc
	mu    sync.Mutex
	asked []string
	env   tools.Env
}

func newServices(t *testing.T, hosts map[string]http.HandlerFunc) *services {
	s := &services{t: t, hosts: map[string]http.HandlerFunc{}, env: toolstest.Env(t)}
	for host, handler := range hosts {
		s.hosts[host] = func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			s.asked = append(s.asked, host+r.URL.Path)
			s.mu.Unlock()
			handler(w, r)
		}
	}
	return s
}

func (s *services) call(name, args string) (string, error) {
	s.t.Helper()
	home := persistence.Open(s.t.TempDir(), time.Now)
	lat, lng := 1.0, 2.0
	if _, _, err := personal.SavePlace(home.Profile("default"), "home", personal.PlaceChange{Lat: &lat, Lng: &lng}); err != nil {
		s.t.Fatal(err)
	}
	s.env.Profile = home.Profile("default").Dir
	return toolstest.Call(s.t, New(toolstest.Client(s.t, s.hosts), home).Tools(), s.env, name, args)
}

func TestTravelTime(t *testing.T) {
	s := newServices(t, map[string]http.HandlerFunc{cars: toolstest.Status(200, plainRoute)})
	got, err := s.call("estimate_travel_time", `{"origin": "Home", "dest": "3,4"}`)
	want := "Driving, free-flow (without traffic)\nFrom: home (1, 2)\nTo: 3, 4\nDistance: 12.3 km (7.7 mi)\nDuration: 1h 6m"
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}

// The server of the OSRM project supports only cars, and OSRM expects the longitude before the
// latitude.
func TestEachModeHasItsServerAndLongitudeComesFirst(t *testing.T) {
	for args, want := range map[string]string{
		`{"origin": "1,2", "destination": "3,4"}`:                                                       cars + "/route/v1/driving/2.000000,1.000000;4.000000,3.000000",
		`{"origin": "1,2", "destination": "3,4", "mode": "Bike"}`:                                       others + "/routed-bike/route/v1/driving/2.000000,1.000000;4.000000,3.000000",
		`{"origin": "1,2", "destination": "3,4", "mode": "foot"}`:                                       others + "/routed-foot/route/v1/driving/2.000000,1.000000;4.000000,3.000000",
		`{"origin_lat": 0, "origin_lng": "0", "dest_lat": 3, "dest_lng": -4.5, "mode": "walking"}`:      others + "/routed-foot/route/v1/driving/0.000000,0.000000;-4.500000,3.000000",
		`{"origin": "1,2", "destination_lat": 3, "destination_lng": 4, "dest_lat": 5, "dest_lng": 6.5}`: cars + "/route/v1/driving/2.000000,1.000000;6.500000,5.000000",
	} {
		s := newServices(t, map[string]http.HandlerFunc{cars: toolstest.Status(200, plainRoute), others: toolstest.Status(200, plainRoute)})
		if _, err := s.call("estimate_travel_time", args); err != nil || strings.Join(s.asked, ",") != want {
			t.Errorf("%s: asked %q, %v", args, s.asked, err)
		}
	}
}

func TestNoRouteIsReported(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"as OSRM does":    toolstest.Status(400, `{"code": "NoRoute", "message": "Impossible route between points"}`),
		"with a 200":      toolstest.Status(200, `{"code": "NoRoute", "message": "Impossible route between points"}`),
		"an empty answer": toolstest.Status(200, `{"code": "Ok (Impossible route)", "routes": []}`),
	} {
		s := newServices(t, map[string]http.HandlerFunc{cars: handler})
		_, err := s.call("estimate_travel_time", `{"origin": "1,2", "destination": "3,4"}`)
		if err == nil || !strings.Contains(err.Error(), "there is no driving route") || !strings.Contains(err.Error(), "Impossible route") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, tool := range []string{"estimate_travel_time", "get_directions", "estimate_traffic_adjusted_time"} {
		toolstest.CheckFaults(t, cars, func(client *http.Client) (string, error) {
			home := persistence.Open(t.TempDir(), time.Now)
			return toolstest.Call(t, New(client, home).Tools(), toolstest.Env(t), tool, `{"origin": "1,2", "destination": "3,4"}`)
		})
	}
}

const turns = `{"code": "Ok", "routes": [{"distance": 2500, "duration": 600, "legs": [
	{"steps": [
		{"distance": 152.3, "duration": 15.6, "name": "Lortzingstraße", "mode": "driving", "maneuver": {"type": "depart", "modifier": "left", "location": [2, 1]}, "intersections": []},
		{"distance": 0, "duration": 0, "name": "Nowhere", "maneuver": {"type": "turn", "modifier": "left"}},
		{"distance": 1000, "duration": 120, "name": "Ring\nroad", "ref": "B 96", "maneuver": {"type": "roundabout", "modifier": "right", "exit": 3}},
		{"distance": 20, "duration": 3, "name": "", "maneuver": {"type": "exit roundabout", "modifier": "right"}},
		{"distance": 0, "duration": 0, "name": "Ringroad", "maneuver": {"type": "arrive", "modifier": "right"}}]},
	{"steps": [
		{"distance": 0, "duration": 0, "name": "Ringroad", "maneuver": {"type": "depart"}},
		{"distance": 900, "duration": 90, "name": "A 10", "maneuver": {"type": "on ramp", "modifier": "slight right"}},
		{"distance": 10, "duration": 9, "name": "", "maneuver": {"type": "brand new", "modifier": "uturn"}},
		{"distance": 0, "duration": 0, "name": "Goal", "maneuver": {"type": "arrive", "modifier": "sharp left"}}]}]}]}`

func TestDirections(t *testing.T) {
	s := newServices(t, map[string]http.HandlerFunc{cars: func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("steps") != "true" || r.FormValue("overview") != "false" || r.FormValue("geometries") != "" {
			t.Errorf("asked for %s", r.URL.RawQuery)
		}
		_, _ = io.WriteString(w, turns)
	}})
	got, err := s.call("get_directions", `{"origin": "home", "destination": "3,4", "via": "5,6"}`)
	want := `Driving, free-flow (without traffic)
From: home (1, 2)
To: 3, 4
Via 1: 5, 6
Distance: 2.5 km (1.6 mi)
Duration: 10 min

1. Depart — Lortzingstraße (152 m, less than 1 min)
2. At the roundabout take exit 3 — Ring road (B 96) (1.0 km, 2 min)
3. Leave the roundabout (20 m, less than 1 min)
4. Arrive at waypoint 1 — Ringroad
5. Depart — Ringroad (0 m, less than 1 min)
6. Take the ramp slight right — A 10 (900 m, 2 min)
7. Make a U-turn (10 m, less than 1 min)
8. Arrive (on the left) — Goal`
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestWaypointsAreAListOrOneText(t *testing.T) {
	const want = cars + "/route/v1/driving/2.000000,1.000000;6.000000,5.000000;8.000000,7.000000;4.000000,3.000000"
	for _, waypoints := range []string{`"5,6;7,8"`, `"5,6; 7,8;"`, `["5,6", "7,8"]`, `"[\"5,6\", \"7,8\"]"`} {
		s := newServices(t, map[string]http.HandlerFunc{cars: toolstest.Status(200, turns)})
		_, err := s.call("get_directions", `{"origin": "1,2", "destination": "3,4", "waypoints": `+waypoints+`}`)
		if err != nil || strings.Join(s.asked, " ") != want {
			t.Errorf("%s: asked %q, %v", waypoints, s.asked, err)
		}
	}
	s := newServices(t, nil)
	_, err := s.call("get_directions", `{"origin": "1,2", "destination": "3,4", "waypoints": "`+strings.Repeat("5,6;", 9)+`"}`)
	toolstest.CheckError(t, err, "more than 8 waypoints")
	_, err = s.call("get_directions", `{"origin": "1,2", "destination": "3,4", "waypoints": "5,6;99,7"}`)
	toolstest.CheckError(t, err, "waypoint 2", "not a position")
}

func TestAVeryLongRouteIsShortened(t *testing.T) {
	steps := make([]step, 500)
	for i := range steps {
		steps[i] = step{Distance: 1, Maneuver: maneuver{Type: "turn", Modifier: "left"}}
	}
	steps[499] = step{Maneuver: maneuver{Type: "arrive"}}
	lines := instructions([]leg{{steps}})
	if len(lines) != maxSteps+1 || lines[maxSteps-1] != "… 300 steps left out …" || lines[maxSteps] != "500. Arrive" {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-2:])
	}
}

func TestEveryManoeuvreHasWords(t *testing.T) {
	for kind, want := range map[string]string{
		"turn": "Turn left", "new name": "Continue; the road changes its name", "depart": "Depart", "arrive": "Arrive (on the left)",
		"merge": "Merge left", "on ramp": "Take the ramp left", "off ramp": "Take the exit left", "fork": "Keep at the fork left",
		"end of road": "At the end of the road, turn left", "continue": "Continue left", "roundabout": "Enter the roundabout",
		"roundabout turn": "At the roundabout turn left", "exit roundabout": "Leave the roundabout", "rotary": "Enter the roundabout",
		"exit rotary": "Leave the roundabout", "notification": "Go on left", "use lane": "Turn left",
	} {
		if got := action(maneuver{Type: kind, Modifier: "left"}); got != want {
			t.Errorf("%s: %q", kind, got)
		}
	}
	if got := action(maneuver{Type: "turn", Modifier: "straight"}); got != "Go straight" {
		t.Error(got)
	}
}

// weatherAt serves Open-Meteo: rain and a storm half way, and a time zone at the destination.
func weatherAt(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("latitude") == "2.000000" { // half way
		_, _ = io.WriteString(w, `{"utc_offset_seconds": 0, "timezone": "GMT", "current": {"time": "2026-11-21T12:00", "weather_code": 63, "snowfall": 0.0, "wind_speed_10m": 72.4}}`)
		return
	}
	_, _ = io.WriteString(w, `{"utc_offset_seconds": 19800, "timezone": "Asia/Kolkata", "current": {"time": "2026-11-21T17:30", "weather_code": 0, "snowfall": 0.0, "wind_speed_10m": 1}}`)
}

func TestTrafficAdjustedTime(t *testing.T) {
	s := newServices(t, map[string]http.HandlerFunc{cars: toolstest.Status(200, plainRoute), openMeteo: weatherAt})
	got, err := s.call("estimate_traffic_adjusted_time", `{"origin": "1,2", "dest": "3,4"}`) // at 12:00 UTC
	want := `Driving
From: 1, 2
To: 3, 4
Distance: 12.3 km (7.7 mi)
Duration without traffic: 1h 6m
Local time: Sat 17:30 at the destination
Weather halfway: rain, wind 72 km/h

Factors:
  ×1.10 weekend, 11:00 to 18:00
  ×1.20 rain
  +0.10 storm (wind above 60 km/h)
Combined: ×1.43

Adjusted duration: 1h 34m
This is a rough estimate from the weekday, hour and weather; it uses no live traffic data and ignores holidays.`
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestWeatherThatFailsDoesNotFailTheTrip(t *testing.T) {
	for _, handler := range []http.HandlerFunc{toolstest.Status(503, ""), toolstest.Status(200, "<html>"), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }} {
		s := newServices(t, map[string]http.HandlerFunc{cars: toolstest.Status(200, plainRoute), openMeteo: handler})
		got, err := s.call("estimate_traffic_adjusted_time", `{"origin": "1,2", "destination": "3,4"}`)
		if err != nil {
			t.Fatal(err)
		}
		toolstest.CheckParts(t, got, "Local time: Sat 12:00 UTC (the time zone of that place is unknown", "Weather halfway: not known (", "×1.00 the local hour is unknown", "×1.00 weather not known", "Adjusted duration: 1h 6m")
	}
}
