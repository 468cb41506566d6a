package offline

import (
	"slices"
	"strconv"
)

// This file reads the values for calendar entries and alarms.

// readLabel reads a name. It refuses a description such as "my first alarm".
func readLabel(s sentence, words []word) (any, bool) {
	w, l := words[0], lexicon()
	return s.raw(words), w.quoted || !l.isLittle(w) && !w.isArticle() && !w.isColon() && !l.isTime(w) && l.tables["adjectives"][w.folded] == ""
}

// readTitle reads the title of an entry. It refuses sentences and times.
func readTitle(s sentence, words []word) (any, bool) {
	l := lexicon()
	if l.isLittle(words[0]) || words[0].isColon() || words[0].isLink() || slices.ContainsFunc(words, func(w word) bool { return !w.quoted && (l.anchors[w.folded] || clockShape().MatchString(w.folded)) }) {
		return nil, false
	}
	// Refuse a longer title that contains "calendar" or "event".
	if slices.ContainsFunc(words, func(w word) bool {
		return !w.quoted && slices.Contains([]string{"calendar", "diary", "agenda", "kalender", "calendrier", "event", "evenement"}, w.folded)
	}) && len(words) > 1 {
		return nil, false
	}
	if repeats(s, words) || slices.ContainsFunc(words, func(w word) bool { return w.folded == "every" || w.folded == "each" || w.folded == "reminder" }) {
		return nil, false // such input must be understood completely
	}
	switch words[len(words)-1].folded {
	case "on", "at", "for", "in", "am", "um", "fur", "im", "le", "a", "pour", "dans", "to", "the":
		return nil, false
	}
	return s.raw(words), true
}

// readEvent reads a title that contains a word for an event, such as "dentist".
func readEvent(s sentence, words []word) (any, bool) {
	l := lexicon()
	if !slices.ContainsFunc(words, func(w word) bool { return l.tables["events"][w.folded] != "" }) {
		return nil, false
	}
	if len(words) == 1 && slices.Contains([]string{"event", "appointment", "date", "test", "termin", "treffen", "eintrag", "rendez-vous", "evenement"}, words[0].folded) {
		return nil, false // "event" alone is not a title
	}
	switch words[0].folded {
	case "reminder", "repeating", "recurring", "daily", "weekly", "alarm", "timer", "note", "erinnerung", "wecker", "notiz", "rappel", "reveil", "alarme", "flight", "flug", "vol":
		return nil, false
	}
	switch words[len(words)-1].folded {
	case "room", "table", "ticket", "tickets", "raum", "tisch", "salle", "billet":
		return nil, false // "book concert tickets" is not about the calendar
	}
	return readTitle(s, words)
}

// readEntry reads the name of an existing event. It refuses general words, such as "meeting" and
// "calls", because they do not identify an event.
func readEntry(s sentence, words []word) (any, bool) {
	switch joined(words) {
	case "meetings", "appointments", "events", "calls", "termine", "besprechungen", "reunions", "evenements":
		return nil, false
	case "meeting", "call", "lunch", "dinner", "class", "session", "visit", "besprechung", "anruf", "reunion", "rendez vous", "appel", "cours", "visite", "besuch":
		return nil, false
	}
	switch words[len(words)-1].folded { // in "push the dentist back to …", "back" belongs to the verb
	case "back", "forward", "forwards", "up", "off", "vor", "zuruck":
		return nil, false
	}
	return readEvent(s, words)
}

// readErrand reads the subject of a reminder. It refuses text that contains a recurrence, because
// otherwise Marvin would silently ignore the recurrence.
func readErrand(s sentence, words []word) (any, bool) {
	each := func(w word) bool { // the calendar cannot repeat "every hour"
		return !w.quoted && slices.Contains([]string{"every", "each", "jeden", "jede", "jedes", "chaque", "hourly", "stundlich"}, w.folded)
	}
	if _, last := readRepeat(s, words[len(words)-1:]); last || slices.ContainsFunc(words, each) || repeats(s, words) {
		return nil, false
	}
	return readText(s, words)
}

// readObject reads the description of a task, but refuses a statement such as "the meeting is in
// room 5".
func readObject(s sentence, words []word) (any, bool) {
	states := func(w word) bool {
		return !w.quoted && slices.Contains([]string{"is", "are", "was", "were", "has", "had", "will", "not", "in", "at", "ist", "sind", "war", "hat", "est", "sont", "etait"}, w.folded)
	}
	if slices.ContainsFunc(words, states) {
		return nil, false
	}
	return readErrand(s, words)
}

// readDeed is like readErrand, but refuses text that begins with an article or a possessive. In "a
// note to my landlord", "my landlord" is the recipient.
func readDeed(s sentence, words []word) (any, bool) {
	tables := lexicon().tables
	if first := words[0]; !first.quoted && (tables["articles"][first.folded] != "" || tables["own"][first.folded] != "") {
		return nil, false
	}
	return readErrand(s, words)
}

// repeats returns true if two to four adjacent words form a recurrence, such as "every monday". A
// single word does not count, because it can belong to a title, as in "daily standup".
func repeats(s sentence, words []word) bool {
	for from := range words {
		for to := from + 2; to <= min(from+4, len(words)); to++ {
			if _, ok := readRepeat(s, words[from:to]); ok {
				return true
			}
		}
	}
	return false
}

// readRepeat reads how often an event recurs: "every monday and thursday", "alle 2 Wochen", "tous
// les jours". It accepts only what the calendar understands.
func readRepeat(s sentence, words []word) (any, bool) {
	l := lexicon()
	if slices.ContainsFunc(words, func(w word) bool { return w.quoted }) {
		return nil, false
	}
	if _, ok := l.meaning("repeats", words); ok {
		return s.raw(words), true
	}
	rest := words[1:]
	if l.tables["every"][words[0].folded] == "" {
		return nil, false
	}
	if len(rest) > 1 && rest[0].folded == "les" {
		rest = rest[1:]
	}
	if len(rest) == 2 {
		count, err := strconv.Atoi(rest[0].folded)
		_, unit := l.meaning("repeated", rest[1:])
		if err == nil && count > 0 && unit {
			return s.raw(words), true
		}
	}
	for i, w := range rest {
		switch joins := w.folded == "and" || w.folded == "und" || w.folded == "et"; {
		case joins && i > 0 && i < len(rest)-1:
		case joins || l.tables["weekdays"][w.folded] == "":
			return nil, false
		}
	}
	return s.raw(words), len(rest) > 0
}
