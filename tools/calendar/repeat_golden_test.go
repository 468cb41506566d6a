package calendar

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/repeat"
)

// The golden file contains the recurrence rule for each text, for events with a time and for whole
// days.
func TestRecurrenceRules(t *testing.T) {
	start := time.Date(2026, 11, 20, 14, 30, 0, 0, time.FixedZone("here", 3600)) // a Friday
	texts := []string{"", "none", "never", "no", "sometimes", "FREQ=daily; count=3", "rrule:freq=weekly;byday=mo,fr", "FREQ=SECONDLY", "FREQ=NOTHING", "RRULE:FREQ=WEEKLY;UNTIL=20251231", "FREQ=YEARLY;INTERVAL=0"}
	for _, words := range []string{
		"daily, every day, each day, täglich, jeden tag, tous les jours, chaque jour, quotidien, every morning, every afternoon, every evening, every night, jeden morgen, jeden nachmittag, jeden abend, jede nacht, tous les matins, chaque matin, tous les soirs, chaque soir, chaque nuit",
		"weekly, every week, each week, wöchentlich, jede woche, toutes les semaines, chaque semaine, hebdomadaire, biweekly, fortnightly, every other week, every second week, alle zwei wochen, alle 2 wochen, toutes les deux semaines",
		"monthly, every month, each month, monatlich, jeden monat, tous les mois, chaque mois, mensuel, quarterly, every quarter, vierteljährlich, yearly, annually, every year, each year, jährlich, jedes jahr, tous les ans, chaque année, annuel",
		"weekdays, every weekday, on weekdays, every workday, werktags, jeden werktag, en semaine, weekends, every weekend, am wochenende, jedes wochenende, le week-end",
		"every 2 days, every 399 days, every 400 days, every 0 days, every -1 weeks, every 3 weeks, every 2 months, every 5 years, alle 3 tage, alle 2 monate, alle 4 jahre, tous les 3 jours, toutes les 2 semaines, tous les 6 mois, tous les 2 ans, every 2 fortnights, every two weeks, each 2 weeks",
		"every monday, Every  Monday and Thursday, every mondays, on friday, weekly on tuesday, jeden montag, jeden dienstag und freitag, jede mittwoch, chaque lundi, tous les mardis et jeudis, every someday, every, every monday someday, mon, each sat",
	} {
		for text := range strings.SplitSeq(words, ", ") {
			texts = append(texts, text)
		}
	}
	for _, end := range []string{"until 2027-06-30", "till 2027-06-30", "bis 2027-06-30", "until 2026-11-20", "until 2026-11-21", "until yesterday", "until nobody knows", "1 times", "1000 times", "1001 times", "0 times", "-2 times", "x times", "for 6 times", "6 mal", "3 fois", "4 occurrences", "5 things"} {
		texts = append(texts, "daily "+end)
	}
	texts = append(texts, "6 times", "chaque jour jusqu'au 2027-01-01", "every monday, wednesday until 2027-01-01")
	var out strings.Builder
	for _, text := range texts {
		rule, err := repeat.Parse(text, start, false)
		whole, failed := repeat.Parse(text, start, true)
		fmt.Fprintf(&out, "%q: %s", text, rule)
		if err != nil {
			fmt.Fprintf(&out, "! %v", strings.ReplaceAll(err.Error(), "\n", " / "))
		}
		if whole != rule || (failed == nil) != (err == nil) {
			fmt.Fprintf(&out, "; whole days: %s %v", whole, failed)
		}
		found, first, wrong := repeat.ParseFirst(text, start)
		if !first.Equal(start) || found != rule || (wrong == nil) != (err == nil) {
			fmt.Fprintf(&out, "; first: %s %s %v", first.Format("Mon Jan 2 15:04"), found, wrong)
		}
		out.WriteString("\n")
	}
	goldentest.Assert(t, "repeats.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
