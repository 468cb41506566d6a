package when

import (
	"fmt"
	"strings"
	"time"
)

type zones struct{ *tape }

// timeZone reads a time zone such as "+01:00", "UTC+2", "CET" or "Europe/Berlin".
func (r zones) timeZone() (*time.Location, bool, error) {
	named := r.takeAny("utc", "gmt")
	if r.ahead(0).text == "+" || r.ahead(0).text == "-" {
		// In "10:00 -05:00", "-05:00" is a zone. "10:00-11:00" and "10:00 - 11:00" are probably
		// ranges.
		before, minus := r.at, r.ahead(0).text == "-" && r.ahead(0).glued == r.ahead(1).glued
		if zone, ok := r.offset(); ok {
			if minus && !r.exact && !named {
				begin := before - 1
				for begin > 0 && r.tokens[begin].glued {
					begin--
				}
				from, to := r.written(begin, before), r.written(before+1, r.at)
				return nil, false, &Ambiguous{Text: from + "-" + to, Readings: []string{"from " + from + " to " + to, from + " UTC-" + to}}
			}
			return zone, true, nil
		}
	}
	if named {
		return time.UTC, true, nil
	}
	name := r.word(0)
	if readings := severalZones(name); len(readings) > 0 {
		return nil, false, &Ambiguous{Text: strings.ToUpper(name), Readings: readings}
	}
	if offset, ok := zoneOffset(name); ok {
		r.at++
		return time.FixedZone(strings.ToUpper(name), offset*60), true, nil
	}
	return r.namedZone()
}

// offset parses a UTC offset such as "+01:00", "+0100" or "+1".
func (r zones) offset() (*time.Location, bool) {
	factor := 60
	if r.ahead(0).text == "-" {
		factor = -60
	}
	hours, minutes, used := r.digits(1, 2), 0, 2
	switch {
	case r.digits(1, 4) >= 0 && len(r.ahead(1).text) == 4:
		hours, minutes = r.digits(1, 4)/100, r.digits(1, 4)%100
	case r.sign(2, ":") && r.digits(3, 2) >= 0:
		minutes, used = r.digits(3, 2), 4
	}
	if hours < 0 || hours > 15 || minutes > 59 {
		return nil, false
	}
	r.at += used
	return time.FixedZone("", factor*(hours*60+minutes)), true
}

// namedZone reads an IANA time zone such as "Europe/Berlin". It returns an error for an unknown
// zone.
func (r zones) namedZone() (*time.Location, bool, error) {
	end := 0
	var name strings.Builder
	for r.word(end) != "" && (end == 0 || r.ahead(end).glued || strings.HasSuffix(name.String(), "_")) {
		name.WriteString(title(r.word(end)))
		end++
		if next := r.ahead(end).text; next == "/" || next == "_" {
			name.WriteString(next)
			end++
		}
	}
	if !strings.Contains(name.String(), "/") {
		return nil, false, nil
	}
	zone, err := time.LoadLocation(name.String())
	if err != nil {
		return nil, false, fmt.Errorf("the time zone %s is not known here", name.String())
	}
	r.at += end
	return zone, true, nil
}

func title(text string) string {
	switch text {
	case "of", "es", "au":
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// zoneOffset returns how many minutes east of Greenwich a zone is, such as 60 for "cet". It returns
// false for an ambiguous or unknown abbreviation.
func zoneOffset(name string) (int, bool) {
	switch name {
	case "wet":
		return 0, true
	case "cet", "mez":
		return 60, true
	case "cest", "mesz", "eet":
		return 120, true
	case "eest", "msk":
		return 180, true
	case "jst", "kst":
		return 540, true
	case "est":
		return -300, true
	case "edt":
		return -240, true
	case "cdt":
		return -300, true
	case "mdt":
		return -360, true
	case "mst":
		return -420, true
	case "pdt":
		return -420, true
	case "pst":
		return -480, true
	}
	return 0, false
}

// severalZones returns the meanings of an ambiguous abbreviation.
func severalZones(name string) []string {
	switch name {
	case "ist":
		return []string{"+05:30 (India)", "+02:00 (Israel)", "+01:00 (Ireland)"}
	case "cst":
		return []string{"-06:00 (America)", "+08:00 (China)"}
	case "bst":
		return []string{"+01:00 (Britain)", "+06:00 (Bangladesh)"}
	}
	return nil
}
