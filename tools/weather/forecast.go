package weather

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/meteo"
	"marvin/tools/internal/show"
)

// Here says where the user is, for a forecast without a place.
type Here func(context.Context, tools.Env) (lat, lng float64, name string, err error)

// Service holds what a forecast needs.
type Service struct {
	finder geo.Finder
	here   Here
}

// New makes the service. Home has the saved places.
func New(client *http.Client, home *persistence.Home, here Here) Service {
	return Service{geo.Finder{Client: client, Home: home}, here}
}

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.forecastTool()} }

type forecastArgs struct {
	Location  string   `json:"location" doc:"City, address, saved place or lat,lng" default:"" alias:"place,city,query" example:"Uppsala"`
	Latitude  *float64 `json:"latitude,omitempty" doc:"Instead of location" alias:"lat"`
	Longitude *float64 `json:"longitude,omitempty" doc:"With latitude" alias:"lng,lon"`
	Days      int      `json:"days" doc:"Days, with today" default:"3" min:"1" max:"7" alias:"forecast_days"`
}

func (s Service) forecastTool() tools.Tool {
	return tools.New(tools.Def[forecastArgs]{
		Name: "weather_forecast", Chat: true,
		Doc: "Weather now and daily forecast. Without a place: where the user is.",
		Examples: []string{
			"what is the weather in {Uppsala|location}",
			"weather forecast for {Uppsala|location} for {5|days} days",
			"will it rain in {Uppsala|location}",
			"how is the weather",
		},
		Pool: tools.Net, Service: "api.open-meteo.com, nominatim.openstreetmap.org, ip-api.com", State: "saved places",
		Timeout: 45 * time.Second,
		Run:     s.forecast,
	})
}

func (s Service) forecast(ctx context.Context, env tools.Env, in forecastArgs) (tools.Output, error) {
	place, err := s.place(ctx, env, in)
	if err != nil {
		return tools.Output{}, err
	}
	answer, err := meteo.Forecast(ctx, s.finder.Client, place.Point, in.Days)
	if err != nil {
		return tools.Output{}, err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Weather: %s\n\n%s", place.Title(), now(answer))
	for i := range answer.Daily.Time[:min(len(answer.Daily.Time), in.Days)] {
		text.WriteString("\n\n" + day(answer.Daily, i))
	}
	return tools.Output{Text: text.String()}, nil
}

func (s Service) place(ctx context.Context, env tools.Env, in forecastArgs) (geo.Found, error) {
	point, err := geo.OptionalPoint(in.Latitude, in.Longitude)
	switch {
	case err != nil:
		return geo.Found{}, err
	case point != nil:
		return geo.Found{Point: *point, Name: show.Line(in.Location, 100)}, nil
	case strings.TrimSpace(in.Location) != "":
		return s.finder.Find(ctx, env, in.Location)
	}
	lat, lng, name, err := s.here(ctx, env)
	if err != nil {
		return geo.Found{}, tools.Advise(err, "Give a location instead.")
	}
	return geo.Found{Point: geo.Point{Lat: lat, Lng: lng}, Name: name}, nil
}

func now(answer meteo.Answer) string {
	current := answer.Current
	wind := amount("%.0f km/h", current.Wind)
	if wind != "" && current.WindFrom != nil {
		wind += " from " + meteo.Compass(*current.WindFrom)
	}
	_, clock, _ := strings.Cut(current.Time, "T")
	return show.Block([]string{
		"Now" + strings.TrimRight(" "+show.Line(clock, 5)+" "+show.Line(answer.Timezone, 40), " ") + ": " + meteo.Condition(current.Code),
		show.Label("Temperature", show.Join(", feels like ", amount("%.1f °C", current.Temperature), amount("%.1f °C", current.Apparent))),
		show.Label("Humidity", amount("%.0f%%", current.Humidity)),
		show.Label("Wind", wind),
		show.Label("Precipitation", amount("%.1f mm", current.Precipitation)),
	}, "  ")
}

func day(daily meteo.Daily, i int) string {
	name := show.Line(daily.Time[i], 10)
	if date, err := time.Parse(time.DateOnly, name); err == nil {
		name = date.Format("Mon ") + name
	}
	return show.Block([]string{
		name + ": " + meteo.Condition(at(daily.Code, i)),
		show.Join(", ",
			amount("high %.1f °C", at(daily.High, i)), amount("low %.1f °C", at(daily.Low, i)),
			amount("precipitation %.1f mm", at(daily.Precipitation, i)), amount("wind up to %.0f km/h", at(daily.Wind, i))),
		show.Join(", ", clock("sunrise ", at(daily.Sunrise, i)), clock("sunset ", at(daily.Sunset, i))),
	}, "  ")
}

// at is an entry of a list that may be too short.
func at[T any](list []*T, i int) *T {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

// amount writes a value, or nothing if there is none.
func amount(format string, value *float64) string {
	if value == nil {
		return ""
	}
	return fmt.Sprintf(format, *value)
}

// clock is the hour and minute of 2026-11-21T07:12.
func clock(name string, moment *string) string {
	if moment == nil {
		return ""
	}
	_, clock, ok := strings.Cut(*moment, "T")
	if !ok {
		return ""
	}
	return name + show.Line(clock, 5)
}
