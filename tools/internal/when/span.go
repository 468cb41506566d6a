package when

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// span is a length of time. Days and months are separate because their lengths vary: "in two days"
// keeps the time of day even if the clocks change.
type span struct {
	months, days int
	length       time.Duration
}

// longest is the maximum duration. Text with a longer duration was probably misunderstood.
const longest = 200 * 366 * 24 * time.Hour

// multiply multiplies a span by a number. It returns false if the result is longer than
// [longest]. It also returns false if the result has a fraction of a month, because months differ
// in length.
func (s span) multiply(number float64) (span, bool) {
	scaled := number * (float64(s.months)*31*24*float64(time.Hour) + float64(s.days)*24*float64(time.Hour) + float64(s.length))
	if math.IsNaN(scaled) || scaled > float64(longest) {
		return span{}, false
	}
	if number == math.Trunc(number) {
		return span{s.months * int(number), s.days * int(number), time.Duration(number * float64(s.length))}, true
	}
	if s.months > 0 {
		months := float64(s.months) * number
		return span{months: int(months)}, months == math.Trunc(months)
	}
	return span{length: time.Duration(scaled)}, true
}

func (s span) plus(other span) span {
	return span{s.months + other.months, s.days + other.days, s.length + other.length}
}

func unitOf(name string) (span, bool) {
	switch name {
	case "ms", "msec", "millisecond", "milliseconds", "millisekunde", "millisekunden", "milliseconde", "millisecondes":
		return span{length: time.Millisecond}, true
	case "s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden", "seconde", "secondes":
		return span{length: time.Second}, true
	case "m", "min", "mins", "minute", "minutes", "minuten", "mn":
		return span{length: time.Minute}, true
	case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures", "d'heure", "d'heures":
		return span{length: time.Hour}, true
	case "d", "day", "days", "tag", "tage", "tagen", "jour", "jours", "j":
		return span{days: 1}, true
	case "w", "wk", "wks", "week", "weeks", "woche", "wochen", "semaine", "semaines":
		return span{days: 7}, true
	case "fortnight", "fortnights":
		return span{days: 14}, true
	case "month", "months", "monat", "monate", "monaten", "mois":
		return span{months: 1}, true
	case "year", "years", "yr", "yrs", "jahr", "jahre", "jahren", "an", "ans", "annee", "annees":
		return span{months: 12}, true
	}
	return span{}, false
}

// lengths is a [tape] with methods that read durations.
type lengths struct{ *tape }

// duration reads a duration such as "1h30m", "an hour and a half", "2 hours, 5 minutes", "une heure
// et demie" or "1h30". If no duration follows, the reading position does not change.
func (r lengths) duration() (total span, ok bool) {
	last := span{}
	for {
		before := r.at
		if ok {
			r.joint()
		}
		number, unit, found := r.step(last)
		if !found {
			r.at = before
			return total, ok
		}
		scaled, fits := unit.multiply(number)
		if !fits {
			r.at = before
			return total, ok
		}
		total, last, ok = total.plus(scaled), unit, true
		if half, more := r.andHalf(); more {
			if scaled, fits = unit.multiply(half); !fits {
				return total, false
			}
			total = total.plus(scaled)
		}
	}
}

// joint skips a separator between two parts of a duration.
func (r lengths) joint() {
	r.take(",")
	r.takeAny("and", "und", "et")
}

// step reads a number with its unit. Minutes after hours need no unit, as in "1h30".
func (r lengths) step(last span) (float64, span, bool) {
	if compound, ok := quarterHour(r.word(0)); ok {
		r.at++
		return 1, compound, true
	}
	if article(r.word(0)) {
		if compound, ok := quarterHour(r.word(1)); ok {
			r.at += 2
			return 1, compound, true
		}
	}
	if last.length == time.Hour && (r.ahead(0).glued || r.at == len(r.tokens)-1) && r.digits(0, 2) >= 0 && r.digits(0, 2) < 60 && len(r.ahead(0).text) == 2 {
		if _, isUnit := unitOf(r.word(1)); !isUnit || !r.ahead(1).glued {
			r.at++
			return float64(r.digits(-1, 2)), span{length: time.Minute}, true
		}
	}
	number, ok := r.quantity()
	if !ok {
		return 0, span{}, false
	}
	unit, ok := unitOf(r.word(0))
	if ok {
		r.at++
	}
	return number, unit, ok
}

func quarterHour(name string) (span, bool) {
	switch name {
	case "viertelstunde":
		return span{length: 15 * time.Minute}, true
	case "halbestunde", "halbstunde":
		return span{length: 30 * time.Minute}, true
	case "dreiviertelstunde":
		return span{length: 45 * time.Minute}, true
	}
	return span{}, false
}

// andHalf reads "and a half", "et demie", "et quart" after a unit.
func (r lengths) andHalf() (float64, bool) {
	for _, one := range []struct {
		words string
		value float64
	}{{"and a half", 0.5}, {"and a quarter", 0.25}, {"et demie", 0.5}, {"et demi", 0.5}, {"et quart", 0.25}, {"et un quart", 0.25}, {"und eine halbe", 0.5}} {
		if words := strings.Fields(one.words); r.is(words...) {
			if _, isUnit := unitOf(r.word(len(words))); !isUnit { // "an hour and a quarter hour" is two steps
				r.at += len(words)
				return one.value, true
			}
		}
	}
	return 0, false
}

// ErrNoUnit means that a duration is a number without a unit.
var ErrNoUnit = errors.New("a length of time needs a unit")

// Duration parses a duration. A day has 24 hours. Months and years are errors, because their
// lengths vary. For a number without a unit, the error wraps [ErrNoUnit].
func Duration(text string) (time.Duration, error) {
	r, err := open(text)
	if err != nil {
		return 0, err
	}
	r.takeAny("for", "fuer", "pendant")
	if length, ok := r.lengths.colons(); ok || r.at < 0 {
		return length, ambiguousColons(text, r.at < 0)
	}
	read, ok := r.lengths.duration()
	switch {
	case !ok && r.lengths.loneNumber():
		return 0, fmt.Errorf("%q: %w, such as %s minutes or %s seconds", clip(text), ErrNoUnit, r.ahead(0).text, r.ahead(0).text)
	case !ok || !r.done():
		return 0, fmt.Errorf("%q is not a length of time", clip(text))
	case read.months > 0:
		return 0, fmt.Errorf("%q: months and years differ in length; give a number of days", clip(text))
	}
	length := read.length + time.Duration(read.days)*24*time.Hour
	if length > longest {
		return 0, fmt.Errorf("%q is too long", clip(text))
	}
	return length, nil
}

func (r lengths) loneNumber() bool {
	return r.ahead(0).kind == digits && (r.at == len(r.tokens)-1 || r.at == len(r.tokens)-3 && (r.sign(1, ".") || r.sign(1, ",")) && r.ahead(2).kind == digits)
}

// colons decodes a duration such as "1:30:00". It sets r.at to -1 for a duration such as "1:30",
// which is ambiguous.
func (r lengths) colons() (time.Duration, bool) {
	h, m, s := r.digits(0, 4), r.digits(2, 2), r.digits(4, 2)
	if !r.sign(1, ":") || h < 0 || m < 0 || m > 59 {
		return 0, false
	}
	switch left := len(r.tokens) - r.at; {
	case left == 5 && r.sign(3, ":") && s >= 0 && s < 60:
		r.at += 5
		return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second, true
	case left == 3:
		r.at = -1
	}
	return 0, false
}

func ambiguousColons(text string, two bool) error {
	if !two {
		return nil
	}
	large, small, _ := strings.Cut(strings.TrimSpace(text), ":")
	return &Ambiguous{Text: clip(text), Readings: []string{large + " h " + small + " min", large + " min " + small + " s"}}
}
