package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"marvin/messages/lists"
)

// reading is one interpretation of a request as a call, with a score.
type reading struct {
	template template
	tool     Tool
	shape    schema
	values   map[string]any
	unread   []token  // the request's tokens that were not matched
	missing  []string // required parameters without a value

	// the number of the example's meaningful words that the request contains, and the number that
	// the request lacks
	said, unsaid int
	value        float64
	score        float64 // 1 means that the request has every word of the example and no other word
}

const (
	// sureScore is the minimum score for tools with neither Writes nor Changes.
	sureScore = 0.72
	// writeScore is the minimum score for tools that change the project.
	writeScore = 0.9
	// changeScore is the minimum score for tools that change something outside the project.
	changeScore = 0.8
	// hintScore is the minimum score at which Marvin asks the user for a missing value.
	hintScore = 0.6
)

func (r *reading) complete() {
	r.fillFromSchema()
	r.missing = r.shape.lacking(r.values)
	if r.template.full > 0 {
		r.score = r.value / r.template.full
	}
}

// sure is true if the match is good enough to make the call or to ask for missing values.
func (r reading) sure() bool {
	switch {
	case r.said == 0:
		return false
	case len(r.missing) > 0:
		return r.score >= hintScore && r.unsaid == 0 && !r.ignores()
	case r.wanders():
		return false
	case r.tool.Writes:
		return r.score >= writeScore && r.unsaid == 0 && !r.rambles()
	case r.tool.Changes:
		return r.score >= changeScore && r.unsaid == 0 && !r.ignores()
	}
	return r.score >= sureScore
}

// wanders returns true if a value contains a second request or a word that introduces another
// value.
func (r reading) wanders() bool {
	for _, value := range r.values {
		text, ok := value.(string)
		if !ok {
			continue
		}
		s := newSentence(text)
		if r.tool.Changes && lexicon().second(s.words) || slices.ContainsFunc(s.words, func(w word) bool { return !w.quoted && lexicon().tables["leading"][w.folded] != "" }) {
			return true
		}
	}
	return false
}

// ignores is true if r.unread contains a meaningful word.
func (r reading) ignores() bool {
	return slices.ContainsFunc(r.unread, func(t token) bool { return !t.mark() && !t.little() })
}

// rambles returns true if a request resembles prose: some words matched nothing, or a value begins
// with a function word. "run to the station" does not ask for a command called "to".
func (r reading) rambles() bool {
	if slices.ContainsFunc(r.unread, func(t token) bool { return !t.mark() && !courtesy[t.folded] }) {
		return true
	}
	for _, value := range r.values {
		text, ok := value.(string)
		if tokens := split(text); ok && len(tokens) > 0 && tokens[0].little() && tokens[0].text == strings.ToLower(tokens[0].text) {
			return true
		}
	}
	return false
}

var courtesy = map[string]bool{"please": true, "can": true, "could": true, "would": true, "you": true, "now": true, "just": true, "thanks": true, "marvin": true, "hey": true, "my": true}

func (r reading) encode() json.RawMessage {
	encoded, err := json.Marshal(r.values)
	if err != nil {
		return json.RawMessage("{}") // JSON cannot encode NaN or infinities
	}
	return encoded
}

// say describes the call in one localized line. The line contains the tool's name and the values.
func (r reading) say(locale string) string {
	var list []string
	for _, name := range r.shape.order(r.values) {
		list = append(list, fmt.Sprintf("%s=%v", name, r.values[name]))
	}
	if len(list) == 0 {
		return fmt.Sprintf(localized("call", locale), r.tool.Name) + "\n"
	}
	return fmt.Sprintf(localized("call with", locale), r.tool.Name, strings.Join(list, ", ")) + "\n"
}

// order arranges the names of the given values. Required parameters come first, in the schema's
// order. The other names are sorted.
func (s schema) order(values map[string]any) []string {
	var others []string
	for name := range values {
		if !slices.Contains(s.Required, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return append(lists.Filter(s.Required, func(name string) bool { return holds(values, name) }), others...)
}

// asks returns the question for the first missing value.
func (r reading) asks(locale string) string {
	name := r.missing[0]
	if question := localized("? "+r.tool.Name+"."+name, locale); question != "" {
		return question + "\n"
	}
	about := strings.ReplaceAll(name, "_", " ")
	if doc := r.shape.Properties[name].Description; doc != "" {
		about += " (" + doc + ")"
	}
	return fmt.Sprintf(localized("?", locale), r.tool.Name, about) + "\n"
}

// firstExample returns the first example as the user would type it.
func firstExample(examples []string) string {
	if len(examples) == 0 {
		return ""
	}
	var text strings.Builder
	for rest := examples[0]; ; {
		before, slot, ok := strings.Cut(rest, "{")
		text.WriteString(before)
		if !ok {
			return strings.TrimSpace(text.String())
		}
		slot, rest, _ = strings.Cut(slot, "}")
		if sample, _, _ := strings.Cut(slot, "|"); !strings.HasPrefix(sample, "=") { // the words around the slot express the value
			text.WriteString(sample)
		}
	}
}
