package clock

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"marvin/tools"
	"marvin/tools/internal/fold"
	"marvin/tools/internal/meteo"
)

//go:embed zones.txt
var zonesText string

// zones are the time zones by what people call their places, folded.
var zones = sync.OnceValue(func() map[string]string {
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

// folded brings the ways of typing a name together: "São Paulo" is "sao paulo".
func folded(name string) string {
	name = fold.Text(name)
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '.' || r == '\'' || r == '’' }), " ")
}

// where is a place with its time.
type where struct {
	name string
	zone *time.Location
}

func (w where) said() string {
	if w.name == "" {
		return ""
	}
	return w.name + ": "
}

// zone finds the time zone of a place: this computer's, one of the list, one by its
// name, or that of a place on the map.
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
	weather, err := meteo.Now(ctx, s.finder.Client, found.Point)
	if err != nil {
		return where{}, fmt.Errorf("find the time zone of %s: %w", place, err)
	}
	name := fmt.Sprintf("%s (%s)", found.Name, weather.Timezone)
	if zone, err := time.LoadLocation(weather.Timezone); err == nil && weather.Timezone != "" {
		return where{name, zone}, nil
	}
	if weather.Offset == nil {
		return where{}, tools.Advise(fmt.Errorf("nobody told the time zone of %s", place), "Name a large city near it, or a time zone such as Europe/Stockholm.")
	}
	return where{name, time.FixedZone(weather.Timezone, *weather.Offset)}, nil
}

// candidates are the zones that a name may mean, at most two.
func candidates(place string) []string {
	var list []string
	if zone, ok := zones()[folded(place)]; ok {
		list = append(list, zone)
	} else if city, _, ok := strings.Cut(place, ","); ok { // "Paris, France"
		if zone, ok := zones()[folded(city)]; ok {
			list = append(list, zone)
		}
	}
	if strings.Contains(place, "/") && !strings.Contains(place, "..") || strings.EqualFold(place, "UTC") {
		list = append(list, place)
	}
	return list
}
