package location

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	nominatim = "nominatim.openstreetmap.org"
	overpass  = "overpass-api.de"
	google    = "places.googleapis.com"
	network   = "ip-api.com"
)

// world is one process of Marvin with the services that it can reach; to ask another is
// a fault. No system bus and no program is there unless a test brings it.
type world struct {
	t       *testing.T
	service *Service
	env     tools.Env
}

func newWorld(t *testing.T, hosts map[string]http.HandlerFunc) *world {
	all := map[string]http.HandlerFunc{}
	for _, host := range []string{nominatim, overpass, google, network} {
		all[host] = toolstest.AnswerPaths(t, nil)
	}
	maps.Copy(all, hosts)
	home := persistence.Open(t.TempDir(), time.Now)
	env := toolstest.Env(t, "PATH=/nowhere", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere/bus")
	env.Profile = home.Profile("default").Dir
	return &world{t, New(toolstest.Client(t, all), home), env}
}

func (w *world) call(name, args string) (string, error) {
	w.t.Helper()
	return toolstest.Call(w.t, w.service.Tools(), w.env, name, args)
}

// login leaves the files that gcloud has after one.
func (w *world) login(settings string) {
	w.t.Helper()
	dir := filepath.Join(w.env.Home, ".config", "gcloud")
	for name, content := range map[string]string{"credentials.db": "SQLite format 3", "active_config": "work\n", "configurations/config_work": settings} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
}

// program puts a script on the PATH, which is what the calls of it are.
func (w *world) program(name, script string) {
	w.t.Helper()
	dir := w.t.TempDir()
	if err := disktest.WriteProgram(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.env.Environ = append(w.env.Environ, "PATH="+dir+":/usr/bin:/bin")
}

// As https://ip-api.com/docs/api:json.
const montreal = `{"status": "success", "country": "Canada", "regionName": "Quebec", "city": "Montr\u00e9al", "lat": 45.6085, "lon": 0, "timezone": "America/Toronto"}`

func TestWithoutALocationServiceTheNetworkIsAskedOnceAnHour(t *testing.T) {
	asked := 0
	w := newWorld(t, map[string]http.HandlerFunc{network: func(out http.ResponseWriter, r *http.Request) {
		asked++
		toolstest.Status(200, montreal)(out, r)
	}})
	now := w.env.Now()
	w.env.Now = func() time.Time { return now }
	for range 2 {
		got, err := w.call("get_my_location", ``)
		want := "Latitude: 45.6085\nLongitude: 0\nSource: network address (ip-api.com; approximate, and wrong behind a VPN)\nCity: Montréal\nRegion: Quebec\nCountry: Canada\nTimezone: America/Toronto"
		if err != nil || got != want {
			t.Errorf("got %s, %v", got, err)
		}
	}
	now = now.Add(59 * time.Minute)
	lat, lng, name, err := w.service.Coordinates(t.Context(), w.env)
	if asked != 1 || lat != 45.6085 || lng != 0 || name != "Montréal, Quebec, Canada" || err != nil {
		t.Errorf("asked %d times: %v %v %q, %v", asked, lat, lng, name, err)
	}
	now = now.Add(2 * time.Minute)
	if _, err := w.call("get_my_location", `{}`); err != nil || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

// The fallback is a look-up and never a point made up.
func TestAPositionThatIsNotKnownIsAnError(t *testing.T) {
	for body, want := range map[string]string{
		`{"status": "fail", "message": "private range"}`:   "cannot tell where this network is (private range)",
		`{"status": "success", "city": "Atlantis"}`:        "no coordinates",
		`{"status": "success", "lat": 451, "lon": -73.5}`:  "not a position",
		`{"status": "success", "lat": "x", "lon": "-73.5"`: "did not answer with the expected JSON",
	} {
		w := newWorld(t, map[string]http.HandlerFunc{network: toolstest.Status(200, body)})
		_, err := w.call("get_my_location", `{}`)
		toolstest.CheckError(t, err, want, "system's location service", "Ask the user to name a place")
	}
	toolstest.CheckFaults(t, network, func(client *http.Client) (string, error) {
		w := newWorld(t, nil)
		w.service.finder.Client = client
		return w.call("get_my_location", `{}`)
	})
}

func TestCoreLocation(t *testing.T) {
	for script, want := range map[string]string{
		`[ "$1" = -e ] && [ "${2#*CLLocationManager}" != "$2" ] && echo 59.86 17.64 65.0`: "",
		`echo "The operation couldn't be completed" >&2; exit 1`:                          "couldn't be completed",
		`echo hello`: `CoreLocation answered "hello"`,
	} {
		w := newWorld(t, nil)
		w.program("swift", script)
		found, err := locateByCoreLocation(t.Context(), w.env)
		if want != "" {
			toolstest.CheckError(t, err, want)
		} else if err != nil || found.String() != "59.86, 17.64" || found.accuracy != 65 {
			t.Errorf("%+v, %v", found, err)
		}
	}
	_, err := locateByCoreLocation(t.Context(), newWorld(t, nil).env)
	toolstest.CheckError(t, err, "needs swift")
}

func TestKindsAreWordsAndNothingElse(t *testing.T) {
	got, err := cleanKinds([]string{" Cafe,gas station ", "ice-cream_shop"})
	if err != nil || strings.Join(got, " ") != "cafe gas_station ice_cream_shop" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range [][]string{{`cafe"](1);node["a`}, {"café"}, {"a;b"}, {"a]"}, {""}, nil, strings.Split(strings.Repeat("a,", 11), ",")} {
		if got, err := cleanKinds(bad); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}
