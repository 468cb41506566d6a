package weather

import (
	"fmt"
	"strings"
	"time"

	"marvin/tools/internal/meteo"
	"marvin/tools/internal/show"
)

// units contains the unit names for a forecast report.
type units struct {
	degrees, speed string
	depth          string // a format string; inches need more decimals than millimeters
}

func unitsOf(system string) units {
	if system == "imperial" {
		return units{degrees: "°F", speed: "mph", depth: "%.2f in"}
	}
	return units{degrees: "°C", speed: "km/h", depth: "%.1f mm"}
}

// fold converts temperature scales to unit systems, such as "celsius" to "metric".
func fold(arguments map[string]any) {
	for _, name := range []string{"units", "unit", "temperature_unit"} {
		word, ok := arguments[name].(string)
		if !ok {
			continue
		}
		switch strings.ToLower(strings.Trim(word, "° ")) {
		case "fahrenheit", "f", "us":
			arguments[name] = "imperial"
		case "celsius", "centigrade", "c", "si":
			arguments[name] = "metric"
		}
	}
}

func (u units) currentLine(answer meteo.Answer) string {
	current := answer.Current
	wind := amount("%.0f "+u.speed, current.Wind)
	if wind != "" && current.WindFrom != nil {
		wind += " from " + meteo.Compass(*current.WindFrom)
	}
	_, clock, _ := strings.Cut(current.Time, "T")
	return show.Block([]string{
		"Now" + strings.TrimRight(" "+show.Line(clock, 5)+" "+show.Line(answer.Timezone, 40), " ") + ": " + meteo.Condition(current.Code),
		show.Label("Temperature", show.Join(", feels like ", amount("%.1f "+u.degrees, current.Temperature), amount("%.1f "+u.degrees, current.Apparent))),
		show.Label("Humidity", amount("%.0f%%", current.Humidity)),
		show.Label("Wind", wind),
		show.Label("Precipitation", amount(u.depth, current.Precipitation)),
	}, "  ")
}

func (u units) day(daily meteo.Daily, i int) string {
	name := show.Line(daily.Time[i], 10)
	if date, err := time.Parse(time.DateOnly, name); err == nil {
		name = date.Format("Mon ") + name
	}
	return show.Block([]string{
		name + ": " + meteo.Condition(at(daily.Code, i)),
		show.Join(", ",
			amount("high %.1f "+u.degrees, at(daily.High, i)), amount("low %.1f "+u.degrees, at(daily.Low, i)),
			amount("precipitation "+u.depth, at(daily.Precipitation, i)), amount("chance of it %.0f%%", at(daily.Chance, i)),
			amount("wind up to %.0f "+u.speed, at(daily.Wind, i))),
		show.Join(", ", clock("sunrise ", at(daily.Sunrise, i)), clock("sunset ", at(daily.Sunset, i))),
	}, "  ")
}

// hours returns one line per hour. Whenever the date changes, it inserts a line with the new date.
func (u units) hours(hourly meteo.Hourly, most int) string {
	var lines []string
	last := ""
	for i, moment := range hourly.Time[:min(len(hourly.Time), most)] {
		date, clock, _ := strings.Cut(moment, "T")
		if date != last && last != "" {
			lines = append(lines, show.Line(date, 10)+":")
		}
		last = date
		lines = append(lines, show.Line(clock, 5)+" "+show.Join(", ",
			meteo.Condition(at(hourly.Code, i)), amount("%.1f "+u.degrees, at(hourly.Temperature, i)),
			amount("precipitation "+u.depth, at(hourly.Precipitation, i)), amount("chance of it %.0f%%", at(hourly.Chance, i)),
			amount("wind %.0f "+u.speed, at(hourly.Wind, i))))
	}
	if len(lines) == 0 {
		return ""
	}
	return show.Block(append([]string{"By the hour:"}, lines...), "  ")
}

// at returns list[i], or nil if the list is too short.
func at[T any](list []*T, i int) *T {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

// amount returns a value in the given format. It returns "" if value is nil.
func amount(format string, value *float64) string {
	if value == nil {
		return ""
	}
	return fmt.Sprintf(format, *value)
}

// clock returns a label followed by the time of day of a timestamp. For example, "sunrise " and
// "2026-11-21T07:12" give "sunrise 07:12".
func clock(name string, moment *string) string {
	if moment == nil {
		return ""
	}
	_, clock, ok := strings.Cut(*moment, "T")
	if !ok || clock == "" {
		return ""
	}
	return name + show.Line(clock, 5)
}
