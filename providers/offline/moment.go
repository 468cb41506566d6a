package offline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// readWhen and readDate only recognize times and dates. A parser that the tools share interprets
// the text.

var clockShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{1,2}([:.h]\d{2})?(am|pm|h|a\.m\.?|p\.m\.?)?$|^\d{1,2}(st|nd|rd|th|er)$`)
})

var dateShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}(t\d{2}:\d{2}\S*)?$|^\d{1,2}[./]\d{1,2}[./](\d{2,4})?$|^\d{4}$|^\d{1,2}\.$`)
})

// fillers may come before a time and are not part of it.
var fillers = []string{"at", "on", "for", "um", "am", "an", "a", "le", "pour", "fur", "auf", "by", "ab", "gegen", "from"}

// readWhen reads a time, such as "tomorrow at 7" or "vendredi à 10h", or a delay, such as
// "in 2 hours".
func readWhen(s sentence, words []word) (any, bool) {
	if len(words) > 1 && (words[0].folded == "in" || words[0].folded == "dans") {
		if span, ok := readSpan(s, words[1:]); ok {
			return span, true
		}
	}
	if n := len(words); n > 2 && words[n-1].folded == "now" && words[n-2].folded == "from" {
		if words[0].folded == "for" || words[0].folded == "in" {
			words = words[1:]
		}
		return readSpan(s, words[:len(words)-2])
	}
	l := lexicon()
	if l.beginsNoTime(words) {
		return nil, false
	}
	anchored := false
	for i, w := range words {
		if !l.isTime(w) || w.folded == "to" && (i == 0 || words[i-1].folded != "quarter" && l.tables["numbers"][words[i-1].folded] == "") {
			return nil, false // "from 5 to 7" is a range, but "quarter to 7" is a single time
		}
		anchored = anchored || l.anchors[w.folded] || clockShape().MatchString(w.folded) || dateShape().MatchString(w.folded)
	}
	spoken := len(words) > 1 && l.numeral(words[1:])
	if !anchored && !spoken {
		return nil, false
	}
	if last := words[len(words)-1].folded; slices.Contains(fillers, last) && last != "am" || slices.Contains([]string{"in", "the", "of", "de", "ein", "eine", "une", "den", "la", "les"}, last) {
		return nil, false
	}
	oClock := slices.ContainsFunc(words, s.oClock)
	for len(words) > 1 && slices.Contains(fillers, words[0].folded) && words[0].folded != "am" {
		words = words[1:]
	}
	if oClock {
		return fullHours().ReplaceAllString(s.raw(words), "${1}:00"), true
	}
	return s.raw(words), true
}

// fullHours matches hours in French notation.
var fullHours = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(\d{1,2}) ?[hH]\b`) })

// oClock reports whether the preposition before "18h" shows that "18h" is a time of day and not a
// duration.
func (s sentence) oClock(w word) bool {
	at := slices.Index(s.words, w)
	if at < 1 || at+1 >= len(s.words) || s.words[at+1].folded != "h" {
		return false // "18h" is two words
	}
	switch s.words[at-1].folded {
	case "a", "vers", "um", "ab", "des":
		return true
	}
	return false
}

// numeral returns true if one of the words is a number, such as "seven" or "acht".
func (l *wordBook) numeral(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return l.tables["numbers"][w.folded] != "" })
}

// readDate reads a date without a time of day.
func readDate(s sentence, words []word) (any, bool) {
	if len(words) == 1 && dateShape().MatchString(words[0].folded) && len(words[0].folded) > 5 {
		return s.raw(words), true
	}
	l := lexicon()
	if feast, ok := l.meaning("feasts", words); ok {
		return feast, true
	}
	if last := words[len(words)-1]; len(words) < 3 && l.tables["weekdays"][last.folded] != "" && leads(words[:len(words)-1]) {
		return s.raw(words), true
	}
	if distant(words) {
		return s.raw(words), true
	}
	month, number := false, false
	for _, w := range words {
		_, isMonth := l.tables["months"][w.folded]
		month = month || isMonth
		isNumber := clockShape().MatchString(w.folded) || dateShape().MatchString(w.folded)
		number = number || isNumber
		if !isMonth && !isNumber && !slices.Contains([]string{"of", "the", "der", "le", "st", "nd", "rd", "th", "er"}, w.folded) {
			return nil, false
		}
	}
	return s.raw(words), month && number
}

// distant returns true for a date relative to today, such as "in 3 weeks" or "2 days ago".
func distant(words []word) bool {
	l := lexicon()
	if len(words) != 3 {
		return false
	}
	count := words[1:]
	switch lead, last := words[0].folded, words[2].folded; {
	case last == "ago":
		count = words[:2]
	case lead != "in" && lead != "dans" && lead != "vor":
		return false
	}
	number := count[0].folded
	if meaning, ok := l.tables["numbers"][number]; ok {
		number = meaning
	}
	_, err := strconv.Atoi(number)
	return err == nil && l.tables["dates"][count[1].folded] != ""
}

// readSpan reads a duration and returns it in a form such as 1h30m.
func readSpan(_ sentence, words []word) (any, bool) {
	l := lexicon()
	if meaning, ok := l.meaning("spans", words); ok && len(meaning) > 1 {
		return meaning, true
	}
	if len(words) == 1 && compact().MatchString(words[0].folded) && words[0].folded != "" {
		return words[0].folded, true
	}
	if span, ok := l.looseSpan(words); ok {
		return span, true
	}
	var text strings.Builder
	for i := 0; i < len(words); {
		if i > 0 && (words[i].folded == "and" || words[i].folded == "und" || words[i].folded == "et") {
			i++
			continue
		}
		amount, _, glued := strings.Cut(words[i].folded, "-") // "5-minute"
		if meaning, ok := l.tables["numbers"][amount]; ok {
			amount = meaning
		}
		n, err := strconv.Atoi(amount)
		if err != nil || n < 0 || n > 100_000 {
			return nil, false
		}
		at := words[i]
		if glued {
			_, at.folded, _ = strings.Cut(at.folded, "-")
		} else if i++; i >= len(words) {
			return nil, false
		} else {
			at = words[i]
		}
		unit, ok := l.meaning("spans", []word{at})
		switch {
		case !ok || len(unit) != 1:
			return nil, false
		case unit == "d":
			n, unit = 24*n, "h"
		case unit == "w":
			n, unit = 7*24*n, "h"
		}
		text.WriteString(strconv.Itoa(n) + unit)
		i++
	}
	return text.String(), text.Len() > 0
}

// daySpans maps the name of a day or period to a number of days. Today counts as the first day, so
// "tomorrow" is mapped to 2.
var daySpans = sync.OnceValue(func() map[string]int {
	table := map[string]int{}
	for days, names := range map[int]string{
		1:  "du jour, de la journee, von heute, today, todays, tonights, soon, this evening, now, right now, currently, at the moment, tonight, this morning, this afternoon, this evening, later, later today, heute, jetzt, gerade, gerade jetzt, im moment, heute abend, heute nachmittag, heute morgen, heute nacht, heute fruh, heute mittag, heute vormittag, diese nacht, die nacht, cette nuit, la nuit, cet aprem, dans la journee, overnight, later tonight, this morning, aujourd'hui, maintenant, ce soir, ce matin, cet apres-midi, en ce moment, actuellement",
		2:  "tomorrow, tomorrows, tomorrow night, morgen nacht, morgen mittag, morgen vormittag, demain apres-midi, demain midi, demain aprem, tomorrow morning, tomorrow afternoon, tomorrow evening, tmrw, morgen, morgen fruh, morgen abend, morgen nachmittag, demain, demain matin, demain soir",
		3:  "the day after tomorrow, day after tomorrow, ubermorgen, apres-demain",
		7:  "this week, the week, week, my week, weekend, the weekend, this weekend, on the weekend, at the weekend, over the weekend, these days, next days, the next days, the next few days, next few days, coming days, diese woche, die woche, wochenende, am wochenende, dieses wochenende, die nachsten tage, in den nachsten tagen, kommende tage, cette semaine, la semaine, ce week-end, le week-end, week-end, ce weekend, les prochains jours, ces prochains jours",
		14: "next week, the next week, coming week, nachste woche, die nachste woche, kommende woche, la semaine prochaine, semaine prochaine",
		31: "this month, the month, next month, diesen monat, ce mois, ce mois-ci, nachsten monat, le mois prochain",
	} {
		for name := range strings.SplitSeq(names, ", ") {
			table[name] = days
		}
	}
	return table
})

// readDays converts words such as "tomorrow" or "the next 10 days" to a number of days, including
// today. For the name of a weekday, the number is 7.
func readDays(s sentence, words []word) (any, bool) {
	if words[0].quoted {
		return nil, false
	}
	l := lexicon()
	words = slices.Clone(words)
	for i := range words {
		words[i].folded = l.corrected(words[i].folded)
	}
	for i, w := range words {
		switch w.folded {
		case "and", "or", "und", "oder", "et", "ou": // "today and tomorrow" means 2 days
			if i == 0 || i == len(words)-1 {
				return nil, false
			}
			first, ok := readDays(s, words[:i])
			second, ok2 := readDays(s, words[i+1:])
			if !ok || !ok2 {
				return nil, false
			}
			return max(first.(int), second.(int)), true
		}
	}
	words = l.wholeDay(words)
	for first := range words {
		if days, ok := daySpans()[joined(words[first:])]; ok && leads(words[:first]) {
			return days, true
		}
	}
	last := words[len(words)-1]
	if l.anchors[last.folded] && len(words) <= 3 && leads(words[:len(words)-1]) {
		return 7, true
	}
	// "the next 10 days", "in den nächsten 3 Tagen", "pour 5 jours"
	if unit, ok := l.meaning("spans", words[len(words)-1:]); ok && len(words) >= 2 && (unit == "d" || unit == "w") {
		number, ok := readInteger(s, words[len(words)-2:len(words)-1])
		if !ok || !leads(words[:len(words)-2]) {
			return nil, false
		}
		days := number.(int)
		if unit == "w" {
			days *= 7
		}
		return days, days > 0 && days <= 366
	}
	return nil, false
}

// leads returns true if every word can introduce a day or a number of days.
func leads(words []word) bool {
	for _, w := range words {
		switch w.folded {
		case "on", "for", "the", "next", "this", "coming", "in", "of", "am", "den", "die", "nachsten", "fur", "diesen", "kommenden", "pour", "les", "prochains", "le", "prochain", "ce", "dans", "over", "during", "nachste":
		default:
			return false
		}
	}
	return true
}
