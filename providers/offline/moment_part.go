package offline

import (
	"slices"
	"strconv"
	"strings"
)

// partsOfDays contains words for parts of a day, such as "evening" in "saturday evening".
var partsOfDays = []string{"morning", "afternoon", "evening", "night", "lunchtime", "fruh", "morgen", "vormittag", "mittag", "nachmittag", "abend", "nacht", "matin", "apres-midi", "soir", "midi"}

// wholeDay shortens "saturday evening" to "saturday", and "freitagabend" to "freitag".
func (l *wordBook) wholeDay(words []word) []word {
	last := len(words) - 1
	if last > 0 && slices.Contains(partsOfDays, words[last].folded) && l.tables["weekdays"][l.corrected(words[last-1].folded)] != "" {
		return words[:last]
	}
	for _, part := range partsOfDays {
		if day, ok := strings.CutSuffix(words[last].folded, part); ok && l.tables["weekdays"][day] != "" {
			words[last].folded = day
			break
		}
	}
	return words
}

// looseSpan reads durations that leave out the word "minutes" or contain a half: "one hour twenty",
// "2 and a half hours", "zweieinhalb Stunden", "1,5 heures".
func (l *wordBook) looseSpan(words []word) (string, bool) {
	text := joined(words)
	for _, half := range []string{" and a half ", " et demie ", " et demi ", " einhalb "} {
		if number, unit, ok := strings.Cut(text, half); ok {
			return l.halves(number, unit)
		}
	}
	for _, half := range []string{" and a half", " et demie", " et demi"} {
		if front, ok := strings.CutSuffix(text, half); ok {
			number, unit, _ := strings.Cut(front, " ")
			return l.halves(number, unit)
		}
	}
	if len(words) == 2 {
		if number, ok := strings.CutSuffix(words[0].folded, "einhalb"); ok {
			return l.halves(strings.TrimSuffix(number, "und"), words[1].folded)
		}
		if number, ok := decimalNumber(words[0].folded); ok && number != float64(int(number)) {
			return minutesOf(number, l.tables["spans"][words[1].folded])
		}
	}
	if n := len(words); n == 3 && l.tables["spans"][words[1].folded] == "h" {
		hours, err := strconv.Atoi(l.digits(words[0].folded))
		minutes, err2 := strconv.Atoi(l.digits(words[2].folded))
		return strconv.Itoa(hours) + "h" + strconv.Itoa(minutes) + "m", err == nil && err2 == nil && minutes < 60 && minutes > 4
	}
	return "", false
}

// digits converts a number word, such as "seven", to digits. It returns other text unchanged.
func (l *wordBook) digits(text string) string {
	if meaning, ok := l.tables["numbers"][text]; ok {
		return meaning
	}
	return text
}

func (l *wordBook) halves(number, unit string) (string, bool) {
	whole, err := strconv.Atoi(l.digits(number))
	if err != nil {
		return "", false
	}
	return minutesOf(float64(whole)+0.5, l.tables["spans"][unit])
}

// minutesOf writes a fractional number of hours or minutes as a duration, such as 1h30m.
func minutesOf(number float64, unit string) (string, bool) {
	switch seconds := int(number * 3600); {
	case number <= 0 || number > 10_000:
	case unit == "h":
		return strconv.Itoa(seconds/3600) + "h" + strconv.Itoa(seconds%3600/60) + "m", true
	case unit == "m":
		return strconv.Itoa(int(number)) + "m" + strconv.Itoa(int(number*60)%60) + "s", true
	}
	return "", false
}

// beginsNoTime reports whether words[0] cannot begin a time. In "Movie Night on friday", for
// example, "night" belongs to the title.
func (l *wordBook) beginsNoTime(words []word) bool {
	switch words[0].folded {
	case "day":
		return len(words) < 2 || words[1].folded != "after"
	case "night", "week", "evening", "morning", "afternoon", "sharp", "past", "after", "and", "et", "pm", "uhr", "h", "heure", "heures", "nacht", "nuit", "soir", "matin", "st", "nd", "rd", "th":
		return true
	}
	return false
}
