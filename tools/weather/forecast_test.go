package weather

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	openMeteo = "api.open-meteo.com"
	nominatim = "nominatim.openstreetmap.org"
)

// The reply has the format of https://open-meteo.com/en/docs. null means that a value is unknown;
// north of the polar circle there is no sunset in summer.
const uppsala = `{"latitude": 59.85, "longitude": 17.63, "generationtime_ms": 0.1, "utc_offset_seconds": 3600, "timezone": "Europe/Stockholm",
	"timezone_abbreviation": "CET", "elevation": 19.0,
	"current_units": {"time": "iso8601", "interval": "seconds", "temperature_2m": "°C"},
	"current": {"time": "2026-11-21T13:15", "interval": 900, "temperature_2m": -1.25, "relative_humidity_2m": 90, "apparent_temperature": -5.0,
		"precipitation": 0.0, "weather_code": 66, "wind_speed_10m": 14.8, "wind_direction_10m": 350},
	"daily": {"time": ["2026-11-21", "2026-11-22", "2026-11-23"], "weather_code": [73, null, 42],
		"temperature_2m_max": [0.4, null], "temperature_2m_min": [-3.1, -4.0, null], "precipitation_sum": [2.6, null, 0],
		"sunrise": ["2026-11-21T08:00", null, ""], "sunset": ["2026-11-21T15:07", null, "2026-11-23T15:03"], "wind_speed_10m_max": [22.5, null, 9]}}`

type world struct {
	asked   []string
	client  *http.Client
	home    *persistence.Home
	hereErr error
}

func newWorld(t *testing.T) *world {
	w := &world{home: persistence.Open(t.TempDir(), time.Now)}
	w.client = toolstest.Client(t, map[string]http.HandlerFunc{
		nominatim: toolstest.Status(200, `[{"lat": "59.8586", "lon": "17.6387", "display_name": "Uppsala, Sweden"}]`),
		openMeteo: func(answer http.ResponseWriter, r *http.Request) {
			w.asked = append(w.asked, strings.Join([]string{r.FormValue("latitude"), r.FormValue("longitude"), r.FormValue("forecast_days"), r.FormValue("timezone")}, " "))
			_, _ = io.WriteString(answer, uppsala)
		},
	})
	return w
}

func (w *world) call(t *testing.T, args string) (string, error) {
	t.Helper()
	here := func(context.Context, tools.Env) (lat, lng float64, name string, err error) {
		return 1, 2, "Home Town", w.hereErr
	}
	return toolstest.Call(t, New(w.client, w.home, here).Tools(), toolstest.Env(t), "weather_forecast", args)
}

func TestForecast(t *testing.T) {
	got, err := newWorld(t).call(t, `{"city": "Uppsala"}`)
	want := `Weather: Uppsala, Sweden (59.8586, 17.6387)

Now 13:15 Europe/Stockholm: light freezing rain
  Temperature: -1.2 °C, feels like -5.0 °C
  Humidity: 90%
  Wind: 15 km/h from N
  Precipitation: 0.0 mm

Sat 2026-11-21: snow
  high 0.4 °C, low -3.1 °C, precipitation 2.6 mm, wind up to 22 km/h
  sunrise 08:00, sunset 15:07

Sun 2026-11-22: unknown
  low -4.0 °C

Mon 2026-11-23: weather code 42
  precipitation 0.0 mm, wind up to 9 km/h
  sunset 15:03`
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestRainByTheHourInEitherUnits(t *testing.T) {
	const boston = `{"timezone": "America/New_York", "current": {"time": "2026-11-21T23:15", "temperature_2m": 50, "wind_speed_10m": 9.6, "precipitation": 0.012},
		"hourly": {"time": ["2026-11-21T23:00", "2026-11-22T00:00", "2026-11-22T01:00"], "temperature_2m": [49.6, null], "precipitation_probability": [80, 35, 0],
			"precipitation": [0.012, null, 0], "weather_code": [61, 3], "wind_speed_10m": [9.6]},
		"daily": {"time": ["2026-11-21"], "temperature_2m_max": [55.4], "precipitation_sum": [0.31], "precipitation_probability_max": [80]}}`
	var asked []string
	w := newWorld(t)
	w.client = toolstest.Client(t, map[string]http.HandlerFunc{openMeteo: func(answer http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.FormValue("temperature_unit")+" "+r.FormValue("forecast_hours"))
		_, _ = io.WriteString(answer, boston)
	}})
	got, err := w.call(t, `{"location": "1,2", "days": 1, "hours": 2, "units": "Fahrenheit"}`)
	want := `Weather: 1, 2

Now 23:15 America/New_York: unknown
  Temperature: 50.0 °F
  Wind: 10 mph
  Precipitation: 0.01 in

By the hour:
  23:00 light rain, 49.6 °F, precipitation 0.01 in, chance of it 80%, wind 10 mph
  2026-11-22:
  00:00 overcast, chance of it 35%

Sat 2026-11-21: unknown
  high 55.4 °F, precipitation 0.31 in, chance of it 80%`
	if err != nil || got != want || strings.Join(asked, ",") != "fahrenheit 2" {
		t.Errorf("asked for %q, got %s, %v", asked, got, err)
	}
	if _, err := w.call(t, `{"location": "1,2", "unit": "°C"}`); err != nil || asked[1] != " " {
		t.Errorf("asked for %q, %v", asked, err)
	}
}

func TestThePlaceMayBeGivenInThreeWays(t *testing.T) {
	for args, want := range map[string]string{
		`{"latitude": 0, "longitude": "0", "days": 0}`: "0.000000 0.000000 1 auto", // 0 is a valid coordinate; days are clamped
		`{"location": "1.5,2", "days": 99}`:            "1.500000 2.000000 7 auto",
		`{"location": "Uppsala", "days": 2}`:           "59.858600 17.638700 2 auto",
		`{}`:                                           "1.000000 2.000000 3 auto",
	} {
		w := newWorld(t)
		if _, err := w.call(t, args); err != nil || strings.Join(w.asked, ",") != want {
			t.Errorf("%s: asked for %q, %v", args, w.asked, err)
		}
	}
	w := newWorld(t)
	_, err := w.call(t, `{"latitude": 1}`)
	toolstest.CheckError(t, err, "latitude and longitude together")
	w.hereErr = errors.New("nobody knows")
	_, err = w.call(t, `{}`)
	toolstest.CheckError(t, err, "nobody knows", "Give a location")
}

func TestForecastFaults(t *testing.T) {
	ask := func(client *http.Client) (string, error) {
		w := &world{client: client, home: persistence.Open(t.TempDir(), time.Now)}
		return w.call(t, `{"location": "1,2"}`)
	}
	toolstest.CheckFaults(t, openMeteo, ask)
	// The error is quoted at https://rdrr.io/cran/openmeteo.
	_, err := ask(toolstest.Client(t, map[string]http.HandlerFunc{openMeteo: toolstest.Status(400, `{"error":true,"reason":"Cannot initialize from String"}`)}))
	toolstest.CheckError(t, err, "(Cannot initialize from String)", "check the request")
	text, err := ask(toolstest.Client(t, map[string]http.HandlerFunc{openMeteo: toolstest.Status(200, `{}`)}))
	if err != nil || text != "Weather: 1, 2\n\nNow: unknown" {
		t.Errorf("an empty answer: %q, %v", text, err)
	}
}
