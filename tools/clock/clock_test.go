package clock

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// call calls the clock at 13:50 UTC on 22 November 2026, in Stockholm.
func call(t *testing.T, services map[string]http.HandlerFunc, args string) (string, error) {
	t.Helper()
	stockholm, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 11, 22, 13, 50, 0, 0, time.UTC).In(stockholm) }
	service := New(toolstest.Client(t, services), persistence.Open(t.TempDir(), now), now)
	return toolstest.Call(t, service.Tools(), toolstest.Env(t), "clock", args)
}

func TestTheClockTellsTimesAndDates(t *testing.T) {
	for args, want := range map[string]string{
		`{}`:                                    "14:50 on Sunday, 22 November 2026 (UTC+01:00), week 47",
		`{"place":"Tokyo"}`:                     "Tokyo (Asia/Tokyo): 22:50 on Sunday, 22 November 2026 (UTC+09:00), week 47, 8 h ahead of here",
		`{"place":"tokio"}`:                     "tokio (Asia/Tokyo): 22:50 on",
		`{"place":"São Paulo"}`:                 "10:50 on Sunday, 22 November 2026 (UTC-03:00), week 47, 4 h behind here",
		`{"place":"New York"}`:                  "08:50 on",
		`{"place":"Paris, France"}`:             "Europe/Paris): 14:50",
		`{"city":"India"}`:                      "19:20 on Sunday, 22 November 2026 (UTC+05:30), week 47, 4 h 30 min ahead of here",
		`{"place":"America/St_Johns"}`:          "4 h 30 min behind here",
		`{"place":"Europe/Berlin"}`:             "14:50",
		`{"date":"2026-12-24"}`:                 "Thursday, 24 December 2026, week 52: in 32 days",
		`{"date":"24 December 2026"}`:           "Thursday, 24 December 2026",
		`{"date":"December 24th"}`:              "Thursday, 24 December 2026",
		`{"date":"1st of August"}`:              "Sunday, 1 August 2027",
		`{"date":"24.12.2026"}`:                 "Thursday, 24 December 2026",
		`{"date":"yesterday"}`:                  "Saturday, 21 November 2026, week 47: yesterday",
		`{"date":"2026-11-22"}`:                 "today",
		`{"date":"1999-12-31"}`:                 "Friday, 31 December 1999, week 52: 9823 days ago",
		`{"date":"today","place":"Auckland"}`:   "Monday, 23 November 2026, week 48: today",
		`{"date":"tomorrow","place":"Bangkok"}`: "Monday, 23 November 2026, week 48: tomorrow",
	} {
		got, err := call(t, nil, args)
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v, want %q", args, got, err, want)
		}
	}
	_, err := call(t, nil, `{"date":"3/4"}`)
	toolstest.CheckError(t, err, "3 April or 4 March", "2026-12-24")
}

func TestAPlaceThatIsInNoListIsLookedUp(t *testing.T) {
	services := map[string]http.HandlerFunc{
		"nominatim.openstreetmap.org": toolstest.Status(200, `[{"lat": "68.35", "lon": "18.83", "display_name": "Abisko, Sweden"}]`),
		"api.open-meteo.com":          toolstest.Status(200, `{"utc_offset_seconds": 3600, "timezone": "Europe/Stockholm", "current": {}}`),
	}
	got, err := call(t, services, `{"place":"Abisko"}`)
	if want := "Abisko, Sweden (Europe/Stockholm): 14:50 on"; err != nil || !strings.HasPrefix(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	services["api.open-meteo.com"] = toolstest.Status(200, `{"utc_offset_seconds": 20700, "timezone": "No/Where", "current": {}}`)
	if got, err = call(t, services, `{"place":"Abisko"}`); err != nil || !strings.Contains(got, "19:35") {
		t.Errorf("%q, %v", got, err)
	}
	services["api.open-meteo.com"] = toolstest.Status(200, `{"timezone": "", "current": {}}`)
	_, err = call(t, services, `{"place":"Abisko"}`)
	toolstest.CheckError(t, err, "the time zone of", "Europe/Stockholm")
	services["nominatim.openstreetmap.org"] = toolstest.Status(200, `[]`)
	_, err = call(t, services, `{"place":"../../etc/passwd"}`)
	toolstest.CheckError(t, err, "find the time zone of ../../etc/passwd", "has no place")
}

// The system knows every zone of the list, and each name means one zone.
func TestTheListOfZones(t *testing.T) {
	seen := map[string]string{}
	for line := range strings.Lines(zonesText) {
		zone, places, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(zone, "#") {
			continue
		}
		if _, err := time.LoadLocation(zone); err != nil {
			t.Errorf("%s: %v", zone, err)
		}
		for place := range strings.SplitSeq(places, ",") {
			if other := seen[folded(place)]; other != "" {
				t.Errorf("%s is in %s and in %s", place, other, zone)
			}
			seen[folded(place)] = zone
		}
	}
	if len(seen) < 500 {
		t.Errorf("only %d names", len(seen))
	}
}
