package when

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"marvin/tools/internal/text"
)

// Ambiguous is the error for text that has more than one likely meaning.
type Ambiguous struct {
	Text     string
	Readings []string // the likely meanings, written unambiguously
}

func (a *Ambiguous) Error() string {
	return fmt.Sprintf("%q may mean %s; say which", a.Text, strings.Join(a.Readings, " or "))
}

// undecided checks whether the whole text is ambiguous or lacks a unit. It also rewrites r.tokens
// so that "7h30" and "1800 hours" are parsed as times of day, and "25.12" as a date.
func (r *reader) undecided(text string) error {
	two := func(readings ...string) error { return &Ambiguous{Text: text, Readings: readings} }
	first, count := r.ahead(0), len(r.tokens)
	switch {
	case count == 1 && first.kind == digits && len(first.text) == 4 && first.text >= "2020" && first.text <= "2059":
		return two(first.text[:2]+":"+first.text[2:], "the year "+first.text)
	case count == 1 && first.kind == digits && len(first.text) <= 3 && r.digits(0, 3) > 24:
		return fmt.Errorf("%q is not a time of day; a length of time needs a unit, such as %s minutes", text, first.text)
	case count == 2 && (first.text == "in" || first.text == "dans") && r.ahead(1).kind == digits:
		return fmt.Errorf("%q: %w, such as %s minutes or %s hours", text, ErrNoUnit, r.ahead(1).text, r.ahead(1).text)
	case count == 3 && r.sign(1, ".") && r.digits(0, 2) >= 0 && r.digits(2, 2) > 0:
		hour, minute := r.digits(0, 2), r.digits(2, 2)
		isDate := hour >= 1 && hour <= 31 && minute <= 12
		isClock := hour < 24 && minute < 60 && len(r.ahead(2).text) == 2
		switch {
		case isDate && isClock:
			return two(fmt.Sprintf("%02d:%02d", hour, minute), date(hour, minute))
		case isDate:
			r.tokens = append(r.tokens, token{text: ".", kind: sign, glued: true})
		}
	}
	hours := r.ahead(1).text
	if first.kind == digits && len(first.text) == 4 && count == 2 && (hours == "hours" || hours == "hrs") {
		r.tokens = r.tokens[:1] // 1800 hours is six in the evening
		return nil
	}
	spelled, isNumber := r.spelled()
	switch {
	case count == 2 && isNumber && (hours == "heures" || hours == "heure"):
		return two(fmt.Sprintf("%02d:00", spelled), "in "+strconv.Itoa(spelled)+" hours")
	case count == 2 && hours == "h" && spelled >= 5 && spelled < 24:
		// "2h" is probably a duration, but "14h" is ambiguous.
		return two(fmt.Sprintf("%02d:00", spelled), "in "+strconv.Itoa(spelled)+" hours")
	case count == 3 && isNumber && spelled < 5 && (hours == "h" || hours == "heures" || hours == "heure") && r.digits(2, 2) >= 10:
		return two(fmt.Sprintf("%02d:%02d", spelled, r.digits(2, 2)), fmt.Sprintf("in %d h %d min", spelled, r.digits(2, 2)))
	case count == 3 && isNumber && (hours == "h" || hours == "heures") && len(r.ahead(2).text) == 2 && r.digits(2, 2) >= 0 && spelled < 24:
		r.tokens[1] = token{text: ":", kind: sign, glued: true} // "7h30" is probably a time of day
		r.tokens[2].glued = true
	}
	return nil
}

func (r *reader) spelled() (int, bool) {
	if value := r.digits(0, 2); value >= 0 {
		return value, value <= 24
	}
	return wordNumber(r.word(0))
}

// date returns text such as "3 December".
func date(day, month int) string {
	return strconv.Itoa(day) + " " + time.Month(month).String()
}

func clip(said string) string { return text.Clip(said, 60) }
