package offline

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"marvin/messages/lists"
	"marvin/providers"
	"marvin/providers/offline/followup"
)

// This file handles partial requests, such as "and in London?", "no, at 8" and "times 3". Such a
// request repeats the last call with other values.

// fragment is a partial request. Leading words such as "and" have been removed.
type fragment struct {
	sentence
	led    bool // the request began with a word like "and"
	rather bool // the request corrects the last one: "no, I meant"
}

func newFragment(request string) fragment {
	l := lexicon().courtesyWords
	f := fragment{sentence: newSentence(request)}
	if n := longestPrefix(f.words, l["before"]); n > 0 && max(longestPrefix(f.words[n:], l["more"]), longestPrefix(f.words[n:], l["rather"])) > 0 {
		f.words = f.words[n:] // "ok, and in Oslo"
	}
	for len(f.words) > 0 {
		more, rather := longestPrefix(f.words, l["more"]), longestPrefix(f.words, l["rather"])
		n := max(more, rather)
		if n == 0 {
			break
		}
		f.led, f.rather = true, f.rather || rather > more
		f.words = f.words[n:]
	}
	f.words = withoutEnd(f.words)
	return f
}

func (f fragment) rest() string {
	return f.request[f.words[0].start:]
}

// continues interprets a partial request, such as "and tomorrow?", in the context of the last call.
func (m *Model) continues(request string, usable func(string) (Tool, bool), before past, question providers.Question) (meaning, bool) {
	f := newFragment(request)
	if len(f.words) == 0 || len(f.words) > longestFragment {
		return meaning{}, false
	}
	if f.led {
		if u, ok := m.understandMarked(f.rest(), usable); ok && !u.greets() {
			return m.act(u, usable, before, question), true
		}
	}
	name := before.Last.Call.Name
	if name == "" || name == runCommand {
		return meaning{}, false
	}
	tool, ok := usable(name)
	if !ok {
		return meaning{}, false
	}
	if u, ok := m.convertLast(f, usable, before.Last); ok {
		return m.act(u, usable, before, question), true
	}
	values := followup.Args(before.Last.Call)
	locale := language(request)
	if line, ok := f.addition(); ok && tool.Name == "write_note" {
		r, ok := newReading(tool, map[string]any{"filename": values["filename"], "content": line, "append": true})
		return meaning{reading: r, sure: ok, locale: locale}, ok
	}
	if said, ok := operated(tool.Name, values, f); ok {
		r, ok := newReading(tool, said)
		return meaning{reading: r, sure: ok, locale: locale}, ok
	}
	said, ok := readValues(f.sentence, tool, m.holes(tool), f.led && !tool.Changes)
	if !ok {
		return meaning{}, false
	}
	if f.rather && tool.Changes {
		return m.correctLast(said, usable, before, locale)
	}
	r, ok := newReading(tool, merged(tool.Name, values, said))
	return meaning{reading: r, sure: ok, locale: locale}, ok
}

// convertLast handles a request, such as "in binary", to convert the last result.
func (m *Model) convertLast(f fragment, usable func(string) (Tool, bool), last followup.Step) (understood, bool) {
	number := strings.TrimPrefix(last.Result.Text, "= ")
	if _, err := strconv.Atoi(number); last.Call.Name != "calculate" || err != nil {
		return understood{}, false
	}
	request := number + " " + f.rest()
	for i, word := range f.words {
		if lexicon().tables["pronouns"][word.folded] != "" {
			request = f.request[f.words[0].start:word.start] + number + strings.TrimPrefix(f.request[word.start:], f.raw(f.words[i:i+1]))
		}
	}
	u, ok := m.understand(request, usable)
	return u, ok && strings.HasPrefix(u.say, "art.")
}

// addition returns the line that a request like "add milk too" adds to the last note.
func (f fragment) addition() (string, bool) {
	words := f.words[longestPrefix(f.words, lexicon().courtesyWords["adding"]):]
	end := longestSuffix(words, lexicon().courtesyWords["added"])
	if len(words) == len(f.words) || len(words) <= end {
		return "", false
	}
	return f.raw(words[:len(words)-end]), true
}

const longestFragment = 12

// correctLast changes the time or duration of the most recent [followup.Thing]. It does not create
// a new Thing.
func (m *Model) correctLast(said map[string]any, usable func(string) (Tool, bool), before past, locale string) (meaning, bool) {
	thing, ok := before.It("")
	if !ok || len(said) != 1 {
		return meaning{}, false
	}
	for _, name := range []string{"time", "start", "duration"} {
		if value, ok := said[name].(string); ok {
			return m.calls(thing.CallsFor(followup.Move, value), usable, locale), true
		}
	}
	return meaning{}, false
}

// merged combines the arguments of the last call with new values, which take precedence.
func merged(tool string, old, said map[string]any) map[string]any {
	values := maps.Clone(old)
	if tool == "clock" { // a new place or date replaces all old values
		values = map[string]any{}
	}
	// A new alarm or timer does not inherit the name from the last call.
	for _, label := range []string{"label", "name"} {
		if tool == "set_alarm" || tool == "timer_start" {
			delete(values, label)
		}
	}
	for name, value := range said {
		if span, ok := value.(string); ok && bareMinutes().MatchString(span) {
			if was, ok := old[name].(string); ok && len(was) > 1 && oneUnit().MatchString(was) && !strings.Contains(span, "m ") {
				value = strings.TrimSuffix(span, "m") + was[len(was)-1:]
			}
		}
		values[name] = value
	}
	if span, ok := values["duration"].(string); ok && tool == "timer_start" {
		values["name"] = span // the name of a running timer cannot be used again
	}
	return values
}

var (
	bareMinutes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+m$`) })
	oneUnit     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+[smh]$`) })
	operator    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^1 ?([-+*/^]) ?([\d.]+%?)$`) })
	lastNumber  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([\d.]+)([^\d]*)$`) })
	percentage  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\d.]+ ?%`) })
)

// operated applies an operation to the last calculation or conversion: "times 3", "and 10%", "half
// of that".
func operated(tool string, values map[string]any, f fragment) (map[string]any, bool) {
	text := joined(f.words)
	for _, pronoun := range []string{"that ", "it ", "das ", "es ", "davon ", "ca ", "cela "} {
		text = strings.TrimPrefix(text, pronoun)
		text = strings.TrimSuffix(text, " "+strings.TrimSpace(pronoun))
	}
	if sum, ok := lexicon().tables["operations"][text]; ok {
		text = sum
	}
	s := newSentence("1 " + text)
	value, ok := readSum(s, s.words)
	sum, _ := value.(string)
	found := operator().FindStringSubmatch(sum)
	switch expression, isText := values["expression"].(string); {
	case tool == "calculate" && isText && ok && found != nil:
		return map[string]any{"expression": "(" + expression + ") " + found[1] + " " + found[2]}, true
	case tool == "calculate" && isText:
		return replaced(expression, text)
	case tool == "convert_units" && ok && found != nil:
		was, isNumber := values["value"].(float64)
		by, err := decimalNumber(found[2])
		if !isNumber || !err || found[1] != "*" && found[1] != "/" || by == 0 {
			return nil, false
		}
		said := maps.Clone(values)
		if said["value"] = was * by; found[1] == "/" {
			said["value"] = was / by
		}
		return said, true
	}
	return nil, false
}

// replaced puts a new number into the last calculation. The request "and 10%" replaces every
// percentage; the request "and 60" or "and of 60" replaces the last number.
func replaced(expression, text string) (map[string]any, bool) {
	for _, lead := range []string{"of ", "from ", "von ", "de ", "with ", "mit ", "avec ", "for ", "by ", "to "} {
		text = strings.TrimPrefix(text, lead)
	}
	text = strings.NewReplacer(" percent", "%", " prozent", "%", " pour cent", "%", " %", "%").Replace(text)
	number, isPercent := strings.CutSuffix(text, "%")
	if _, ok := decimalNumber(number); !ok {
		return nil, false
	}
	if isPercent {
		if !percentage().MatchString(expression) {
			return nil, false
		}
		return map[string]any{"expression": percentage().ReplaceAllString(expression, text)}, true
	}
	if !lastNumber().MatchString(expression) {
		return nil, false
	}
	return map[string]any{"expression": lastNumber().ReplaceAllString(expression, number+"$2")}, true
}

// holes returns the parameter placeholders in the phrases for a tool. Placeholders for free text
// come last.
func (m *Model) holes(tool Tool) []hole {
	var shape schema
	r, ok := newReading(tool, map[string]any{})
	if !ok {
		return nil
	}
	shape = r.shape
	var list []hole
	var collect func(nodes []node)
	collect = func(nodes []node) {
		for _, n := range nodes {
			if n.slot != nil {
				h := *n.slot
				if patient := map[string]string{"when": "hour", "span": "amount"}[h.kind]; patient != "" {
					h.kind = patient
				}
				if _, known := shape.Properties[h.name]; known && !slices.Contains(list, h) {
					list = append(list, h)
				}
			}
			for _, alternative := range n.alternatives {
				collect(alternative)
			}
		}
	}
	for _, locale := range locales {
		book := grammarOf(locale)
		for i := range book.phrases {
			if p := &book.phrases[i]; p.tool == tool.Name {
				collect(p.parsed())
			}
		}
	}
	slices.SortStableFunc(list, func(a, b hole) int { return rank(a) - rank(b) })
	return list
}

func rank(h hole) int {
	if kinds()[h.kind].free {
		return 1
	}
	return 0
}

// readValues reads one or two values, each with an optional preposition. One value can be free text
// if allowFree is true. If the tool changes nothing, an initial preposition also allows free text.
func readValues(s sentence, tool Tool, holes []hole, allowFree bool) (map[string]any, bool) {
	var prepositions [][]node
	for _, word := range slices.Sorted(maps.Keys(lexicon().tables["prepositions"])) {
		prepositions = append(prepositions, []node{{word: word}})
	}
	prepositions = append(prepositions, nil)
	lead := node{alternatives: prepositions}
	led := len(s.words) > 0 && lexicon().tables["prepositions"][s.words[0].folded] != ""
	if led {
		holes = sortByDirection(holes, s.words[0].folded)
	}
	allowed := func(h hole) bool { return rank(h) == 0 || allowFree || led && !tool.Changes }
	for _, one := range holes {
		p := phrase{tool: tool.Name, nodes: []node{lead, {slot: &one}}}
		if match, ok := p.matchSentence(s, true); ok && allowed(one) {
			return typedAll(match.values, tool), true
		}
	}
	for _, one := range holes {
		for _, other := range holes {
			if one.name == other.name || !allowed(one) || !allowed(other) || rank(one)+rank(other) == 2 {
				continue
			}
			p := phrase{tool: tool.Name, nodes: []node{lead, {slot: &one}, lead, {slot: &other}}}
			if match, ok := p.matchSentence(s, true); ok {
				return typedAll(match.values, tool), true
			}
		}
	}
	return nil, false
}

// sortByDirection sorts the holes: those that match the direction of the preposition come first.
// For example, "in" matches a target unit, and "from" matches the start of a route.
func sortByDirection(holes []hole, preposition string) []hole {
	wanted := lexicon().tables["directions"][preposition]
	list := slices.Clone(holes)
	slices.SortStableFunc(list, func(a, b hole) int { return direction(a.name, wanted) - direction(b.name, wanted) })
	return list
}

// direction returns 0 if a parameter fits the wanted direction, and 1 otherwise.
func direction(name, wanted string) int {
	switch {
	case wanted == "to" && (strings.HasPrefix(name, "to_") || name == "target_lang" || name == "destination"),
		wanted == "from" && (strings.HasPrefix(name, "from_") || name == "source_lang" || name == "origin"):
		return 0
	}
	return 1
}

func typedAll(values map[string]any, tool Tool) map[string]any {
	if r, ok := newReading(tool, nil); ok {
		for name := range values {
			values[name] = convertValue(values[name], r.shape.Properties[name].Type)
		}
	}
	return values
}

// strictAnswer reads a request as the answer to Marvin's own question. It does not accept free
// text.
func (m *Model) strictAnswer(request string, before past) (meaning, bool) {
	if !before.open {
		return meaning{}, false
	}
	f, wanted := newFragment(request), before.asked.missing[0]
	if len(f.words) == 0 {
		return meaning{}, false
	}
	holes := lists.Filter(m.holes(before.asked.tool), func(h hole) bool { return h.name == wanted && rank(h) == 0 })
	for _, s := range []sentence{f.sentence, {request: f.request, words: f.polite()[0].words}} {
		if said, ok := readValues(s, before.asked.tool, holes, false); ok {
			return before.asked.withValues(said, language(request))
		}
	}
	return meaning{}, false
}

// freeAnswer reads a request as the answer to Marvin's own question. The whole request becomes the
// missing value. freeAnswer returns false if strictAnswer can check the form of the value.
func (m *Model) freeAnswer(request string, before past) (meaning, bool) {
	if !before.open {
		return meaning{}, false
	}
	wanted := before.asked.missing[0]
	for _, h := range m.holes(before.asked.tool) {
		if h.name == wanted && rank(h) == 0 && h.kind != "quoted" && h.kind != "list" {
			return meaning{}, false // strictAnswer checked the value and did not accept it
		}
	}
	var value any = strings.TrimSpace(request)
	switch before.asked.shape.Properties[wanted].Type {
	case "string":
		if s := newSentence(request); len(s.words) == 1 && s.words[0].quoted {
			value = s.raw(s.words)
		}
	case "integer", "number":
		number, ok := decimalNumber(fmt.Sprint(value))
		if !ok {
			return meaning{}, false
		}
		value = number
	default:
		return meaning{}, false
	}
	return before.asked.withValues(map[string]any{wanted: value}, language(request))
}

func (r reading) withValues(said map[string]any, locale string) (meaning, bool) {
	values := maps.Clone(r.values)
	maps.Copy(values, said)
	full, ok := newReading(r.tool, values)
	return meaning{reading: full, sure: ok, locale: locale}, ok
}

// onceMore repeats the last request. It refuses to repeat a request that changes something.
func (m *Model) onceMore(before past, question providers.Question) meaning {
	exchange, ok := before.last()
	if !ok || len(before.exchanges) > mostRepeated {
		return meaning{reason: noThing}
	}
	before.exchanges = before.exchanges[:len(before.exchanges)-1]
	mean := m.meaning(exchange.Request, question, before)
	if mean.sure && mean.reading.tool.Changes {
		return meaning{reason: noVerb}
	}
	return mean
}

// mostRepeated limits the recursion in onceMore, because the repeated request may itself be
// "again". In a conversation with more than mostRepeated earlier requests, onceMore refuses
// "again".
const mostRepeated = 200
