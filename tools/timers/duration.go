package timers

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// longest bounds a countdown; what is longer belongs in a calendar.
const longest = 366 * 24 * time.Hour

// step is a number with a unit.
var step = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:,|and\s)?\s*(\d+(?:\.\d+)?)[\s-]*([a-z]*)\s*`) })

// parseDuration reads "5m", "1h30m", "90", "5 minutes" or "1 hour and 30 minutes".
// Nothing is 0. A number alone counts seconds.
func parseDuration(text string) (time.Duration, error) {
	rest := strings.ToLower(strings.TrimSpace(text))
	if rest == "" {
		return 0, nil
	}
	var total time.Duration
	for alone := true; rest != ""; alone = false {
		match := step().FindStringSubmatch(rest)
		if match == nil {
			return 0, notADuration(text)
		}
		rest = rest[len(match[0]):]
		unit, ok := unitOf(match[2], alone && rest == "")
		number, err := strconv.ParseFloat(match[1], 64)
		if !ok || err != nil {
			return 0, notADuration(text)
		}
		if total.Seconds()+number*unit.Seconds() > longest.Seconds() {
			return 0, fmt.Errorf("%q is longer than a year; a timer lives only as long as this session", text)
		}
		total += time.Duration(number * float64(unit))
	}
	return total, nil
}

// unitOf knows how people write units. A number without one counts seconds, if it is
// alone. M is a minute, and ms is not.
func unitOf(name string, alone bool) (time.Duration, bool) {
	switch name {
	case "":
		return time.Second, alone
	case "ms", "millisecond", "milliseconds":
		return time.Millisecond, true
	case "s", "sec", "secs", "second", "seconds":
		return time.Second, true
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute, true
	case "h", "hr", "hrs", "hour", "hours":
		return time.Hour, true
	case "d", "day", "days":
		return 24 * time.Hour, true
	}
	return 0, false
}

func notADuration(text string) error {
	return fmt.Errorf("%q is not a duration; write it like 5m, 1h30m, 90 (seconds) or \"5 minutes\"", text)
}

// spell writes a duration to the second, or to the tenth below a minute.
func spell(duration time.Duration) string {
	if duration < time.Minute {
		return strconv.FormatFloat(duration.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + "s"
	}
	text := duration.Round(time.Second).String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}
