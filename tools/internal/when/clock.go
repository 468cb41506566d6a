package when

import "strings"

// clock is a time of day in the parsed text.
type clock struct {
	hour, minute, second int // 24:00 is the end of the day
	// The hour could be a.m. or p.m., as in "seven o'clock".
	half     bool
	midnight bool // midnight: either the beginning or the end of the day
	note     string
}

type part uint8

const (
	noPart part = iota
	morning
	noonish
	afternoon
	evening
	night
)

type clocks struct{ *tape }

// timeOfDay reads a time of day. A number alone counts as an hour.
func (r clocks) timeOfDay() (clock, bool) {
	for _, form := range []func() (clock, bool){r.namedClock, r.pastTo, r.germanHalf, r.frenchClock, r.numericClock} {
		before := r.at
		if found, ok := form(); ok {
			return r.meridiem(found)
		}
		r.at = before
	}
	return r.bareClock()
}

// numericClock reads times such as "7:30", "07:30:15", "7.30 Uhr", "10 Uhr 30", "7 o'clock", "7am"
// and "1930".
func (r clocks) numericClock() (clock, bool) {
	first := r.ahead(0)
	hour, minute := r.digits(0, 2), r.digits(2, 2)
	if (r.sign(1, ":") || r.sign(1, ".") && !r.ahead(3).glued || r.sign(1, ".") && r.ahead(3).kind == word) && minute >= 0 && len(r.ahead(2).text) == 2 {
		dotted := r.ahead(1).text == "."
		found := clock{hour: hour, minute: minute, half: hour >= 1 && hour <= 12 && (len(first.text) == 1 || hour >= 10)}
		r.at += 3
		if second := r.digits(1, 2); !dotted && r.sign(0, ":") && second >= 0 && len(r.ahead(1).text) == 2 {
			found.second, r.exact = second, true
			r.at += 2
			if r.sign(0, ".") && r.ahead(1).kind == digits { // fractions of a second
				r.at += 2
			}
		}
		r.takeAny("uhr", "h")
		return found, found.valid()
	}
	if first.kind == digits && (len(first.text) == 4 || len(first.text) == 6 && r.word(-1) == "t") && r.ahead(1).kind != digits {
		two := func(at int) int { return int(first.text[at]-'0')*10 + int(first.text[at+1]-'0') }
		found := clock{hour: two(0), minute: two(2)}
		if len(first.text) == 6 { // 20261203T100000Z
			found.second = two(4)
		}
		r.at++
		r.takeAny("uhr", "hours", "hrs")
		return found, found.valid() && found.hour < 24
	}
	hour, ok := r.readInteger()
	if !ok || hour > 24 {
		return clock{}, false
	}
	found := clock{hour: hour, half: hour >= 1 && hour <= 12}
	switch {
	case r.takeAny("o'clock", "oclock"), r.take("o", "clock"):
		return found, true
	case r.take("uhr"):
		if minute, ok := r.frenchMinute(&found); ok {
			found.minute = minute
		}
		return found, found.valid()
	}
	if minute, ok := r.spokenMinute(); ok { // seven thirty
		found.minute = minute
		return found, true
	}
	return found, r.meridiemNext()
}

// spokenMinute reads the minutes after an hour, as in "seven thirty". The hour and the minutes must
// be written in words.
func (r clocks) spokenMinute() (int, bool) {
	if r.ahead(-1).kind != word || r.ahead(0).kind != word {
		return 0, false
	}
	before := r.at
	minute, ok := r.readInteger()
	if _, isUnit := unitOf(r.word(0)); !ok || minute < 10 || minute > 59 || isUnit {
		r.at = before
		return 0, false
	}
	return minute, true
}

func (c clock) valid() bool {
	return c.hour < 24 && c.minute < 60 && c.second < 60 || c.hour == 24 && c.minute == 0 && c.second == 0
}

// bareClock reads an hour without minutes, such as "7" or "seven".
func (r clocks) bareClock() (clock, bool) {
	leading := strings.HasPrefix(r.ahead(0).text, "0")
	hour, ok := r.readInteger()
	if !ok || hour > 24 || article(r.word(-1)) {
		return clock{}, false
	}
	return r.meridiem(clock{hour: hour, half: hour >= 1 && hour <= 12 && !leading})
}

// meridiemNext reports whether "am" or "pm" follows. The German "am" in "um 7 am Freitag" does not
// count.
func (r clocks) meridiemNext() bool {
	switch r.word(0) {
	case "pm":
		return true
	case "am":
		return !r.germanDay(1)
	}
	return (r.is("a", ".", "m") || r.is("p", ".", "m")) && r.ahead(1).glued
}

// germanDay reports whether r.ahead(n) can follow the German "am", as in "am Freitag".
func (r clocks) germanDay(n int) bool {
	if r.ahead(n).kind == digits {
		return true
	}
	_, known := weekdays()[r.word(n)]
	return known && (strings.HasSuffix(r.word(n), "tag") || r.word(n) == "mittwoch") || r.word(n) == "abend" || r.word(n) == "morgen" || strings.HasSuffix(r.word(n), "mittag")
}

// meridiem applies a following "am" or "pm" to a time. "13pm" means 13:00, but "15am" is invalid.
func (r clocks) meridiem(found clock) (clock, bool) {
	if found.midnight || !r.meridiemNext() {
		return found, true
	}
	after := strings.HasPrefix(r.word(0), "p")
	if !r.takeAny("am", "pm") {
		r.at += 3
		r.take(".")
	}
	switch {
	case found.hour > 12 && !after, found.hour == 24, found.hour == 0 && after:
		return found, false
	case after && found.hour < 12:
		found.hour += 12
	case !after && found.hour == 12:
		found.hour = 0
	}
	found.half = false
	return found, true
}

// inPart adjusts an ambiguous hour to a part of the day. It returns false if the hour contradicts
// that part, such as 15:00 in the morning.
func (c clock) inPart(p part) (placed clock, ok bool) {
	if p == noPart || c.midnight {
		return c, true
	}
	if !c.half {
		return c, p != morning || c.hour < 12
	}
	c.half = false
	switch p {
	case morning:
		if c.hour == 12 {
			return c, false
		}
	case noonish:
		if c.hour < 5 {
			c.hour += 12
		}
	case afternoon, evening:
		if c.hour == 12 {
			return c, p == afternoon
		}
		c.hour += 12
	case night:
		switch {
		case c.hour == 12:
			c.hour, c.midnight = 0, c.minute == 0
		case c.hour >= 6:
			c.hour += 12
		}
	}
	return c, true
}
