package when

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
)

// clockForms are times of day in three languages, and texts that are nearly times.
const clockForms = `7|07|0|24|25|12|11|7:30|07:30|0:00|24:00|24:01|7:60|7:5|7.30 Uhr|7.30|17.30|31.12|32.12|10 Uhr 30|10 Uhr 60|7 Uhr|19 Uhr|24 Uhr|25 Uhr|7 o'clock|7 o clock|13 o'clock|7am|7 am|7 a.m.|7 p.m|12am|12pm|13pm|15am|0pm|24pm|730pm|1930|2400|0000|2360|1860|2026|2019|2060|1800 hours|
7:30:15|7:30:60|7:30:15.250|7.30.15|noon|high noon|midnight|Mitternacht|minuit|midi|midi et demie|midi moins le quart|midi moins 31|midi moins 30|midi moins 0|midi moins x|midi vingt|midi une|12 noon|12:00 midnight|12 midnight|
quarter past seven|a quarter to seven|half past 7|ten to noon|20 minutes to 8|40 past 8|41 past 8|0 past 8|zehn nach zwölf|fünf vor halb acht|viertel vor 8|ein viertel nach 8|halb vor 8|half past halb 8|ten of eight|ten till 8|5 to 0|5 to 24|5 past 24|5 past 25|ten to midnight|5 past|
viertel acht|dreiviertel acht|halb acht|halb eins|halb 12|halb 13|halb Mitternacht|halb|half seven|half 13|half seven hours|half an hour|seven|seven thirty|seven ten|seven nine|seven sixty|seven twenty minutes|sieben Uhr dreißig|seven 30|
7h|7h30|14h|14h30|7 h 5|24h|24h30|sept heures|sept heures et demie|7h30 demain|neuf heures et quart|neuf heures et un quart|huit heures moins le quart|huit heures moins dix|huit heures moins une|0h moins 5|14 heures|2 h 30|4 heures 9|5 heures 30|25h|huit heures vingt minutes|huit heures vingt secondes|huit heures 5.|1h|1h demain|12h demain|13h demain|demain à 1 h 15 du soir|
in 5|in 5 minutes|soon|at|at 7|um 7 am Freitag|um 7 am abend|um 7 am morgen|um 7 am vormittag|um 7 am mittwoch|um 7 am 3.|7 z|10:00Z|20261203T100000Z|20261203T1000|2026-12-03T10:00:15.5Z|2026-12-03T10:00:15-05:00|10:00 +01:00|10:00 EST|1 Uhr mittags|4 Uhr mittags|5 Uhr mittags|12 Uhr mittags|ein Uhr mittags|12 Uhr abends|tonight in the morning at 7|(,)|31.12.9999 in a week|8h moins|26|999|1000`

const dayForms = `today|tomorrow|yesterday|day after tomorrow|übermorgen|vorgestern|friday|next friday|last friday|this friday|coming friday|monday|next monday|last monday|wednesday|next wednesday|last wednesday|sunday|next sunday|friday next week|friday this week|friday last week|last week on friday|wednesday this week|this week, friday|monday of this week|freitag letzter woche|diese woche freitag|vendredi de la semaine dernière|vendredi cette semaine|this week|last week|fri. next week|fri . next week|friday. next week|
the 3rd|the 25th|the 24th|am 3.|den 31.|le 3|le 3 h|le 32|the 0th|3 december|december 3|dec. 3|dec 3rd 2027|3. Dezember 2027|1er mai|3rd of may, 1850|3 may 2360|december 7:30|december 7 pm|3.12.|3.12.2026|3.12.26|3.12.26:30|am 3.12|vom 3.12|3.13.|0.12.|32.12.|2026-12-03|2026/12/03|2026.12.03|2026-12/03|2026-13-03|20261203|20261332|26-12-03|
13/12|12/13|3/12|3/3|13/13|3/12/2027|3/12/27|10-11|10-11-2027|25-12-2027|29 february|29 february 2027|30 february|31 april|25 november|24 november|26 november|friday 27 november|friday 28 november|friday 24 december|sunday 27 november|friday friday|friday monday|today friday|
in two days|in a week|in 2 weeks|two weeks|vor 3 Tagen|il y a 3 jours|a fortnight ago|two days from now|ab jetzt 3 Tage|3 days later|3 days hence|a week from friday|a week from tomorrow|a week today|a day today|heute in einer Woche|friday in 2 weeks|friday in 2 months|friday in 2 hours|last friday in a week|friday 2 days ago|
in 1 month|in 3 months|in 15 months|in half a month|in half a day|in 1.5 days|a month and a half|in a year and a half|in half a year|in 2 years|in 9999 years|in 150 years|in two days in two hours|in 2 hours|in 90 minutes|2 hours|2 hours ago|in 1h30|vor 2 Stunden|in 2 hours at 7|in two days at 7|in 2 weeks at midnight`

func told(found Moment, err error) string {
	if err != nil {
		return "! " + err.Error()
	}
	text := found.Time.Format("Mon 2006-01-02 15:04:05")
	if found.Time.Nanosecond() != 0 {
		text += " and a part of a second"
	}
	for flag, on := range []bool{found.AllDay, found.ClockOnly, found.Relative} {
		if on {
			text += []string{" all day", " clock only", " relative"}[flag]
		}
	}
	if found.other != "" {
		text += "; or " + found.other
	}
	for _, note := range found.Notes {
		text += "; " + note
	}
	return text
}

// The golden file shows the result for each time of day, alone and in each part of the day, and for
// each day, alone and with times of day. Results include notes and errors.
func TestTimesAndDays(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 25, 9, 30, 15, 0, zone) // a Wednesday
	var text strings.Builder
	put := func(now time.Time, phrase string) {
		fmt.Fprintf(&text, "%s = %s\n", phrase, told(Parse(phrase, now)))
	}
	for _, clock := range strings.Split(strings.ReplaceAll(clockForms, "\n", ""), "|") {
		put(now, clock)
	}
	for _, clock := range []string{"0", "5", "7", "12:30", "19:30"} {
		for _, part := range []string{"in the morning", "mittags", "in the afternoon", "abends", "at night"} {
			put(now, clock+" "+part)
		}
	}
	days := strings.Split(strings.ReplaceAll(dayForms, "\n", ""), "|")
	for _, day := range days {
		put(now, day)
	}
	for _, day := range []string{"tomorrow", "3 december", ""} {
		for _, clock := range []string{"9:31", "midnight", "2 at night", "at 7 PM EST"} {
			put(now, strings.TrimSpace(day+" "+clock))
		}
	}
	// These are times around clock changes, after midnight, and at the ends of months and years.
	for _, at := range []time.Time{time.Date(2026, 3, 28, 12, 0, 0, 0, zone), time.Date(2026, 3, 28, 2, 30, 0, 0, zone), time.Date(2026, 10, 24, 12, 0, 0, 0, zone), time.Date(2026, 11, 26, 1, 30, 0, 0, zone), time.Date(2026, 12, 31, 23, 59, 59, 0, zone), time.Date(2028, 1, 31, 8, 0, 0, 0, zone)} {
		fmt.Fprintf(&text, "now %s\n", at.Format(time.RFC3339))
		for _, phrase := range []string{"tomorrow 2:30", "tomorrow 3:00", "in 1 day", "in 24 hours", "in 1 month", "today 1 at night", "7", "the 31st"} {
			put(at, phrase)
		}
	}
	goldentest.Assert(t, "times.txt", text.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestLengthsAndAmounts(t *testing.T) {
	var text strings.Builder
	for _, phrase := range strings.Split("1 ms|5 msec|1 sec|1 sek|1 std|1 hr|1 wk|a fortnight|2 fortnights|half a fortnight|1.5 fortnights|a day and a half|half a day|halbestunde|eine Halbstunde|eine halbe Stunde|dreiviertelstunde|2 Viertelstunden|1h5|1h05|1h59|1h60|1h 30|1h 30 x|1 h 30 s|1h30s|1h30 s|"+
		"an hour and a quarter hour|an hour and a half hour|an hour and a half and 5 minutes|a minute and a half|zwei und eine halbe stunde|eineinhalb Stunden|zweieinhalb Stunden|xeinhalb Stunden|anderthalb tage|une heure et quart|une heure et un quart|deux heures et demie|"+
		"three quarters of an hour|quarter of an hour|a quarter of an hour|three quarter hours|1/2 h|3/4 h|1 1/4 h|2/3 h|1/2/3 h|1 3 h|one and a half hours|0.5 d|1,5 h|1.500 h|1.25 h|2, 5 h|"+
		"1 month|2 years|a year|73200 days|73201 days|1756800h|1756801h|200 weeks and 1 second|72000 days and 1200 days and 1 s|1:00:00|1:00|1:60:00|1:59:60|1:59:59|12345:00:00|9999:00:00|1:2:3:4|1:5|for an hour|pendant 2 jours|für|5|5.5|5,5|5. 5|-|7 at 8|"+strings.Repeat("1", 201)+"|"+strings.Repeat("a ", 100), "|") {
		length, err := Duration(phrase)
		fmt.Fprintf(&text, "%s = %s %v\n", phrase, length, err)
	}
	for _, phrase := range []string{strings.Repeat("7 ", 101), strings.Repeat("7 ", 90), "", " ", "7 8", "7:30 8:30", "7 in the morning at night", "friday in the morning", "13 in the morning", "and", "7 and", "7 blah", "[7]", "(7:30), tomorrow"} {
		fmt.Fprintf(&text, "%.60s = %s\n", phrase, told(Parse(phrase, time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC))))
	}
	for _, phrase := range []string{
		strings.Repeat("1", 201), strings.Repeat("1", 200), "  ", "- 5 km", "--5", "1e5", "$ 5", "$5.", "5,", "5 , x", "five", "five and a half kilos", "half", "2/3 mile", "11/2 mile", "3 1/4 mile", "1 234 567", "1'234'56", "1 2345", "1½ cups", "2 1/4 pints", "1/2 mile", "5k of rope", "5 thousand de dollars", "5 million d'euros", "1 bn $", "1.5 mio. CHF", "2 billions",
		"$5 usd", "$5 eur", "usd5", "abc5", "5 5", "5 500", "5 50", "5.5.5", "1,000.5.5", "00.5", "0,500", "1,500", "1.500", "12,500", "123,500", "1234,500", "1,50", "1,5000", "1.500 dollars", "1,500 dollars", "1.500 euros", "1,500 euros", "1.500 eur", "1,500 eur", "€1.500", "€1,500", "£1.500", "¥1,500", "₹1,500 rupees", "99999999999999999999999 k",
		"1" + strings.Repeat("0", 190) + "k", strings.Repeat("9", 198) + " k",
	} {
		found, err := ParseAmount(phrase)
		fmt.Fprintf(&text, "%.60s = %v %q %q %v\n", phrase, found.Value, found.Unit, found.Currency, err)
	}
	for _, phrase := range strings.Split("null|zero|eins|twenty one|twenty-one|twenty a|twenty eleven|thirty|thirty and one|dreiunddreißig|einundzwanzig|elfundzwanzig|undzwanzig|einund|zwanzigundzwei|soixante|soixante et onze|soixante dix|soixante-dix-sept|soixante vingt|soixante dix neuf|quatre vingt|quatre-vingts|quatre vingt dix|quatre vingt dix neuf|quatre vingt vingt|quatre vingt dix sept|quatre vingt dix dix|soixante dix six|soixante dix huit|seventy|sixty ten seven|quatre cinq|quatre vingt an|vingt et un|vingt et|cinquante et onze|cent|1 2|a|une", "|") {
		r := &tape{tokens: tokens(phrase)}
		value, ok := r.readInteger()
		part := &tape{tokens: tokens(phrase)}
		quantity, counts := part.quantity()
		fmt.Fprintf(&text, "%s = %d %v, left %q; %v %v, left %q\n", phrase, value, ok, r.written(r.at, len(r.tokens)), quantity, counts, part.written(part.at, len(part.tokens)))
	}
	for _, name := range []string{"Friday", "freitag", "vendredi", "fr", "day", ""} {
		weekday, ok := Weekday(name)
		fmt.Fprintf(&text, "%s = %s %v\n", name, weekday, ok)
	}
	goldentest.Assert(t, "lengths.txt", text.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
