package ringing

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"marvin/persistence/personal"
)

const (
	// unnamedLabel is the label of an alarm that has neither a name nor a message.
	unnamedLabel = "alarm"
	// unnamed is the label that older versions of Marvin gave to alarms without a name.
	unnamed = "local-finder-alarm"

	mostRunes, mostBytes = 48, 150 // limits of a label, which becomes a file name
)

// IsLabel reports whether a label is safe as a file name and in a crontab line.
func IsLabel(label string) bool {
	return label != "" && utf8.RuneCountInString(label) <= mostRunes && len(label) <= mostBytes && !strings.ContainsFunc(label, func(r rune) bool { return !fits(r) }) &&
		label[0] != '-' && !strings.HasPrefix(label, "calremind_")
}

func fits(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '-' || r == '_'
}

// LabelOf makes a label from the first words of a message.
func LabelOf(message string) string {
	label := ""
	for _, word := range strings.FieldsFunc(message, func(r rune) bool { return !fits(r) || r == '-' }) {
		longer := strings.TrimPrefix(label+"-"+word, "-")
		// LabelOf leaves room for a suffix such as "-2".
		if !IsLabel(longer) || utf8.RuneCountInString(longer) > mostRunes-3 {
			break
		}
		label = longer
	}
	if label == "" {
		return unnamedLabel
	}
	return label
}

// displayName returns the text that describes an alarm to the user: its message, and its label if
// the label adds anything.
func displayName(alarm personal.Alarm) string {
	stem := strings.TrimRight(strings.TrimRight(alarm.Label, "0123456789"), "-")
	own := func(label string) bool { return alarm.Label == label || stem == label }
	switch {
	case alarm.Reminder:
		return alarm.Message
	case alarm.Message == "" && (own(unnamedLabel) || own(unnamed)):
		return "Alarm"
	case alarm.Message == "":
		return alarm.Label
	case own(unnamedLabel) || own(unnamed) || own(LabelOf(alarm.Message)):
		return alarm.Message
	}
	return alarm.Label + ": " + alarm.Message
}
