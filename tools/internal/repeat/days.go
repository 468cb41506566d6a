package repeat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marvin/tools/internal/when"
)

// ordinal parses a word such as "first" or "2nd". It returns -1 for "last", and 0 for an unknown
// word.
func ordinal(word string) int {
	for number, names := range map[int]string{
		1: "first 1st ersten erster premier première 1er", 2: "second 2nd zweiten zweiter deuxième 2e", 3: "third 3rd dritten dritter troisième 3e",
		4: "fourth 4th vierten vierter quatrième 4e", -1: "last letzten letzter dernier dernière",
	} {
		if slices.Contains(strings.Fields(names), word) {
			return number
		}
	}
	return 0
}

// monthDay reads "15th", "15." or "last day". It returns the day of the month, -1 for the last day,
// or 0 for other words.
func monthDay(words []string) int {
	switch {
	case len(words) == 2 && slices.Contains([]string{"day", "tag", "jour"}, words[1]):
		return ordinal(words[0])
	case len(words) != 1:
		return 0
	}
	if number := ordinal(words[0]); number > 0 {
		return number
	}
	digits := words[0]
	for _, ending := range []string{"st", "nd", "rd", "th", "."} {
		digits = strings.TrimSuffix(digits, ending)
	}
	if number, err := strconv.Atoi(digits); err == nil && digits != words[0] && number >= 1 && number <= 31 {
		return number
	}
	return 0
}

// inMonth reads descriptions such as "first monday of the month", "the last day of every month" and
// "letzten freitag im monat".
func inMonth(text string) (rule string, ok bool) {
	for _, beginning := range []string{"every month on ", "monthly on ", "jeden monat am "} {
		if rest, cut := strings.CutPrefix(text, beginning); cut {
			text = rest + " of the month"
		}
	}
	for _, ending := range []string{" of the month", " of every month", " of each month", " in the month", " of a month", " im monat", " des monats", " eines monats", " jedes monats", " du mois", " de chaque mois"} {
		rest, cut := strings.CutSuffix(text, ending)
		if !cut {
			continue
		}
		words := slices.DeleteFunc(strings.Fields(rest), func(word string) bool {
			return slices.Contains([]string{"on", "the", "am", "an", "every", "each", "jeden", "jeder", "chaque", "le", "la"}, word)
		})
		if day := monthDay(words); day != 0 {
			return fmt.Sprintf("FREQ=MONTHLY;BYMONTHDAY=%d", day), true
		}
		if len(words) != 2 {
			return "", false
		}
		day, is := when.Weekday(words[1])
		if is && ordinal(words[0]) == 0 { // "lundi premier"
			return "", false
		}
		return fmt.Sprintf("FREQ=MONTHLY;BYDAY=%d%s", ordinal(words[0]), short(day.String())), is
	}
	return "", false
}

// ordinalDay reads the words that follow "every", such as "other day", "second tuesday" and "last
// friday".
func ordinalDay(words []string) (rule string, ok bool) {
	if len(words) != 2 {
		return "", false
	}
	number := ordinal(words[0])
	if slices.Contains([]string{"other", "anderen"}, words[0]) {
		number = 2
	}
	day, is := when.Weekday(words[1])
	switch {
	case number == 2 && slices.Contains([]string{"day", "tag", "jour"}, words[1]):
		return "FREQ=DAILY;INTERVAL=2", true
	case number == 2 && slices.Contains([]string{"week", "woche", "semaine"}, words[1]):
		return "FREQ=WEEKLY;INTERVAL=2", true
	case number == 2 && slices.Contains([]string{"month", "monat", "mois"}, words[1]):
		return "FREQ=MONTHLY;INTERVAL=2", true
	case number == 2 && is:
		return "FREQ=WEEKLY;INTERVAL=2;BYDAY=" + short(day.String()), true
	case number != 0 && is:
		return fmt.Sprintf("FREQ=MONTHLY;BYDAY=%d%s", number, short(day.String())), true
	}
	return "", false
}

// ExpandSpans replaces the first span of days, such as "monday to friday", with "every" and the
// names of the days.
func ExpandSpans(words []string) []string {
	for i := 0; i < len(words); i++ {
		from, to, cut := strings.Cut(strings.ToLower(words[i]), "-")
		last := i
		if !cut && i+2 < len(words) && slices.Contains([]string{"to", "through", "thru", "till", "until", "bis", "à", "au", "-", "–"}, strings.ToLower(words[i+1])) {
			to, last, cut = strings.ToLower(words[i+2]), i+2, true
		}
		first, is := when.Weekday(from)
		end, ends := when.Weekday(to)
		if !cut || !is || !ends || first == end {
			continue
		}
		begin := i
		for begin > 0 && slices.Contains([]string{"from", "von", "du", "de", "on", "every", "jeden", "chaque"}, strings.ToLower(words[begin-1])) {
			begin--
		}
		days := []string{"every"}
		for day := first; ; day = (day + 1) % 7 {
			days = append(days, strings.ToLower(day.String()))
			if day == end {
				break
			}
			days = append(days, "and")
		}
		return slices.Concat(words[:begin], days, words[last+1:])
	}
	return words
}

func short(day string) string { return strings.ToUpper(day[:2]) }
