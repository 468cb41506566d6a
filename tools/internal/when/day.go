package when

import (
	"strings"
	"sync"
	"time"
)

type day struct {
	kind    dayKind
	offset  int // days after today if kind is fromToday; otherwise, see [dayKind] and [swapped]
	weekday time.Weekday
	year    int // 0 if the text has none
	month   time.Month
	date    int
}

type dayKind uint8

const (
	fromToday   dayKind = iota + 1
	onWeekday           // the next date on day.weekday, excluding today if offset is 1
	nextWeekday         // the text says "next"
	lastWeekday         // the most recent date on day.weekday, excluding today
	weekdayIn           // in the current, next or last week; offset is 0, 7 or -7
	onDate
	onDayOfMonth
)

var weekdays = sync.OnceValue(func() map[string]time.Weekday {
	table := map[string]time.Weekday{}
	for number, names := range []string{
		"sunday sun sonntag so dimanche dim", "monday mon montag mo lundi", "tuesday tue tues dienstag di mardi", "wednesday wed mittwoch mi mercredi",
		"thursday thu thur thurs donnerstag do jeudi", "friday fri freitag fr vendredi ven", "saturday sat samstag sonnabend sa samedi sam",
	} {
		for _, name := range strings.Fields(names) {
			table[name] = time.Weekday(number)
		}
	}
	return table
})

type days struct{ *tape }

// dayAndPart reads a day: a word such as "tomorrow", a weekday, or a date. For a word such as
// "tonight", it also returns the part of the day.
func (r days) dayAndPart() (found day, p part, ok bool) {
	if found, p, ok = r.namedDay(); ok {
		return found, p, ok
	}
	for _, form := range []func() (day, bool){r.isoDate, r.dottedDate, r.slashedDate, r.namedDate, r.weekday, r.dayOfMonth} {
		before := r.at
		if found, ok = form(); ok {
			return found, noPart, true
		}
		r.at = before
	}
	return day{}, noPart, false
}

// namedDay reads words such as "today" and "tomorrow".
func (r days) namedDay() (day, part, bool) {
	for _, one := range []struct {
		words  string
		offset int
		part   part
	}{
		{"the day after tomorrow", 2, noPart},
		{"day after tomorrow", 2, noPart},
		{"the day before yesterday", -2, noPart},
		{"day before yesterday", -2, noPart},
		{"tomorrow", 1, noPart},
		{"tmrw", 1, noPart},
		{"tmr", 1, noPart},
		{"today", 0, noPart},
		{"yesterday", -1, noPart},
		{"tonight", 0, night},
		{"this morning", 0, morning},
		{"this afternoon", 0, afternoon},
		{"this evening", 0, evening},
		{"uebermorgen", 2, noPart},
		{"morgen frueh", 1, morning},
		{"morgen", 1, noPart},
		{"heute morgen", 0, morning},
		{"heute frueh", 0, morning},
		{"heute nacht", 0, night},
		{"heute", 0, noPart},
		{"gestern", -1, noPart},
		{"vorgestern", -2, noPart},
		{"apres demain", 2, noPart},
		{"demain", 1, noPart},
		{"aujourd'hui", 0, noPart},
		{"hier", -1, noPart},
		{"avant hier", -2, noPart},
		{"ce matin", 0, morning},
		{"cet apres midi", 0, afternoon},
		{"ce soir", 0, evening},
		{"cette nuit", 0, night},
	} {
		if r.take(strings.Fields(one.words)...) {
			return day{kind: fromToday, offset: one.offset}, one.part, true
		}
	}
	return day{}, noPart, false
}

// weekday reads a weekday and the words that belong to it, such as "next" or "last".
func (r days) weekday() (day, bool) {
	found := day{kind: onWeekday}
	offset, inWeek := r.week()
	switch {
	case inWeek:
		r.takeAny("on", "am", "le", ",")
	case r.takeAny("next", "naechsten", "naechster", "naechste"):
		found.kind = nextWeekday
	case r.takeAny("last", "letzten", "vergangenen"):
		found.kind = lastWeekday
	case r.takeAny("this", "coming", "diesen", "kommenden", "ce", "on", "the"):
		r.take("coming")
	}
	weekday, ok := weekdays()[r.word(0)]
	if !ok {
		return day{}, false
	}
	found.weekday = weekday
	r.at++
	if len(r.word(-1)) <= 5 && r.ahead(0).glued {
		r.take(".")
	}
	if !inWeek {
		offset, inWeek = r.week()
	}
	switch {
	case inWeek:
		found.kind, found.offset = weekdayIn, offset
	case r.take("prochain"):
		found.kind = onWeekday
		found.offset = 1 // never today
	case r.takeAny("dernier", "passe"):
		found.kind = lastWeekday
	}
	return found, true
}

// weeks contains expressions such as "next week" and their offsets in days.
var weeks = []struct {
	words  []string
	offset int
}{
	{[]string{"next", "week"}, 7},
	{[]string{"naechste", "woche"}, 7},
	{[]string{"naechster", "woche"}, 7},
	{[]string{"la", "semaine", "prochaine"}, 7},
	{[]string{"this", "week"}, 0},
	{[]string{"diese", "woche"}, 0},
	{[]string{"dieser", "woche"}, 0},
	{[]string{"cette", "semaine"}, 0},
	{[]string{"last", "week"}, -7},
	{[]string{"letzte", "woche"}, -7},
	{[]string{"letzter", "woche"}, -7},
	{[]string{"la", "semaine", "derniere"}, -7},
	{[]string{"la", "semaine", "passee"}, -7},
}

// week reads an expression from [weeks] and returns the offset listed there.
func (r days) week() (offset int, ok bool) {
	at := r.at
	r.takeAny("of", "de")
	for _, one := range weeks {
		if r.take(one.words...) {
			return one.offset, true
		}
	}
	r.at = at
	return 0, false
}

// Weekday returns the weekday with the given English, German or French name.
func Weekday(name string) (time.Weekday, bool) {
	weekday, ok := weekdays()[fold(name)]
	return weekday, ok
}
