package repeat

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"marvin/tools"
	"marvin/tools/internal/text"
	"marvin/tools/internal/when"
)

// Parse converts a description such as "every monday and thursday until 2027-06-30", "monthly 6
// times" or "jeden Dienstag" to a rule (RFC 5545, 3.3.10). If the text is already a rule, Parse
// validates the rule.
func Parse(text string, start time.Time, allDay bool) (string, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if text == "" || text == "none" || text == "never" || text == "no" {
		return "", nil
	}
	if rule, isRule := strings.CutPrefix(strings.TrimPrefix(strings.ToUpper(text), "RRULE:"), "FREQ="); isRule {
		return ValidRule("FREQ="+strings.ReplaceAll(rule, " ", ""), start)
	}
	how, ends, err := ending(text, start, allDay)
	if err != nil {
		return "", err
	}
	rule, ok := Words(how)
	if !ok {
		return "", tools.Advise(fmt.Errorf("%q is not a repetition", clip(text)), "Write daily, weekly, monthly, yearly, every 2 weeks, every monday and thursday, or weekdays; you can add \"until 2027-06-30\" or \"6 times\".")
	}
	return ValidRule(rule+ends, start)
}

// ending determines the repetition in text and its end, which is a date or a count. It returns the
// end as a part of a rule, such as ";COUNT=6".
func ending(text string, start time.Time, allDay bool) (rest, end string, err error) {
	for _, word := range []string{" until ", " till ", " bis ", " jusqu'au ", " jusqu'à "} {
		how, last, ok := strings.Cut(text, word)
		if !ok {
			continue
		}
		moment, err := when.Parse(last, start)
		if err != nil {
			return "", "", err
		}
		day := moment.Time
		end := time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, start.Location())
		switch {
		case end.Before(start): // end is 23:59:59, so a series can end on its first day
			return "", "", fmt.Errorf("the series ends on %s, before it begins", when.Day(day))
		case allDay:
			return how, ";UNTIL=" + day.Format("20060102"), nil
		default: // if UNTIL contains a time, it must be in UTC
			return how, ";UNTIL=" + end.UTC().Format("20060102T150405Z"), nil
		}
	}
	words := strings.Fields(text)
	if n := len(words) - 2; n > 0 && slices.Contains([]string{"times", "mal", "fois", "occurrences"}, words[n+1]) {
		count, err := strconv.Atoi(words[n])
		if err != nil || count < 1 || count > 1000 {
			return "", "", fmt.Errorf("%q does not say how often the event takes place", words[n])
		}
		return strings.TrimSuffix(strings.Join(words[:n], " "), " for"), ";COUNT=" + words[n], nil
	}
	return text, "", nil
}

// Words converts text such as "every monday" to an RFC 5545 rule. It rejects text with an end date
// or a number of repetitions.
func Words(text string) (rule string, ok bool) {
	if rest, each := strings.CutPrefix(text, "each "); each {
		text = "every " + rest
	}
	if rule, ok := inMonth(text); ok {
		return rule, true
	}
	if rule, ok := parseExcept(text); ok {
		return rule, true
	}
	switch text {
	case "daily", "every day", "täglich", "jeden tag", "tous les jours", "chaque jour", "quotidien",
		"every morning", "every afternoon", "every evening", "every night", "jeden morgen", "jeden nachmittag", "jeden abend", "jede nacht",
		"tous les matins", "chaque matin", "tous les soirs", "chaque soir", "chaque nuit":
		return "FREQ=DAILY", true
	case "weekly", "every week", "wöchentlich", "jede woche", "toutes les semaines", "chaque semaine", "hebdomadaire":
		return "FREQ=WEEKLY", true
	case "biweekly", "fortnightly":
		return "FREQ=WEEKLY;INTERVAL=2", true
	case "monthly", "every month", "monatlich", "jeden monat", "tous les mois", "chaque mois", "mensuel":
		return "FREQ=MONTHLY", true
	case "quarterly", "every quarter", "vierteljährlich":
		return "FREQ=MONTHLY;INTERVAL=3", true
	case "yearly", "annually", "every year", "jährlich", "jedes jahr", "tous les ans", "chaque année", "annuel":
		return "FREQ=YEARLY", true
	case "weekdays", "every weekday", "on weekdays", "every workday", "workdays", "every business day", "every working day", "on business days", "werktags", "jeden werktag", "en semaine":
		return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", true
	case "weekends", "every weekend", "on weekends", "am wochenende", "jedes wochenende", "le week-end":
		return "FREQ=WEEKLY;BYDAY=SA,SU", true
	}
	for _, every := range []string{"weekly on ", "every ", "jeden ", "jede ", "jedes ", "alle ", "chaque ", "tous les ", "toutes les ", "on "} {
		if rest, cut := strings.CutPrefix(text, every); cut {
			if rule, ok = everySo(rest); ok {
				return rule, true
			}
		}
	}
	return "", false
}

func parseExcept(text string) (rule string, ok bool) {
	for _, word := range []string{" except ", " but not ", " außer ", " sauf "} {
		all, without, cut := strings.Cut(text, word)
		if !cut || !slices.Contains([]string{"every day", "daily", "jeden tag", "täglich", "tous les jours"}, all) {
			continue
		}
		rule, ok = Words("every " + strings.TrimPrefix(strings.TrimPrefix(without, "on "), "am "))
		if plural, is := Words(without); is { // weekends
			rule, ok = plural, true
		}
		days, weekly := strings.CutPrefix(rule, "FREQ=WEEKLY;BYDAY=")
		if !ok || !weekly {
			return "", false
		}
		left := slices.DeleteFunc(strings.Split("MO,TU,WE,TH,FR,SA,SU", ","), func(day string) bool { return strings.Contains(days, day) })
		return "FREQ=WEEKLY;BYDAY=" + strings.Join(left, ","), len(left) > 0
	}
	return "", false
}

// everySo reads the words that follow "every", such as "2 weeks" or "monday and thursday".
func everySo(text string) (string, bool) {
	words := strings.Fields(strings.NewReplacer(",", " ", "/", " ", " & ", " ", " and ", " ", " und ", " ", " et ", " ").Replace(text))
	if rule, ok := ordinalDay(words); ok {
		return rule, true
	}
	if len(words) == 2 {
		count, err := strconv.Atoi(words[0])
		if named, ok := map[string]int{"two": 2, "zwei": 2, "deux": 2, "three": 3, "drei": 3, "trois": 3, "four": 4, "vier": 4, "quatre": 4}[words[0]]; ok {
			count, err = named, nil
		}
		if err == nil && count > 0 && count < 400 {
			for unit, names := range map[string]string{
				"DAILY": "days tage jours", "WEEKLY": "weeks wochen semaines", "MONTHLY": "months monate mois", "YEARLY": "years jahre ans",
			} {
				if slices.Contains(strings.Fields(names), words[1]) {
					return "FREQ=" + unit + ";INTERVAL=" + strconv.Itoa(count), true
				}
			}
		}
	}
	var days []string
	for _, name := range words {
		weekday, ok := when.Weekday(strings.TrimSuffix(name, "s"))
		if !ok {
			return "", false
		}
		days = append(days, strings.ToUpper(weekday.String()[:2]))
	}
	return "FREQ=WEEKLY;BYDAY=" + strings.Join(days, ","), len(days) > 0
}

// ParseFirst is like [Parse], but also accepts a start that does not match the rule. It returns the
// rule and the first occurrence: the given start, or the first later time that matches the rule.
func ParseFirst(text string, start time.Time) (rule string, first time.Time, err error) {
	rule, failed := Parse(text, start, false)
	if failed == nil {
		return rule, start, nil
	}
	for day := 1; day < 7; day++ { // "every second tuesday" begins on the next Tuesday
		first = start.AddDate(0, 0, day)
		if rule, err = Parse(text, first, false); err == nil {
			return rule, first, nil
		}
	}
	text = strings.ToLower(text)
	how, _, err := ending(text, start, false)
	if err != nil {
		return "", start, err
	}
	value, ok := Words(how)
	if !ok {
		value, _, _ = strings.Cut(strings.TrimPrefix(strings.ToUpper(how), "RRULE:"), ";UNTIL=")
	}
	followed, err := Rule(value, start, start.AddDate(5, 0, 0))
	if err != nil {
		return "", start, failed
	}
	if first = firstOf(followed, start); first.IsZero() {
		return "", start, failed
	}
	rule, err = Parse(text, first, false)
	return rule, first, err
}

// ValidRule returns a rule unchanged. It returns an error if the rule is invalid, or if the series
// does not include the start. Other programs disagree on whether a start outside the series is an
// occurrence.
func ValidRule(value string, start time.Time) (string, error) {
	if strings.ContainsAny(value, ":\r\n") {
		return "", errors.New("that is not a valid RFC 5545 rule")
	}
	rule, err := Rule(value, start, start.AddDate(5, 0, 0))
	if err != nil {
		return "", tools.Advise(fmt.Errorf("%q cannot be used: %w", value, err), "Write weekly, every 2 weeks, or an RFC 5545 rule such as FREQ=WEEKLY;BYDAY=MO.")
	}
	first := firstOf(rule, start)
	switch {
	case first.IsZero():
		return "", fmt.Errorf("%q never takes place", value)
	case !first.Equal(start):
		return "", tools.Advise(fmt.Errorf("it begins on %s, but by the rule %s it does not take place on that day", when.Day(start), value), "Begin on the first day that fits, %s.", when.Format(first))
	}
	return value, nil
}

func firstOf(rule *rrule.RRule, start time.Time) (first time.Time) {
	defer func() { _ = recover() }() // the library does not check its indices
	return rule.After(start, true)
}

// MaxSteps limits the work for one rule. The library examines each day or hour in about 1 µs; the
// time since 1900 has 46,000 days. A rule that never matches (30 February) takes 0.3 s, because the
// library searches until the year 9999.
const MaxSteps = 200_000

// Rule parses a repetition rule. It refuses MINUTELY and SECONDLY rules, and HOURLY rules with
// BYMONTHDAY, BYYEARDAY, BYWEEKNO or BYEASTER. It also refuses rules that take rrule-go more than
// [MaxSteps] steps in the given period.
func Rule(value string, start, to time.Time) (*rrule.RRule, error) {
	option, err := rrule.StrToROptionInLocation(value, start.Location())
	if err != nil {
		return nil, err
	}
	days := len(option.Bymonthday) + len(option.Byyearday) + len(option.Byweekno) + len(option.Byeaster)
	// Two years of a MINUTELY rule take a million steps.
	if option.Freq > rrule.HOURLY || option.Freq == rrule.HOURLY && days > 0 {
		return nil, fmt.Errorf("it repeats every %s", option.Freq)
	}
	if steps := Steps(option, float64(to.Unix()-start.Unix())/3600); steps > MaxSteps {
		return nil, fmt.Errorf("it would take %g steps to calculate", steps)
	}
	if _, until, ok := strings.Cut(strings.ToUpper(value), "UNTIL="); ok {
		if until, _, _ = strings.Cut(until, ";"); len(until) == len("20060102") {
			option.Until = option.Until.AddDate(0, 0, 1).Add(-time.Second) // the end day is included
		}
	}
	option.Dtstart = start
	return rrule.NewRRule(*option)
}

// Steps returns how many moments the library examines in a span of time. The span is in hours,
// because it may exceed the range of [time.Duration].
func Steps(option *rrule.ROption, hours float64) float64 {
	each := max(len(option.Byminute), 1) * max(len(option.Bysecond), 1)
	if option.Freq == rrule.HOURLY {
		return hours * float64(each) / float64(max(option.Interval, 1))
	}
	return hours / 24 * float64(each*max(len(option.Byhour), 1))
}

func clip(said string) string { return text.Clip(said, 200) }
