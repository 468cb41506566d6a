package offline

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/offline/followup"
	"marvin/providers/offline/handy"
	"marvin/providers/offline/lines"
)

// Reasons for refusing a request that refers to a [followup.Thing]. The phrase files contain a
// message for each reason.
const (
	noThing  = "no thing"
	noVerb   = "no verb"
	noFile   = "no file"
	fileIs   = "file is"
	badValue = "bad value"
)

// point converts a request, such as "delete the second one", to calls.
func (m *Model) point(values map[string]any, usable func(string) (Tool, bool), before past, locale string) meaning {
	ref, _ := values["it"].(reference)
	thing, ok := ref.thingIn(before.State)
	if !ok {
		return meaning{locale: locale, reason: noThing}
	}
	verb, _ := values["do"].(string)
	to := fmt.Sprint(values["to"])
	if shifted, ok := values["to"].(shift); ok {
		if to = shifted.valueFor(thing.Kind); to == "" {
			return meaning{locale: locale, reason: noVerb}
		}
	}
	if thing.Kind == followup.File && verb != string(followup.Open) && !m.finder.Has(thing.Name) {
		return meaning{locale: locale, reason: noFile, about: thing.Name}
	}
	return m.calls(thing.CallsFor(followup.Verb(verb), to), usable, locale)
}

// calls returns a [meaning] with the calls of a list, in the same order.
func (m *Model) calls(list []followup.Call, usable func(string) (Tool, bool), locale string) meaning {
	var all []reading
	for _, call := range list {
		tool, ok := usable(call.Tool)
		r, readable := newReading(tool, call.Args)
		if !ok || !readable {
			return meaning{locale: locale, reason: noVerb}
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return meaning{locale: locale, reason: noVerb}
	}
	return meaning{reading: all[0], then: all[1:], sure: true, locale: locale}
}

// newReading returns a call to a tool. The values become the arguments of the call.
func newReading(tool Tool, values map[string]any) (reading, bool) {
	r := reading{tool: tool, values: values, said: 1, score: 1}
	if json.Unmarshal(tool.Schema, &r.shape) != nil {
		return reading{}, false
	}
	r.missing = r.shape.lacking(values)
	return r, true
}

// understandPointing understands a request that refers to an earlier thing, such as "search for
// TODO in it". The reference is replaced with the thing's name, and a parameter of the called tool
// must accept the thing.
func (m *Model) understandPointing(request string, usable func(string) (Tool, bool), before past, question providers.Question) (meaning, bool) {
	if !before.hasTargets() {
		return meaning{}, false
	}
	s := newSentence(request)
	if len(s.words) > longestFrame {
		return meaning{}, false
	}
	for at := len(s.words) - 1; at > 0; at-- {
		for length := min(kinds()["ref"].longest, len(s.words)-at); length > 0; length-- {
			words := s.words[at : at+length]
			value, ok := readRef(s, words)
			if !ok {
				continue
			}
			thing, ok := value.(reference).thingIn(before.State)
			if !ok || thing.Key != "" { // with a Key, the name is an id, which no request contains
				continue
			}
			for _, named := range naming(thing, language(request)) {
				u, ok := m.understandMarked(s.replaced(at, at+length, named), usable)
				if ok && u.takes(thing) {
					return m.act(u, usable, before, question), true
				}
			}
		}
	}
	return meaning{}, false
}

// naming generates phrases for a thing: the quoted name, alone or after a preposition or a noun.
func naming(thing followup.Thing, locale string) []string {
	name := strconv.Quote(thing.Name)
	if thing.Kind == followup.Spot {
		return []string{map[string]string{"en": "in ", "de": "in ", "fr": "à "}[locale] + name, name}
	}
	list := []string{name}
	if thing.Kind == followup.File { // "search for TODO inside"
		list = append(list, map[string]string{"en": "in ", "de": "in ", "fr": "dans "}[locale]+name)
	}
	for _, noun := range strings.Split(localized("named", locale), "; ") {
		if kind, words, _ := strings.Cut(noun, "="); kind == string(thing.Kind) {
			list = append(list, words+" "+name)
		}
	}
	return list
}

// replaced substitutes the given text for s.words[from:to], and returns the new request.
func (s sentence) replaced(from, to int, text string) string {
	first, last := s.words[from], s.words[to-1]
	head := s.request[:first.start]
	if from > 0 && s.words[from-1].start == first.start { // "supprime-le" is two words at one position
		head += s.words[from-1].folded
	}
	return head + " " + text + s.request[last.end:]
}

// takes is true if u assigns the thing's name to a parameter that accepts the thing.
func (u understood) takes(thing followup.Thing) bool {
	for name, value := range u.values {
		if value == thing.Name && thing.Takes(name) {
			return true
		}
	}
	return false
}

// line converts an operation such as "delete" to a call that runs a shell command.
func (m *Model) line(name string, values map[string]any, usable func(string) (Tool, bool), locale string, list []messages.Message) meaning {
	path, _ := values["path"].(string)
	to, _ := values["to"].(string)
	switch {
	case moved(list):
	case path != "" && name != "folder" && !m.finder.Has(path):
		return meaning{locale: locale, reason: noFile, about: path}
	case to != "" && m.finder.Has(to):
		return meaning{locale: locale, reason: fileIs, about: to}
	}
	run, ok := usable(runCommand)
	command, written := lines.Line(name, values)
	if !ok || !written {
		return meaning{locale: locale, reason: noVerb}
	}
	return meaning{reading: runs(run, command), sure: true, locale: locale}
}

// art applies [handy.CallFunction] to the request's values and returns the answer.
func art(name string, values map[string]any, locale string) meaning {
	number := func(name string) int {
		n, _ := strconv.Atoi(fmt.Sprint(values[name]))
		return n
	}
	text, _ := values["text"].(string)
	result, done, known := handy.CallFunction(name, handy.Words{Text: text, Low: number("low"), High: number("high"), Count: number("count")})
	if !done || !known {
		return meaning{locale: locale, reason: badValue}
	}
	if word := localized(result, locale); word != "" {
		result = word
	}
	return meaning{text: result + "\n"}
}
