package travel

import (
	"fmt"
	"time"

	"marvin/tools/internal/meteo"
)

// factor is one effect on a duration.
type factor struct {
	reason string
	times  float64
}

// factors contains all effects on the duration of a route.
type factors struct {
	hour, falling factor
	storm         bool
}

const (
	stormWind = 60  // km/h
	stormPlus = 0.1 // added to the weather factor
)

// combined multiplies the hour factor by the weather factor.
func (f factors) combined() float64 {
	weather := f.falling.times
	if f.storm {
		weather += stormPlus
	}
	return f.hour.times * weather
}

func (f factors) String() string {
	text := fmt.Sprintf("  ×%.2f %s\n  ×%.2f %s\n", f.hour.times, f.hour.reason, f.falling.times, f.falling.reason)
	if f.storm {
		text += fmt.Sprintf("  +%.2f storm (wind above %d km/h)\n", stormPlus, stormWind)
	}
	return text
}

func factorsOf(mode string, local time.Time, known bool, current meteo.Current) factors {
	return factors{
		hour: hourFactor(mode, local, known), falling: fallingFactor(current),
		storm: current.Wind != nil && *current.Wind > stormWind,
	}
}

// hourFactor estimates how the time of day affects a drive. Hour 7 means 7:00 to 7:59.
func hourFactor(mode string, local time.Time, known bool) factor {
	hour, day := local.Hour(), local.Weekday()
	switch {
	case mode != "driving":
		return factor{reason: "no rush hour when " + mode, times: 1}
	case !known:
		return factor{reason: "the local hour is unknown", times: 1}
	case hour >= 22 || hour <= 5:
		return factor{reason: "night, free roads (22–5)", times: 0.9}
	case (day == time.Saturday || day == time.Sunday) && hour >= 11 && hour <= 18:
		return factor{reason: "weekend, 11:00 to 18:00", times: 1.1}
	case day == time.Saturday || day == time.Sunday:
		return factor{reason: "weekend, no rush hour", times: 1}
	case hour >= 7 && hour <= 9:
		return factor{reason: "morning rush hour (7–9)", times: 1.5}
	case hour >= 16 && hour <= 18:
		return factor{reason: "evening rush hour (16–18)", times: 1.6}
	case hour >= 11 && hour <= 13:
		return factor{reason: "midday traffic (11–13)", times: 1.2}
	case hour >= 19 && hour <= 21:
		return factor{reason: "evening traffic (19–21)", times: 1.15}
	}
	return factor{reason: "normal hour", times: 1}
}

// fallingFactor returns the effect of rain, snow and poor visibility. If the weather is unknown,
// the factor is 1.
func fallingFactor(current meteo.Current) factor {
	if current.Code == nil && current.Snowfall == nil {
		return factor{reason: "weather not known", times: 1}
	}
	code := -1
	if current.Code != nil {
		code = *current.Code
	}
	falling := factor{reason: "weather without influence", times: 1}
	switch code {
	case 71, 73, 75, 77, 85, 86:
		falling = factor{reason: "snow", times: 1.5}
	case 65, 67, 82:
		falling = factor{reason: "heavy rain", times: 1.35}
	case 61, 63, 80, 81:
		falling = factor{reason: "rain", times: 1.2}
	case 51, 53, 55:
		falling = factor{reason: "drizzle", times: 1.1}
	}
	if current.Snowfall != nil && *current.Snowfall > 0 {
		falling = factor{reason: "snow", times: 1.5}
	}
	switch code { // the factor for fog, ice and thunderstorms is at least 1.3
	case 45, 48, 56, 57, 66, 67, 75, 86, 95, 96, 99:
		if falling.times < 1.3 {
			falling = factor{reason: meteo.Condition(&code), times: 1.3}
		}
	}
	return falling
}
