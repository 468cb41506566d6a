package when

import (
	"fmt"
	"strings"
	"time"
)

// Moment is the time to which a parsed text refers.
type Moment struct {
	Time time.Time // in the same time zone as the time passed to [Parse]
	// AllDay means that the text has no time of day. The moment is then midnight or, if the text is
	// relative, the current time of day.
	AllDay    bool
	ClockOnly bool     // the text names only a time of day; the moment is the next such time
	Relative  bool     // the text is a distance from now
	Notes     []string // assumptions, as sentences for the user

	other string // other possible meanings, if Time is past
	half  bool   // the time of day may be in the other half of the day
}

// longestText is the maximum length of the text in bytes.
const longestText = 200

// Parse parses a past or future time. A time of day alone means its next occurrence. If the text
// has several likely meanings, the error is [Ambiguous].
func Parse(text string, now time.Time) (Moment, error) {
	r, err := open(text)
	if err != nil {
		return Moment{}, err
	}
	said, err := r.phrase(text)
	if err != nil {
		return Moment{}, err
	}
	return said.moment(now)
}

// reader reads a whole text. All fields share one tape.
type reader struct {
	*tape
	clocks  clocks
	days    days
	lengths lengths
	zones   zones
}

func open(text string) (*reader, error) {
	if len(text) > longestText {
		return nil, fmt.Errorf("%q is too long to be a time", clip(text))
	}
	at := &tape{tokens: tokens(text)}
	r := &reader{tape: at, clocks: clocks{at}, days: days{at}, lengths: lengths{at}, zones: zones{at}}
	switch {
	case len(r.tokens) == 0:
		return nil, fmt.Errorf("no time was given")
	case len(r.tokens) > mostTokens:
		return nil, fmt.Errorf("%q is too long to be a time", clip(text))
	}
	return r, nil
}

// phrase holds the parts of the text. [phrase.moment] computes the time from these parts.
type phrase struct {
	text  string
	day   *day
	named *day // a weekday in addition to a date
	clock *clock
	part  part
	away  *span // the distance from now; negative for the past
	zone  *time.Location
}

// phrase reads the whole text, whose parts may be in any order.
func (r *reader) phrase(text string) (phrase, error) {
	said := phrase{text: clip(strings.TrimSpace(text))}
	if err := r.undecided(said.text); err != nil {
		return said, err
	}
	for !r.done() {
		if r.takeAny(",", "[", "]", "(", ")") {
			continue
		}
		taken, err := r.piece(&said)
		if err != nil {
			return said, err
		}
		if !taken && !r.filler() {
			return said, fmt.Errorf("%q is not a time: %q is not understood", said.text, r.ahead(0).text)
		}
	}
	return said, said.check()
}

// filler skips a word such as "at" or "the".
func (r *reader) filler() bool {
	if r.done() || r.at == len(r.tokens)-1 { // the text cannot end with a filler
		return false
	}
	return r.takeAny("at", "on", "um", "am", "à", "a", "the", "le", "la", "den", "dem", "der", "vom", "of", "de", "gegen", "vers", "@", "by", "for", "fuer", "pour", "and", "und", "et", "ab", "this", "diesen")
}

// piece reads the next part of the phrase.
func (r *reader) piece(said *phrase) (bool, error) {
	if p, ok := r.partOfDay(); ok {
		return true, said.setPart(p)
	}
	if away, ok := r.distance(); ok {
		if said.away != nil {
			return true, said.repeatError("lengths")
		}
		said.away = &away
		return true, nil
	}
	if r.take("z") && said.clock != nil { // 10:00Z
		said.zone = time.UTC
		return true, nil
	}
	if found, p, ok := r.days.dayAndPart(); ok {
		if err := said.setPart(p); err != nil {
			return true, err
		}
		return true, said.setDay(found)
	}
	if said.clock != nil {
		zone, ok, err := r.zones.timeZone()
		if ok {
			said.zone = zone
		}
		if ok || err != nil {
			return true, err
		}
	}
	before := r.at
	found, ok := r.clocks.timeOfDay()
	if !ok {
		r.at = before
		return false, nil
	}
	if said.clock != nil && said.clock.half && said.clock.hour == 12 && said.clock.minute == 0 && (found.midnight || found == clock{hour: 12}) && r.ahead(-1).kind == word {
		said.clock = &found // "12 noon" or "12:00 midnight"
		return true, nil
	}
	if said.clock != nil {
		return true, said.repeatError("times of day")
	}
	said.clock = &found
	return true, nil
}

func (p *phrase) repeatError(what string) error { return fmt.Errorf("%q has two %s", p.text, what) }

func (p *phrase) setPart(part part) error {
	if part == noPart {
		return nil
	}
	if p.part != noPart && p.part != part {
		return p.repeatError("parts of the day")
	}
	p.part = part
	return nil
}

func (p *phrase) setDay(found day) error {
	isWeekday := found.kind == onWeekday || found.kind == weekdayIn
	switch {
	case p.day == nil:
		p.day = &found
	case p.named == nil && isWeekday:
		p.named = &found
	case p.named == nil && p.day.kind == onWeekday:
		p.named, p.day = p.day, &found
	default:
		return p.repeatError("days")
	}
	return nil
}

// check returns an error if something is missing or contradictory.
func (p *phrase) check() error {
	switch {
	case p.away != nil && p.day != nil && (p.away.length != 0 || p.away.months != 0 || p.away.days < 0 || p.day.kind == lastWeekday):
		return fmt.Errorf("%q has a day and a length of time; give only one of them", p.text)
	case p.away != nil && p.clock != nil && p.away.length != 0:
		return fmt.Errorf("%q has a time of day and a length of time; give only one of them", p.text)
	case p.clock == nil && p.part != noPart:
		return fmt.Errorf("%q has no time of day; say the hour too", p.text)
	case p.clock == nil && p.day == nil && p.away == nil:
		return fmt.Errorf("%q is not a time", p.text)
	}
	if p.clock != nil {
		placed, ok := p.clock.inPart(p.part)
		if !ok {
			return fmt.Errorf("%q contradicts itself", p.text)
		}
		p.clock = &placed
	}
	return nil
}

// distance reads text such as "in 2 hours", "90 minutes", "2 days from now" and "vor 3 Tagen".
func (r *reader) distance() (span, bool) {
	before := r.at
	back := r.takeAny("vor") || r.take("il", "y", "a")
	ahead := !back && r.takeAny("in", "dans", "after", "nach")
	found, ok := r.lengths.duration()
	if !ok {
		r.at = before
		return span{}, false
	}
	switch {
	case r.take("from", "now"), r.take("ab", "jetzt"), r.takeAny("later", "hence"):
	case r.is("from", "today"), r.is("from", "tomorrow"), r.is("from") && isWeekday(r.word(1)): // "a week from friday"
		r.take("from")
	case r.is("today") && found.days >= 7: // a week today
	case r.take("ago"):
		back = true
	case ahead || back || r.isWholeText(before):
	default:
		r.at = before
		return span{}, false
	}
	if back {
		found = span{-found.months, -found.days, -found.length}
	}
	return found, true
}

func isWeekday(name string) bool {
	_, known := weekdays()[name]
	return known
}

func (r *reader) isWholeText(begin int) bool { return begin == 0 && r.done() }
