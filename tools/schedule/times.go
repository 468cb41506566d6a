package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"marvin/persistence/schedules"
	"marvin/tools"
	"marvin/tools/internal/repeat"
	"marvin/tools/internal/text"
	"marvin/tools/internal/when"
)

// hint is a text that shows how a time can be written.
const hint = `When? E.g. "every weekday at 8:00", "every monday and thursday at 18:30", "every 2 hours", "tomorrow at 9:00".`

// shortest is the minimum time between two runs. Crontab times have no seconds.
const shortest = time.Minute

// parseTimes parses a time or a recurrence. zone is a name in the time zone database, or "" for
// now.Location(). The notes describe the assumptions that parseTimes made.
func parseTimes(said, zone string, now time.Time) (times schedules.Times, notes string, err error) {
	if zone != "" {
		place, err := time.LoadLocation(zone)
		if err != nil || zone == "Local" {
			return times, "", fmt.Errorf("%q is not a time zone; give a time zone such as Europe/Berlin or UTC", clip(zone))
		}
		now = now.In(place)
	}
	said = text.OneLine(said)
	times, notes, err = parse(said, now)
	if err != nil {
		return times, "", tools.Advise(err, "%s", hint)
	}
	times.Said, times.Zone = said, zone
	if _, ok := Next(times, now, now); !ok {
		return times, "", tools.Advise(fmt.Errorf("%q is in the past and does not repeat", clip(said)), "%s", hint)
	}
	return times, notes, nil
}

func parse(said string, now time.Time) (times schedules.Times, notes string, err error) {
	words := strings.Fields(said)
	if len(words) == 0 {
		return times, "", errors.New("no time was given")
	}
	if every, ok, err := interval(said); ok || err != nil {
		return schedules.Times{Every: every, Start: now.Truncate(time.Minute)}, "", err
	}
	if times, ok, err := parseRepeated(words, now); ok || err != nil {
		return times, "", err
	}
	moment, err := when.Parse(said, now)
	switch {
	case err != nil:
		if errors.As(err, new(*when.Ambiguous)) {
			return times, "", err
		}
		return times, "", fmt.Errorf("Marvin does not understand the time %q", clip(said))
	case moment.AllDay && !moment.Relative:
		return times, "", fmt.Errorf("%q has no time of day", clip(said))
	}
	if err := errors.Join(moment.CheckHalf(now), moment.Future(now)); err != nil {
		return times, "", err
	}
	start := moment.Time
	if whole := start.Truncate(time.Minute); whole.Before(start) {
		start = whole.Add(time.Minute) // cron cannot express seconds
	}
	return schedules.Times{Start: start}, moment.NotesText(), nil
}

// interval parses a repetition within a day: "every 2 hours", "hourly", "alle 30 Minuten".
func interval(said string) (every time.Duration, ok bool, err error) {
	lower := strings.ToLower(said)
	if lower == "hourly" || lower == "stündlich" {
		return time.Hour, true, nil
	}
	for _, word := range []string{"every ", "each ", "alle ", "jede ", "toutes les ", "chaque "} {
		rest, cut := strings.CutPrefix(lower, word)
		if !cut {
			continue
		}
		length, err := when.Duration(rest)
		if err != nil {
			length, err = when.Duration("1 " + rest)
		}
		switch {
		case err != nil || length > 24*time.Hour || length == 24*time.Hour && !strings.Contains(rest, "h"):
			return 0, false, nil
		case length < shortest:
			return 0, false, fmt.Errorf("%q is too often; the limit is once a minute", clip(said))
		}
		return length, true, nil
	}
	return 0, false, nil
}

// parseEvery parses the times of a watch's checks, such as "2h", "every 30 minutes", "day" or
// "every weekday at 8:00".
func parseEvery(said string, now time.Time) (schedules.Times, error) {
	said = text.OneLine(said)
	bare := said
	for _, word := range []string{"every ", "each "} {
		bare = strings.TrimPrefix(bare, word)
	}
	length, err := when.Duration(bare)
	if err != nil {
		length, err = when.Duration("1 " + bare)
	}
	switch {
	case err != nil:
		times, _, failed := parseTimes(said, "", now)
		if failed != nil {
			return times, tools.Advise(fmt.Errorf("--every %q is not a length of time", clip(said)), "Write 30m, 2h, 1 day, or %q.", "every weekday at 8:00")
		}
		return times, nil
	case length < shortest:
		return schedules.Times{}, fmt.Errorf("--every %q is too often; the shortest time is 1m", clip(said))
	}
	return schedules.Times{Said: "every " + bare, Every: length, Start: now.Truncate(time.Minute)}, nil
}

// parseRepeated parses a repetition and a time of day, in either order: "every weekday at 8:00",
// "at 8:00 every weekday until 2027-06-30".
func parseRepeated(words []string, now time.Time) (times schedules.Times, ok bool, err error) {
	words, ending := cutEnd(repeat.ExpandSpans(words))
	if n := len(words); n > 1 {
		switch last := strings.ToLower(words[n-1]); last {
		case "noon", "midnight": // every noon
			if slices.Contains([]string{"every", "each"}, strings.ToLower(words[n-2])) {
				words = slices.Concat(words[:n-1], []string{"day", "at", last})
			}
		}
	}
	for cut := len(words); cut >= 1; cut-- {
		for _, sides := range [][2][]string{{words[:cut], words[cut:]}, {words[len(words)-cut:], words[:len(words)-cut]}} {
			how, known := repetition(sides[0])
			if !known {
				continue
			}
			if len(sides[1]) == 0 {
				return times, true, fmt.Errorf("%q has no time of day; write %q", clip(strings.Join(words, " ")), how+" at 8:00")
			}
			moment, failed := when.Parse(daytime(how, sides[1]), now)
			if failed != nil || moment.AllDay || moment.Relative {
				continue
			}
			rule, first, failed := parseRule(how+ending, moment, now)
			if failed != nil {
				return times, true, failed
			}
			return schedules.Times{Rule: rule, Start: first}, true, nil
		}
	}
	return times, false, nil
}

// cutEnd separates the end date or the number of repetitions from the other words.
func cutEnd(words []string) (rest []string, ending string) {
	for i, word := range words {
		switch strings.ToLower(word) {
		case "until", "till", "bis", "jusqu'au", "jusqu'à":
			if i > 0 && i < len(words)-1 {
				return words[:i], " " + strings.Join(words[i:], " ")
			}
		}
	}
	if n := len(words); n > 3 {
		switch strings.ToLower(words[n-1]) {
		case "times", "mal", "fois", "occurrences":
			return words[:n-2], " " + strings.Join(words[n-2:], " ")
		}
	}
	return words, ""
}

// repetition returns the words as text for [repeat.Parse]. If the words describe no repetition, ok
// is false.
func repetition(words []string) (how string, ok bool) {
	how = strings.ToLower(strings.Join(words, " "))
	if len(words) == 1 && (strings.HasPrefix(how, "rrule:") || strings.HasPrefix(how, "freq=")) {
		return how, true
	}
	if _, ok := repeat.Words(how); ok {
		return how, true
	}
	if strings.HasSuffix(how, "s") && len(words) < 6 { // "mondays and thursdays"
		if _, ok := repeat.Words("every " + how); ok {
			return "every " + how, true
		}
	}
	return "", false
}

// daytime joins the words of a time of day. If the repetition ends with a part of the day, daytime
// puts that part first: "every evening" and "at 7" yield "evening at 7".
func daytime(how string, clock []string) string {
	words := strings.Fields(how)
	switch part := words[len(words)-1]; part {
	case "morning", "afternoon", "evening", "night", "nachmittag", "abend", "nacht", "matin", "soir", "nuit":
		return part + " " + strings.Join(clock, " ")
	case "matins", "soirs":
		return strings.TrimSuffix(part, "s") + " " + strings.Join(clock, " ")
	}
	return strings.Join(clock, " ")
}

// parseRule returns the rule for a text such as "every monday", and the time of the first run.
func parseRule(how string, moment when.Moment, now time.Time) (rule string, first time.Time, err error) {
	first = moment.Time
	if !moment.ClockOnly { // "every 2 weeks on monday at 9"
		rule, err = repeat.Parse(how, first, false)
		return rule, first, err
	}
	if today := when.MomentAt(time.Date(now.Year(), now.Month(), now.Day(), first.Hour(), first.Minute(), 0, 0, time.UTC), now.Location()); today.After(now) {
		first = today
	}
	return repeat.ParseFirst(how, first)
}

// Next returns the time of the first run after a given moment. If there is none, ok is false. A
// rule follows the local time of its zone. If a clock change skips a time, the run is one hour
// later. If a time occurs twice, the first one counts. If times.Zone is "" or unknown, the zone is
// now.Location().
func Next(times schedules.Times, after, now time.Time) (next time.Time, ok bool) {
	zone := now.Location()
	if times.Zone != "" {
		if place, err := time.LoadLocation(times.Zone); err == nil {
			zone = place
		}
	}
	switch {
	case times.Every > 0:
		start := times.Start
		// A Start that was edited by hand can be too early: Sub returns at most 292 years.
		if start.Year() < 1970 {
			start = time.Unix(0, 0)
		}
		if after.Before(start) {
			return start.Add(times.Every), true
		}
		return start.Add((after.Sub(start)/times.Every + 1) * times.Every), true
	case times.Rule == "":
		if !times.Start.After(after) {
			return time.Time{}, false
		}
		return times.Start, true
	}
	return nextByRule(times, after, zone)
}

// nextByRule returns the next time of a recurrence rule, computed in local wall time.
func nextByRule(times schedules.Times, after time.Time, zone *time.Location) (next time.Time, ok bool) {
	defer func() {
		if recover() != nil { // rrule can panic with an index out of range
			next, ok = time.Time{}, false
		}
	}()
	start := wall(times.Start.In(zone))
	rule, err := repeat.Rule(times.Rule, start, wall(after.In(zone)).AddDate(5, 0, 0))
	if err != nil {
		return time.Time{}, false
	}
	if until := rule.OrigOptions.Until; !until.IsZero() {
		options := rule.OrigOptions
		options.Until = wall(until.In(zone))
		if rule, err = rrule.NewRRule(options); err != nil {
			return time.Time{}, false
		}
	}
	for at := wall(after.In(zone)).Add(-3 * time.Hour); ; {
		if at = rule.After(at, false); at.IsZero() {
			return time.Time{}, false
		}
		if next = when.MomentAt(at, zone); next.After(after) {
			return next, true
		}
	}
}

// wall returns the UTC time with the same date and clock time as moment.
func wall(moment time.Time) time.Time {
	return time.Date(moment.Year(), moment.Month(), moment.Day(), moment.Hour(), moment.Minute(), moment.Second(), 0, time.UTC)
}

func clip(said string) string { return text.Clip(text.OneLine(said), 100) }
