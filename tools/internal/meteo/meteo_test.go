package meteo_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools/internal/geo"
	"marvin/tools/internal/meteo"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const host = "api.open-meteo.com"

// The form is that of https://open-meteo.com/en/docs; any value may be null or missing.
const sparse = `{"utc_offset_seconds": -12600, "timezone": "America/St_Johns", "elevation": 19.5,
	"current": {"time": "2026-11-21T09:15", "temperature_2m": -1.5, "precipitation": null, "weather_code": 0, "wind_direction_10m": 0},
	"daily": {"time": ["2026-11-21", "2026-11-22"], "weather_code": [73, null], "temperature_2m_max": [0.5], "sunset": [null, "2026-11-22T16:20"]}}`

func TestRequestedFieldsAreRead(t *testing.T) {
	var asked url.Values
	client := toolstest.Client(t, map[string]http.HandlerFunc{host: func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query()
		_, _ = io.WriteString(w, sparse)
	}})
	answer, err := meteo.Forecast(t.Context(), client, geo.Point{Lat: 47.56, Lng: -52.71}, meteo.Wanted{Days: 3, Hours: 6, Imperial: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"latitude": "47.560000", "longitude": "-52.710000", "timezone": "auto", "forecast_days": "3", "forecast_hours": "6",
		"temperature_unit": "fahrenheit", "wind_speed_unit": "mph", "precipitation_unit": "inch",
	} {
		if asked.Get(name) != want {
			t.Errorf("%s is %q, not %q", name, asked.Get(name), want)
		}
	}
	for list, of := range map[string]reflect.Type{"current": reflect.TypeFor[meteo.Current](), "daily": reflect.TypeFor[meteo.Daily](), "hourly": reflect.TypeFor[meteo.Hourly]()} {
		for i := range of.NumField() {
			name := of.Field(i).Tag.Get("json")
			wanted := name != "time" && name != "snowfall" // time is always included, and Now requests snowfall
			if slices.Contains(strings.Split(asked.Get(list), ","), name) != wanted {
				t.Errorf("%s is read, and %s asks for %s", name, list, asked.Get(list))
			}
		}
	}
	now, days := answer.Current, answer.Daily
	if *now.Temperature != -1.5 || *now.Code != 0 || *now.WindFrom != 0 || now.Precipitation != nil || now.Humidity != nil || now.Wind != nil {
		t.Errorf("zero and unknown are reported apart badly: %+v", now)
	}
	if len(days.Time) != 2 || *days.Code[0] != 73 || days.Code[1] != nil || len(days.High) != 1 || days.Sunset[0] != nil || *days.Sunset[1] != "2026-11-22T16:20" || days.Low != nil {
		t.Errorf("the days are %+v", days)
	}
	if _, err := meteo.CurrentWeather(t.Context(), client, geo.Point{}); err != nil || asked.Get("forecast_days") != "1" || asked.Has("daily") || asked.Get("latitude") != "0.000000" {
		t.Errorf("of now it asks %v, %v", asked, err)
	}
}

func TestFaultsOfTheServiceSayWhatToDo(t *testing.T) {
	toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
		answer, err := meteo.Forecast(t.Context(), client, geo.Point{Lat: 1, Lng: 2}, meteo.Wanted{Days: 1})
		return fmt.Sprintf("%+v", answer), err
	})
}

func TestTimesAreThoseOfThePlace(t *testing.T) {
	now, hours := time.Date(2026, 11, 21, 1, 30, 0, 0, time.UTC), -12600
	for _, one := range []struct {
		answer meteo.Answer
		want   string
		known  bool
	}{
		{meteo.Answer{Timezone: "America/St_Johns", Offset: &hours}, "2026-11-20 22:00 America/St_Johns", true},
		{meteo.Answer{Timezone: "America/St_Johns"}, "2026-11-21 01:30 UTC", false},
		{meteo.Answer{Offset: new(int)}, "2026-11-21 01:30 ", true},
	} {
		local, known := one.answer.Local(now)
		if zone, _ := local.Zone(); local.Format("2006-01-02 15:04 ")+zone != one.want || known != one.known || !local.Equal(now) {
			t.Errorf("%+v: %s, %v", one.answer, local, known)
		}
	}
}

func TestCodesAndDirectionsInWords(t *testing.T) {
	if got := meteo.Condition(nil); got != "unknown" {
		t.Errorf("no code is %q", got)
	}
	for code, want := range map[int]string{0: "clear sky", 48: "fog with rime", 66: "light freezing rain", 82: "violent rain showers", 99: "thunderstorm with heavy hail", 42: "weather code 42", -1: "weather code -1"} {
		if got := meteo.Condition(&code); got != want {
			t.Errorf("%d is %q", code, got)
		}
	}
	for degrees, want := range map[float64]string{0: "N", 22.4: "N", 22.5: "NE", 90: "E", 135: "SE", 180: "S", 225: "SW", 292.4: "W", 292.5: "NW", 337.5: "N", 360: "N", -10: "N"} {
		if got := meteo.Compass(degrees); got != want {
			t.Errorf("%.1f° is %s", degrees, got)
		}
	}
}
