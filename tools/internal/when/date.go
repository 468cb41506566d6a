package when

import (
	"strings"
	"sync"
	"time"
)

var months = sync.OnceValue(func() map[string]time.Month {
	table := map[string]time.Month{}
	for number, names := range []string{
		"january jan januar jaenner janvier janv", "february feb februar feber fevrier fev fevr", "march mar maerz mrz marz mars", "april apr avril avr",
		"may mai", "june jun juni juin", "july jul juli juillet juil", "august aug aout", "september sep sept septembre",
		"october oct oktober okt octobre", "november nov novembre", "december dec dezember dez decembre",
	} {
		for _, name := range strings.Fields(names) {
			table[name] = time.Month(number + 1)
		}
	}
	return table
})

// isoDate reads "2026-12-03", "2026/12/03", "2026.12.03" and "20261203". It skips the "T" between a
// date and a time of day.
func (r days) isoDate() (day, bool) {
	found := day{kind: onDate, year: r.digits(0, 4)}
	if first := r.ahead(0); first.kind == digits && len(first.text) == 8 {
		whole := r.digits(0, 8)
		found.year, found.month, found.date = whole/10000, time.Month(whole/100%100), whole%100
		r.at++
	} else {
		between := r.ahead(1).text
		if len(first.text) != 4 || between != "-" && between != "/" && between != "." || r.ahead(3).text != between || r.digits(2, 2) < 0 || r.digits(4, 2) < 0 {
			return day{}, false
		}
		found.month, found.date = time.Month(r.digits(2, 2)), r.digits(4, 2)
		r.at += 5
	}
	if r.word(0) == "t" && r.ahead(0).glued && r.ahead(1).kind == digits {
		r.at++
		r.exact = true
	}
	return found, found.year > 0
}

// dottedDate reads German dates such as "3.12.2026" and "3.12.26". A date without a year must end
// with a dot ("3.12.") or follow a word such as "am" ("am 3.12").
func (r days) dottedDate() (day, bool) {
	found := day{kind: onDate, date: r.digits(0, 2), month: time.Month(r.digits(2, 2))}
	if !r.is(r.ahead(0).text, ".") || found.date < 0 || found.month < 0 {
		return day{}, false
	}
	switch before := r.word(-1); {
	case r.ahead(3).text == "." && r.ahead(4).kind == digits && (len(r.ahead(4).text) == 4 || len(r.ahead(4).text) == 2 && r.ahead(4).glued && r.ahead(5).text != ":"):
		found.year = century(r.ahead(4).text)
		r.at += 5
	case r.ahead(3).text == "." && r.ahead(3).glued:
		r.at += 4
	case before == "am" || before == "vom" || before == "den" || before == "dem" || before == "le":
		r.at += 3
	default:
		return day{}, false
	}
	return found, true
}

// century parses a year. It adds 2000 to a two-digit year.
func century(text string) int {
	year := 0
	for _, digit := range text {
		year = year*10 + int(digit-'0')
	}
	if len(text) == 2 {
		year += 2000
	}
	return year
}

// slashedDate reads dates such as 13/12/2026 and 12/25. If day and month could be swapped, as in
// 3/12, the offset of the result is [swapped].
func (r days) slashedDate() (day, bool) {
	between := r.ahead(1).text
	first, second := r.digits(0, 2), r.digits(2, 2)
	if between != "/" && between != "-" || first < 1 || second < 1 || !r.sign(1, between) {
		return day{}, false
	}
	found := day{kind: onDate, date: first, month: time.Month(second)}
	withYear := r.sign(3, between) && r.ahead(4).kind == digits && (len(r.ahead(4).text) == 4 || len(r.ahead(4).text) == 2)
	switch {
	case withYear:
		found.year = century(r.ahead(4).text)
		r.at += 5
	case between == "-":
		return day{}, false // "10-11" is probably a range of hours
	default:
		r.at += 3
	}
	if second > 12 && first <= 12 {
		found.date, found.month = second, time.Month(first)
	} else if first <= 12 && first != second {
		found.offset = swapped // either number could be the month
	}
	return found, true
}

// swapped is the value of day.offset if either number could be the month, as in "3/12".
const swapped = 1

// namedDate reads "3 December", "Dec 3rd 2026", "December 3", "3. Dezember" and "1er mai".
func (r days) namedDate() (day, bool) {
	r.takeAny("the", "le", "den", "dem")
	found := day{kind: onDate}
	if month, ok := months()[r.word(0)]; ok && r.digits(1, 2) > 0 || ok && r.ahead(1).text == "." && r.digits(2, 2) > 0 {
		found.month = month
		r.at++
		r.take(".")
		found.date = r.digits(0, 2)
		r.at++
		r.ordinal()
		if r.sign(0, ":") || r.takeAny("am", "pm") { // "december 7:30"
			return day{}, false
		}
	} else {
		found.date = r.digits(0, 2)
		if found.date < 1 {
			return day{}, false
		}
		r.at++
		r.ordinal()
		r.takeAny("of", "de")
		month, ok := months()[r.word(0)]
		if !ok {
			return day{}, false
		}
		found.month = month
		r.at++
	}
	if r.ahead(0).text == "." && r.ahead(0).glued {
		r.at++
	}
	before := r.at
	r.take(",")
	if year := r.digits(0, 4); len(r.ahead(0).text) == 4 && isYear(year) && !r.sign(1, ":") {
		found.year = year
		r.at++
	} else {
		r.at = before
	}
	return found, true
}

// isYear reports whether four digits after a month are more likely a year than a time of day.
func isYear(number int) bool {
	return number >= 1900 && number < 2200 || number >= 1000 && (number/100 > 23 || number%100 > 59)
}

// ordinal skips the suffix of a number such as "3rd", "3." or "1er".
func (r days) ordinal() bool {
	if r.ahead(0).glued && r.takeAny("st", "nd", "rd", "th", "er", "ere", "e") {
		return true
	}
	return r.ahead(0).glued && !r.ahead(1).glued && r.take(".")
}

// dayOfMonth reads "the 3rd", "am 3.", "le 3".
func (r days) dayOfMonth() (day, bool) {
	before := r.word(-1)
	if r.takeAny("the", "den", "dem", "le") {
		before = r.word(-1)
	}
	found := day{kind: onDayOfMonth, date: r.digits(0, 2)}
	if found.date < 1 || found.date > 31 {
		return day{}, false
	}
	r.at++
	dot := r.is(".")
	named := before == "am" || before == "den" || before == "dem" || before == "vom"
	switch {
	case r.word(0) != "e" && r.ordinal() && (!dot || named):
		return found, true
	case before == "le" && (r.done() || r.ahead(0).kind == word && r.word(0) != "h" && r.word(0) != "heures"):
		return found, true
	}
	return day{}, false
}
