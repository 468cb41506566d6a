package meteo

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"marvin/tools/internal/geo"
	"marvin/tools/internal/web"
)

// forecastURL is documented at https://open-meteo.com/en/docs and needs no key.
const forecastURL = "https://api.open-meteo.com/v1/forecast"

// Answer contains the current weather, an hourly forecast and a daily forecast. The units are °C,
// mm and km/h, or °F, inches and miles per hour if [Wanted.Imperial] is set. Times are local to the
// place.
type Answer struct {
	Timezone string  `json:"timezone"`
	Offset   *int    `json:"utc_offset_seconds"`
	Current  Current `json:"current"`
	Hourly   Hourly  `json:"hourly"`
	Daily    Daily   `json:"daily"`
}

// Current is the weather at the time of the request.
type Current struct {
	Time          string   `json:"time"`
	Temperature   *float64 `json:"temperature_2m"`
	Apparent      *float64 `json:"apparent_temperature"`
	Humidity      *float64 `json:"relative_humidity_2m"`
	Precipitation *float64 `json:"precipitation"`
	Snowfall      *float64 `json:"snowfall"` // cm
	Code          *int     `json:"weather_code"`
	Wind          *float64 `json:"wind_speed_10m"`
	WindFrom      *float64 `json:"wind_direction_10m"` // degrees
}

// Hourly is the forecast for each hour. Time has one entry per hour; the other lists can be
// shorter.
type Hourly struct {
	Time          []string   `json:"time"`
	Temperature   []*float64 `json:"temperature_2m"`
	Chance        []*float64 `json:"precipitation_probability"` // chance of rain or snow, in percent
	Precipitation []*float64 `json:"precipitation"`
	Code          []*int     `json:"weather_code"`
	Wind          []*float64 `json:"wind_speed_10m"`
}

// Daily is the forecast for each day. Time has one entry per day; the other lists can be shorter.
type Daily struct {
	Time          []string   `json:"time"`
	Code          []*int     `json:"weather_code"`
	High          []*float64 `json:"temperature_2m_max"`
	Low           []*float64 `json:"temperature_2m_min"`
	Precipitation []*float64 `json:"precipitation_sum"`
	Chance        []*float64 `json:"precipitation_probability_max"` // in percent
	Sunrise       []*string  `json:"sunrise"`
	Sunset        []*string  `json:"sunset"`
	Wind          []*float64 `json:"wind_speed_10m_max"`
}

// Wanted describes the requested forecast.
type Wanted struct {
	Days     int  // including today
	Hours    int  // number of hourly values, including the current hour; 0 means no hourly forecast
	Imperial bool // °F, miles per hour and inches
}

// Forecast requests the current weather and a forecast.
func Forecast(ctx context.Context, client *http.Client, point geo.Point, wanted Wanted) (Answer, error) {
	query := url.Values{
		"current":       {"temperature_2m,relative_humidity_2m,apparent_temperature,precipitation,weather_code,wind_speed_10m,wind_direction_10m"},
		"daily":         {"weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max,sunrise,sunset,wind_speed_10m_max"},
		"forecast_days": {strconv.Itoa(wanted.Days)},
	}
	if wanted.Hours > 0 {
		query.Set("hourly", "temperature_2m,precipitation_probability,precipitation,weather_code,wind_speed_10m")
		query.Set("forecast_hours", strconv.Itoa(wanted.Hours))
	}
	if wanted.Imperial {
		query.Set("temperature_unit", "fahrenheit")
		query.Set("wind_speed_unit", "mph")
		query.Set("precipitation_unit", "inch")
	}
	return ask(ctx, client, point, query)
}

// CurrentWeather requests only the current values that matter for traffic. The answer includes the
// time zone.
func CurrentWeather(ctx context.Context, client *http.Client, point geo.Point) (Answer, error) {
	return ask(ctx, client, point, url.Values{
		"current":       {"temperature_2m,precipitation,snowfall,weather_code,wind_speed_10m"},
		"forecast_days": {"1"},
	})
}

func ask(ctx context.Context, client *http.Client, point geo.Point, query url.Values) (Answer, error) {
	query.Set("latitude", geo.Query(point.Lat))
	query.Set("longitude", geo.Query(point.Lng))
	query.Set("timezone", "auto")
	var answer Answer
	if err := web.GetJSON(ctx, client, forecastURL+"?"+query.Encode(), 256<<10, &answer); err != nil {
		return Answer{}, fmt.Errorf("ask for the weather: %w", err)
	}
	return answer, nil
}

// Local converts a time to the time zone of the forecast. If the UTC offset is unknown, the result
// is in UTC and ok is false.
func (a Answer) Local(now time.Time) (local time.Time, ok bool) {
	if a.Offset == nil {
		return now.UTC(), false
	}
	return now.In(time.FixedZone(a.Timezone, *a.Offset)), true
}
