package travel

import (
	"context"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/meteo"
)

func (s Service) trafficTool() tools.Tool {
	return tools.New(tools.Def[tripArgs]{
		Name: "estimate_traffic_adjusted_time",
		Doc:  "Estimate the current travel time: the route's usual time, adjusted for rush hour and weather.",
		Examples: []string{
			"how long does it take from {home|origin} to {work|destination} with traffic",
			"travel time from {home|origin} to {work|destination} in the current traffic",
			"if I leave now, how long to {work|destination} from {home|origin}",
		},
		Pool: tools.Net, Service: "nominatim.openstreetmap.org, router.project-osrm.org, routing.openstreetmap.de", Timeout: timeout, Fold: fold, State: "saved places",
		Run: s.traffic,
	})
}

// weatherTime is the timeout of a weather request. Without the weather, the result is still useful.
const weatherTime = 6 * time.Second

func (s Service) traffic(ctx context.Context, env tools.Env, in tripArgs) (tools.Output, error) {
	t, err := s.trip(ctx, env, in)
	if err != nil {
		return tools.Output{}, err
	}
	found, err := s.route(ctx, t.mode, false, t.from.Point, t.to.Point)
	if err != nil {
		return tools.Output{}, err
	}
	there, zoneErr := s.weather(ctx, t.to.Point)
	middle, weatherErr := s.weather(ctx, geo.Midpoint(t.from.Point, t.to.Point))
	if ctx.Err() != nil {
		return tools.Output{}, context.Cause(ctx)
	}
	local, known := there.Local(env.Now())
	clock := local.Format("Mon 15:04") + " at the destination"
	if !known {
		clock = local.Format("Mon 15:04") + " UTC"
		if zoneErr != nil {
			clock += fmt.Sprintf(" (the time zone of that place is unknown: %v)", zoneErr)
		}
	}
	conditions := describe(middle.Current)
	if weatherErr != nil {
		conditions = fmt.Sprintf("not known (%v)", weatherErr)
	}
	f := factorsOf(t.mode, local, known, middle.Current)
	var text strings.Builder
	text.WriteString(t.head("") + length(found.Distance))
	fmt.Fprintf(&text, "Duration without traffic: %s\nLocal time: %s\nWeather halfway: %s\n\n", duration(found.Duration), clock, conditions)
	fmt.Fprintf(&text, "Factors:\n%sCombined: ×%.2f\n\nAdjusted duration: %s\n", f, f.combined(), duration(found.Duration*f.combined()))
	text.WriteString("This is a rough estimate from the weekday, hour and weather; it uses no live traffic data and ignores holidays.")
	return tools.Output{Text: text.String()}, nil
}

func (s Service) weather(ctx context.Context, point geo.Point) (meteo.Answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, weatherTime, fmt.Errorf("it took longer than %s", weatherTime))
	defer cancel()
	return meteo.CurrentWeather(ctx, s.finder.Client, point)
}

func describe(current meteo.Current) string {
	text := meteo.Condition(current.Code)
	if current.Wind != nil {
		text += fmt.Sprintf(", wind %.0f km/h", *current.Wind)
	}
	return text
}
