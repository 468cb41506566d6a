package offline

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// slot stands for a parameter's value in an example. The parameter's type and the value in the
// example determine which words of a request can be the value.
type slot struct {
	name  string
	kind  kind
	enum  []any
	known bool // the tool has this parameter
	words int  // the number of words in the sample
	word  string
	says  any    // the value of an implied slot
	form  string // the kind of a checked value, such as "place"
}

type kind uint8

const (
	freeText kind = iota
	oneWord       // one token, such as a file name
	pathLike      // a word that looks like a path
	globLike
	number
	integer
	choice
	flag     // true if the request contains slot.word
	implied  // the words around the slot express the value, as in {true|staged} or {=vegan|value}
	duration // "5 minutes", "1h30m"
	list     // "[1,2,3]" or "1, 2, 3"
	checked  // a value that kinds()[slot.form] can read
)

func newSlot(name, sample string, shape schema) slot {
	property, known := shape.Properties[name]
	s := slot{name: name, known: known, enum: property.Enum, words: len(strings.Fields(sample)), word: strings.ToLower(sample)}
	fixed, isFixed := strings.CutPrefix(sample, "=")
	switch {
	case isFixed:
		s.kind, s.says = implied, fixed
	case property.Type == "integer":
		s.kind = integer
	case property.Type == "number":
		s.kind = number
	case property.Type == "boolean" && (sample == "true" || sample == "false"):
		s.kind, s.says = implied, sample == "true"
	case property.Type == "boolean":
		s.kind = flag
	case property.Type == "array" && strings.HasPrefix(sample, "["):
		s.kind = list
	case len(property.Enum) > 0:
		s.kind = choice
	default:
		s.kind, s.form = kindOf(name, sample), formOf(name, sample)
	}
	return s
}

// formOf returns a parameter's key in [kinds], or "" if there is none.
func formOf(name, sample string) string {
	switch {
	case strings.Contains(sample, "://"):
		return "url"
	case name == "expression":
		return "sum"
	case strings.HasSuffix(name, "_lang"):
		return "lang"
	case name == "from_unit" || name == "to_unit":
		return "measure"
	case name == "place" || name == "location" || name == "origin" || name == "destination":
		return "place"
	case (name == "time" || name == "start" || name == "end" || name == "date") && strings.ContainsAny(sample, "0123456789"):
		return "when"
	}
	return ""
}

func kindOf(name, sample string) kind {
	_, isDuration := parseDuration(split(sample))
	aboutFiles := strings.Contains(name, "path") || strings.Contains(name, "file") || strings.Contains(name, "dir")
	switch {
	case isDuration:
		return duration
	case formOf(name, sample) != "":
		return checked
	case strings.ContainsAny(sample, "*?") && !strings.Contains(sample, " "):
		return globLike
	case aboutFiles && looksLikePath(sample):
		return pathLike
	case aboutFiles:
		return oneWord
	}
	return freeText
}

var pathShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[~./]|/|^[\w-]+\.[\w.]+$|^[A-Z][\w.-]*$`) })

// looksLikePath reports whether text looks like a path: main.go, cmd/x, ~/notes or LICENSE.
func looksLikePath(text string) bool {
	return pathShape().MatchString(text) && !strings.Contains(text, "://") && !strings.ContainsAny(text, "*? \n")
}

// These constants limit how many tokens a [valueKind] reads for a slot. Without a limit, a request
// of 300 lines took half a minute.
const (
	tokensPerWord  = 3 // including punctuation marks
	longestChecked = 40
)

// longest computes the maximum number of tokens in a value of the slot.
func (s slot) longest() int {
	switch s.kind {
	case freeText, list:
		return maxTokens + 1
	case checked:
		return min(tokensPerWord*kinds()[s.form].longest, longestChecked)
	case duration:
		return 6
	}
	return 1
}

// take converts the tokens into a value for the slot. A higher cost means a worse fit.
func (s slot) take(tokens []token) (value any, cost float64, ok bool) {
	first := tokens[0]
	if first.mark() && s.kind != oneWord && s.kind != pathLike {
		return nil, 0, false
	}
	switch s.kind {
	case integer:
		n, err := strconv.Atoi(digits(first))
		return n, 0, err == nil && !first.quoted
	case number:
		n, ok := parseNumber(digits(first))
		return n, 0, ok && !first.quoted
	case flag:
		return true, 0, sameStem(first.folded, s.word)
	case choice:
		for _, allowed := range s.enum {
			if strings.EqualFold(fmt.Sprint(allowed), first.text) {
				return allowed, 0, true
			}
		}
		return nil, 0, false
	case list:
		return parseList(raw(tokens)), s.textCost(tokens), true
	case duration:
		text, ok := parseDuration(tokens)
		return text, 0, ok
	case checked:
		of := newSentence(raw(tokens))
		if len(of.words) == 0 || len(of.words) > kinds()[s.form].longest {
			return nil, 0, false
		}
		value, ok := kinds()[s.form].read(of, of.words)
		return value, s.textCost(tokens), ok
	case globLike:
		return first.text, 0, strings.ContainsAny(first.text, "*?[") || first.quoted
	case pathLike:
		return first.text, 0, looksLikePath(first.text) || first.quoted
	case oneWord:
		cost := 0.02
		if first.quoted || looksLikePath(first.text) {
			cost = 0
		}
		return first.text, cost, !first.little() && !strings.ContainsAny(first.text, "*?[") || first.quoted
	}
	return raw(tokens), s.textCost(tokens), true
}

// textCost returns the cost of using the tokens as the value. Many words, a function word at the
// beginning and a punctuation mark at the end raise the cost.
func (s slot) textCost(tokens []token) float64 {
	first, last := tokens[0], tokens[len(tokens)-1]
	cost := 0.03 // a name is more likely than free text
	if extra := len(tokens) - max(s.words, 1); extra > 0 {
		cost += 0.02 * float64(min(extra, 8))
	}
	if first.little() {
		cost += 0.1
	}
	if last.mark() {
		cost += 0.1
	}
	return cost
}

// parseList parses a JSON array or a comma-separated list.
func parseList(text string) []any {
	var values []any
	if json.Unmarshal([]byte(text), &values) == nil {
		return values
	}
	for _, part := range strings.Split(strings.Trim(text, "[]"), ",") {
		part = strings.TrimSpace(part)
		if n, ok := parseNumber(part); ok {
			values = append(values, n)
		} else if part != "" {
			values = append(values, part)
		}
	}
	return values
}

// raw returns the original text of the tokens.
func raw(tokens []token) string {
	if len(tokens) == 1 {
		return tokens[0].text
	}
	return (*tokens[0].request)[tokens[0].start:tokens[len(tokens)-1].end]
}

var numerals = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
	"nine": "9", "ten": "10", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "sixty": "60",
}

// parseNumber parses a number. It rejects NaN and infinities, which JSON cannot encode.
func parseNumber(text string) (number float64, ok bool) {
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil && !math.IsNaN(number) && !math.IsInf(number, 0)
}

func digits(t token) string {
	if numeral, ok := numerals[t.folded]; ok {
		return numeral
	}
	return t.text
}

var (
	units   = map[string]string{"s": "s", "sec": "s", "second": "s", "m": "m", "min": "m", "minute": "m", "h": "h", "hr": "h", "hour": "h"}
	compact = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d+h)?(\d+m)?(\d+s)?$`) })
)

// parseDuration reads "5 minutes" as 5m, and "1 hour and 30 min" as 1h30m.
func parseDuration(tokens []token) (string, bool) {
	if len(tokens) == 1 && tokens[0].text != "" && compact().MatchString(tokens[0].folded) {
		return tokens[0].folded, true
	}
	var text strings.Builder
	for i := 0; i < len(tokens); {
		if tokens[i].folded == "and" && i > 0 {
			i++
			continue
		}
		if i+1 >= len(tokens) {
			return "", false
		}
		amount := digits(tokens[i])
		if tokens[i].folded == "an" || tokens[i].folded == "a" {
			amount = "1"
		}
		n, err := strconv.Atoi(amount)
		unit, ok := units[strings.TrimSuffix(tokens[i+1].folded, "s")]
		if tokens[i+1].folded == "s" {
			unit, ok = "s", true
		}
		if err != nil || n < 0 || !ok {
			return "", false
		}
		text.WriteString(strconv.Itoa(n) + unit)
		i += 2
	}
	return text.String(), text.Len() > 0
}
