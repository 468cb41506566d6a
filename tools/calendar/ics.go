package calendar

import (
	"strings"
	"unicode/utf8"
)

// entry is a VEVENT and its byte range in the calendar text.
type entry struct {
	start, end int
	properties []property
}

// property is a parsed content line of the form "NAME;PARAMETER=…:value".
type property struct {
	name       string // upper case
	parameters map[string]string
	value      string // as written
}

// get returns the first property with the given name, or the zero value.
func (e entry) get(name string) property {
	for _, one := range e.properties {
		if one.name == name {
			return one
		}
	}
	return property{}
}

// contentLine is an unfolded line and its byte range in the text.
type contentLine struct {
	start, end int
	text       string
}

// contentLines unfolds the lines of a calendar (RFC 5545, 3.1). A line that starts with white space
// continues the previous line.
func contentLines(text string) []contentLine {
	var all []contentLine
	at := 0
	for raw := range strings.Lines(text) {
		bare := strings.TrimRight(raw, "\r\n")
		if n := len(all); n > 0 && bare != "" && (bare[0] == ' ' || bare[0] == '\t') {
			all[n-1].text += bare[1:]
			all[n-1].end = at + len(raw)
		} else {
			all = append(all, contentLine{at, at + len(raw), bare})
		}
		at += len(raw)
	}
	return all
}

// scan returns the events in text, and the offset of the last END:VCALENDAR line, or -1 if there is
// none.
func scan(text string) (events []entry, end int) {
	end = -1
	var open []string
	var current entry
	for _, line := range contentLines(strings.TrimPrefix(text, "\ufeff")) {
		one := parseProperty(line.text)
		offset := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
		value := strings.ToUpper(strings.TrimSpace(one.value))
		switch one.name {
		case "BEGIN":
			open = append(open, value)
			if isEvent(open) {
				current = entry{start: offset + line.start}
			}
		case "END":
			if isEvent(open) && value == "VEVENT" {
				current.end = offset + line.end
				events = append(events, current)
			}
			if value == "VCALENDAR" {
				end = offset + line.start
			}
			for n := len(open) - 1; n >= 0; n-- { // END closes its component and those inside it
				if open[n] == value {
					open = open[:n]
					break
				}
			}
		default:
			if isEvent(open) { // false inside the event's alarms
				current.properties = append(current.properties, one)
			}
		}
	}
	return events, end
}

func isEvent(open []string) bool {
	return len(open) == 2 && open[0] == "VCALENDAR" && open[1] == "VEVENT"
}

func parseProperty(text string) property {
	var one property
	quoted, from := false, 0
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] == '"':
			quoted = !quoted
		case !quoted && (text[at] == ';' || text[at] == ':'):
			one.addPart(text[from:at])
			from = at + 1
			if text[at] == ':' {
				one.value = text[from:]
				return one
			}
		}
	}
	return property{} // no colon: not a content line
}

// addPart sets the name on the first call, and adds a parameter on each later call.
func (p *property) addPart(text string) {
	if p.name == "" {
		p.name = strings.ToUpper(strings.TrimSpace(text))
		return
	}
	if name, value, ok := strings.Cut(text, "="); ok {
		if p.parameters == nil {
			p.parameters = map[string]string{}
		}
		p.parameters[strings.ToUpper(name)] = strings.Trim(value, `"`)
	}
}

// text unescapes the property's TEXT value.
func (p property) text() string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";").Replace(p.value)
}

// escape encodes text as an iCalendar TEXT value. It drops control characters other than newlines
// and tabs.
func escape(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`).Replace(text)
}

// fold returns a line in pieces of at most 75 bytes. It never divides a character.
func fold(line, ending string) string {
	var folded strings.Builder
	room := 75
	for len(line) > room {
		cut := room
		for !utf8.RuneStart(line[cut]) {
			cut--
		}
		folded.WriteString(line[:cut] + ending + " ")
		line, room = line[cut:], 74
	}
	return folded.String() + line + ending
}

// insert adds an event's lines at the end of the calendar. If text contains no calendar, the result
// is a new calendar with the header that Marvin's Python version wrote.
func insert(text string, lines []string) string {
	ending := "\r\n"
	_, end := scan(text)
	if end < 0 {
		text = strings.Join([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//LocalFinder//EN", "END:VCALENDAR", ""}, ending)
		_, end = scan(text)
	} else if !strings.Contains(text, "\r\n") {
		ending = "\n"
	}
	var added strings.Builder
	for _, line := range lines {
		added.WriteString(fold(line, ending))
	}
	return text[:end] + added.String() + text[end:]
}

// remove removes every event with the given UID, including the exceptions of a series.
func remove(text, uid string) (rest string, removed int) {
	events, _ := scan(text)
	var kept strings.Builder
	from := 0
	for _, one := range events {
		if one.get("UID").text() == uid {
			kept.WriteString(text[from:one.start])
			from = one.end
			removed++
		}
	}
	return kept.String() + text[from:], removed
}
