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

// Locator returns the user's location. It is called if a forecast request names no place.
type Locator func(context.Context, tools.Env) (lat, lng float64, name string, err error)

// Service requests forecasts.
type Service struct {
	finder geo.Finder
	here   Locator
}

// New returns a service. The [persistence.Home] contains the saved places.
func New(client *http.Client, home *persistence.Home, here Locator) Service {
	return Service{geo.Finder{Client: client, Home: home}, here}
}

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.forecastTool()} }

type forecastArgs struct {
	Location  string   `json:"location" doc:"City, address, saved place or lat,lng" default:"" alias:"place,city,query" example:"Uppsala"`
	Latitude  *float64 `json:"latitude,omitempty" doc:"Latitude" alias:"lat"`
	Longitude *float64 `json:"longitude,omitempty" doc:"Longitude" alias:"lng,lon"`
	Days      int      `json:"days" doc:"Days to show, including today" default:"3" min:"1" max:"7" alias:"forecast_days"`
	Hours     int      `json:"hours" doc:"Hours in the hourly forecast" default:"0" min:"0" max:"48" alias:"forecast_hours"`
	Units     string   `json:"units" doc:"imperial for °F" default:"metric" enum:"metric,imperial" alias:"temperature_unit,unit"`
}

func (s Service) forecastTool() tools.Tool {
	return tools.New(tools.Def[forecastArgs]{
		Name: "weather_forecast", Chat: true,
		Doc: "Show current weather, daily and hourly forecast, and chance of rain. Default: the user's location.",
		Examples: []string{
			"what is the weather in {Uppsala|location}",
			"weather forecast for {Uppsala|location} for {5|days} days",
			"will it rain in {Uppsala|location}",
			"how is the weather",
			"hourly forecast for {Uppsala|location} for the next {12|hours} hours",
			"weather in {Boston|location} in {imperial|units} units",
		},
		Pool: tools.Net, Service: "api.open-meteo.com, nominatim.openstreetmap.org, ip-api.com", State: "saved places",
		Timeout: 45 * time.Second,
		Fold:    fold,
		Run:     s.forecast,
	})
}

func (s Service) forecast(ctx context.Context, env tools.Env, in forecastArgs) (tools.Output, error) {
	place, err := s.place(ctx, env, in)
	if err != nil {
		return tools.Output{}, err
	}
	answer, err := meteo.Forecast(ctx, s.finder.Client, place.Point, meteo.Wanted{Days: in.Days, Hours: in.Hours, Imperial: in.Units == "imperial"})
	if err != nil {
		return tools.Output{}, err
	}
	var text strings.Builder
	units := unitsOf(in.Units)
	fmt.Fprintf(&text, "Weather: %s\n\n%s", place.Title(), units.currentLine(answer))
	if hours := units.hours(answer.Hourly, in.Hours); hours != "" {
		text.WriteString("\n\n" + hours)
	}
	for i := range answer.Daily.Time[:min(len(answer.Daily.Time), in.Days)] {
		text.WriteString("\n\n" + units.day(answer.Daily, i))
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
