package alarms

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"marvin/tools"
)

// parseTime reads a time of day, which is the next one to come, a date with a time,
// or a duration from now. What is past is refused.
func parseTime(text string, now time.Time) (time.Time, error) {
	trimmed := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, form := range []string{"15:04", "15:04:05", "3:04pm", "3:04 pm", "3pm", "3 pm"} {
		if clock, err := time.Parse(form, trimmed); err == nil {
			due := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0, now.Location())
			if !due.After(now) {
				due = due.AddDate(0, 0, 1)
			}
			return due, nil
		}
	}
	for _, form := range []string{"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02t15:04", "2006-01-02t15:04:05"} {
		if due, err := time.ParseInLocation(form, trimmed, now.Location()); err == nil {
			return future(due, now)
		}
	}
	if due, err := time.Parse(time.RFC3339, strings.ToUpper(trimmed)); err == nil {
		return future(due.In(now.Location()), now)
	}
	if length, ok := duration(trimmed); ok && length > 0 {
		return now.Add(length).Truncate(time.Second), nil
	}
	return time.Time{}, tools.Advise(fmt.Errorf("%q is not a time", text), "Write 07:30, 2026-05-01 07:30, or a duration from now such as 30m or 1h30m.")
}

func future(due, now time.Time) (time.Time, error) {
	if !due.After(now) {
		return due, tools.Advise(fmt.Errorf("%s is past", due.Format("2006-01-02 15:04")), "It is %s now. Ask the user for a time to come.", now.Format("2006-01-02 15:04"))
	}
	return due, nil
}

// duration reads "30m", "1h30m", "in 2 hours and 5 minutes", or seconds.
func duration(text string) (total time.Duration, ok bool) {
	rest := strings.NewReplacer(" ", "", ",", "", "and", "").Replace(strings.TrimPrefix(text, "in "))
	if seconds, err := strconv.ParseFloat(rest, 64); err == nil {
		rest = strconv.FormatFloat(seconds, 'f', -1, 64) + "s"
	}
	for rest != "" {
		digits := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if digits <= 0 {
			return 0, false
		}
		number, err := strconv.ParseFloat(rest[:digits], 64)
		rest = rest[digits:]
		letters := strings.IndexFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' })
		if letters < 0 {
			letters = len(rest)
		}
		unit, known := unitOf(rest[:letters])
		if err != nil || !known || number*unit.Hours() > 24*366 {
			return 0, false
		}
		total += time.Duration(number * float64(unit))
		rest = rest[letters:]
	}
	return total, total <= 366*24*time.Hour
}

func unitOf(name string) (time.Duration, bool) {
	switch strings.TrimSuffix(name, "s") {
	case "", "sec", "second": // "" is what is left of s
		return time.Second, name != ""
	case "m", "min", "minute":
		return time.Minute, name != "ms"
	case "h", "hr", "hour":
		return time.Hour, true
	case "d", "day":
		return 24 * time.Hour, true
	case "w", "week":
		return 7 * 24 * time.Hour, true
	}
	return 0, false
}
