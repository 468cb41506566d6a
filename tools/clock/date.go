package clock

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/tools"
)

// layouts are dates as people write them. A date with two numbers and a stroke (3/4) is
// not among them: it is two dates.
var layouts = []string{
	"2006-01-02", "2006/1/2", "20060102", "2.1.2006", "2 January 2006", "2 Jan 2006", "January 2 2006", "Jan 2 2006",
}

// yearless are dates of the year that is, or of the next if they are over.
var yearless = []string{"2.1.", "2 January", "2 Jan", "January 2", "Jan 2"}

// parseDate reads a date at midnight UTC, so that days are counted and not hours.
func parseDate(text string, now time.Time) (time.Time, error) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	switch strings.ToLower(text) {
	case "today", "now":
		return today, nil
	case "tomorrow":
		return today.AddDate(0, 0, 1), nil
	case "yesterday":
		return today.AddDate(0, 0, -1), nil
	}
	plain := cardinal(text)
	for _, layout := range layouts {
		if day, err := time.Parse(layout, plain); err == nil {
			return day, nil
		}
	}
	for _, layout := range yearless {
		if day, err := time.Parse(layout, plain); err == nil {
			day = time.Date(today.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
			if day.Before(today) {
				day = day.AddDate(1, 0, 0)
			}
			return day, nil
		}
	}
	return time.Time{}, tools.Advise(fmt.Errorf("%q is no date", text), "Write it as 2026-12-24 or 24 December 2026.")
}

// cardinal is "1 August" of "1st of August".
func cardinal(text string) string {
	words := strings.Fields(strings.ReplaceAll(text, ",", " "))
	words = slices.DeleteFunc(words, func(word string) bool { return strings.EqualFold(word, "of") })
	for i, word := range words {
		if word[0] >= '0' && word[0] <= '9' {
			words[i] = strings.TrimRight(word, "stndrh")
		}
	}
	return strings.Join(words, " ")
}
