package clock

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/internal/fold"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/meteo"
	"marvin/tools/internal/when"
)

// Service tells the time.
type Service struct {
	finder geo.Finder
	now    func() time.Time
}

// New returns a service that reads the user's saved places. The HTTP client is used only for places
// that the embedded list does not contain.
func New(client *http.Client, home *persistence.Home, now func() time.Time) Service {
	return Service{geo.Finder{Client: client, Home: home}, now}
}

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.clockTool()} }

type clockArgs struct {
	Place string `json:"place" doc:"City, country or time zone; default: local" default:"" alias:"location,city,timezone" example:"Tokyo"`
	Date  string `json:"date" doc:"A date: shows its weekday and the days until then" default:"" example:"2026-12-24"`
}

func (s Service) clockTool() tools.Tool {
	return tools.New(tools.Def[clockArgs]{
		Name: "clock",
		Doc:  "Show the current time, date, weekday and week, here or elsewhere.",
		Examples: []string{
			"what time is it", "what time is it in {Tokyo|place}", "what is the date", "what day is {2026-12-24|date}",
		},
		Chat: true, Pool: tools.Net, Service: "nominatim.openstreetmap.org, api.open-meteo.com", State: "saved places", Brings: tools.OwnOrigin,
		Run: s.tell,
	})
}

func (s Service) tell(ctx context.Context, env tools.Env, in clockArgs) (tools.Output, error) {
	now := s.now()
	there, err := s.zone(ctx, env, strings.TrimSpace(in.Place), now)
	if err != nil {
		return tools.Output{}, err
	}
	if date := strings.TrimSpace(in.Date); date != "" {
		day, err := parseDate(date, now.In(there.zone))
		if err != nil {
			return tools.Output{}, err
		}
		return tools.Output{Text: aboutDay(day, now.In(there.zone))}, nil
	}
	return tools.Output{Text: there.description() + aboutNow(now.In(there.zone), now)}, nil
}

// aboutNow describes the current time at a place: the time, date and week, and the difference from
// the local time.
func aboutNow(there, here time.Time) string {
	_, week := there.ISOWeek()
	_, theirs := there.Zone()
	_, ours := here.Zone()
	text := fmt.Sprintf("%s (UTC%s), week %d", there.Format("15:04 on Monday, 2 January 2006"), there.Format("-07:00"), week)
	switch difference := time.Duration(theirs-ours) * time.Second; {
	case difference > 0:
		text += fmt.Sprintf(", %s ahead of here", hours(difference))
	case difference < 0:
		text += fmt.Sprintf(", %s behind here", hours(-difference))
	}
	return text
}

// hours returns a time difference as text, such as "9 h" or "5 h 30 min".
func hours(difference time.Duration) string {
	text := fmt.Sprintf("%d h", difference/time.Hour)
	if minutes := difference % time.Hour / time.Minute; minutes != 0 {
		text += fmt.Sprintf(" %d min", minutes)
	}
	return strings.TrimPrefix(text, "0 h ")
}

func aboutDay(day, now time.Time) string {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	_, week := day.ISOWeek()
	text := fmt.Sprintf("%s, week %d", day.Format("Monday, 2 January 2006"), week)
	switch days := int(day.Sub(today) / (24 * time.Hour)); {
	case days == 0:
		return text + ": today"
	case days == 1:
		return text + ": tomorrow"
	case days == -1:
		return text + ": yesterday"
	case days > 0:
		return fmt.Sprintf("%s: in %d days", text, days)
	default:
		return fmt.Sprintf("%s: %d days ago", text, -days)
	}
}

// parseDate returns 00:00 UTC on the given date. In UTC, every day has 24 hours, so aboutDay can
// count days.
func parseDate(text string, now time.Time) (time.Time, error) {
	if strings.EqualFold(strings.TrimSpace(text), "now") {
		text = "today"
	}
	moment, err := when.Parse(text, now)
	if err == nil && !moment.AllDay {
		err = fmt.Errorf("%q is a time, not a date", text)
	}
	if err != nil {
		return time.Time{}, tools.Advise(err, "Write it as 2026-12-24 or 24 December 2026.")
	}
	year, month, day := moment.Time.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), nil
}

//go:embed zones.txt
var zonesText string

// zoneOfPlace returns the time zones in zones.txt, keyed by folded place name.
var zoneOfPlace = sync.OnceValue(func() map[string]string {
	table := map[string]string{}
	for line := range strings.Lines(zonesText) {
		zone, places, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(zone, "#") {
			continue
		}
		for place := range strings.SplitSeq(places, ",") {
			table[folded(place)] = zone
		}
	}
	return table
})

// folded normalizes a name for lookups: "São Paulo" becomes "sao paulo".
func folded(name string) string {
	name = fold.Text(name)
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '.' || r == '\'' || r == '’' }), " ")
}

type where struct {
	name string
	zone *time.Location
}

func (w where) description() string {
	if w.name == "" {
		return ""
	}
	return w.name + ": "
}

// zone determines the time zone of a place. An empty place means the local zone. For any other
// place, it tries the embedded list, then the names in the time zone database, and then the map.
func (s Service) zone(ctx context.Context, env tools.Env, place string, now time.Time) (where, error) {
	switch strings.ToLower(place) {
	case "", "here", "local":
		return where{zone: now.Location()}, nil
	}
	for _, name := range candidates(place) {
		if zone, err := time.LoadLocation(name); err == nil {
			return where{fmt.Sprintf("%s (%s)", place, name), zone}, nil
		}
	}
	found, err := s.finder.Find(ctx, env, place)
	if err != nil {
		return where{}, fmt.Errorf("find the time zone of %s: %w", place, err)
	}
	weather, err := meteo.CurrentWeather(ctx, s.finder.Client, found.Point)
	if err != nil {
		return where{}, fmt.Errorf("find the time zone of %s: %w", place, err)
	}
	name := fmt.Sprintf("%s (%s)", found.Name, weather.Timezone)
	if zone, err := time.LoadLocation(weather.Timezone); err == nil && weather.Timezone != "" {
		return where{name, zone}, nil
	}
	if weather.Offset == nil {
		return where{}, tools.Advise(fmt.Errorf("the time zone of %s is unknown", place), "Give a large city nearby, or a time zone such as Europe/Stockholm.")
	}
	return where{name, time.FixedZone(weather.Timezone, *weather.Offset)}, nil
}

// candidates returns the names of at most two possible time zones for a place.
func candidates(place string) []string {
	var list []string
	if zone, ok := zoneOfPlace()[folded(place)]; ok {
		list = append(list, zone)
	} else if city, _, ok := strings.Cut(place, ","); ok { // "Paris, France"
		if zone, ok := zoneOfPlace()[folded(city)]; ok {
			list = append(list, zone)
		}
	}
	if strings.Contains(place, "/") && !strings.Contains(place, "..") || strings.EqualFold(place, "UTC") {
		list = append(list, place)
	}
	return list
}
