package offline

import (
	"maps"
	"slices"
	"strings"
)

// fillFromSchema assigns unused words to parameters without a value, if the schema leaves only one
// possibility. For example, "2 levels deep" sets max_depth. The words need not occur in the tool's
// examples.
func (r *reading) fillFromSchema() {
	if len(r.unread) == 0 {
		return
	}
	r.fillSpan()
	for _, name := range r.shape.names() {
		if r.has(name) {
			continue
		}
		s := newSlot(name, "", r.shape)
		switch s.kind {
		case integer, number:
			r.fillNumber(s)
		case choice:
			r.fillFirst(s, func(t token) bool { return !t.little() })
		case flag:
			r.fillFlag(s)
		default:
			r.fillText(s)
		}
	}
}

// names returns the parameters: the required ones in the order of the schema, then the others in
// alphabetical order.
func (s schema) names() []string {
	list := slices.Clone(s.Required)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// fillSpan assigns the two numbers of "10 to 20" to the parameters start_… and end_….
func (r *reading) fillSpan() {
	var first, last string
	for _, name := range r.shape.names() {
		if r.shape.Properties[name].Type != "integer" || r.has(name) {
			continue
		}
		if strings.HasPrefix(name, "start") {
			first = name
		}
		if strings.HasPrefix(name, "end") {
			last = name
		}
	}
	if first == "" || last == "" {
		return
	}
	for i := 0; i+2 < len(r.unread); i++ {
		from, ok := wholeNumber(r.unread[i])
		if !ok || r.unread[i+1].folded != "to" && r.unread[i+1].folded != "and" {
			continue
		}
		if to, ok := wholeNumber(r.unread[i+2]); ok {
			used := slices.Clone(r.unread[i : i+3])
			if r.about(i-1, first) {
				used = append(used, r.unread[i-1])
			}
			r.values[first], r.values[last] = from, to
			r.drop(used...)
			return
		}
	}
}

// about returns true if the word r.unread[i] occurs in a parameter's name or description, or in one
// of the tool's examples that contain the parameter.
func (r *reading) about(i int, name string) bool {
	if i < 0 || i >= len(r.unread) || r.unread[i].little() || r.unread[i].mark() {
		return false
	}
	text := strings.ReplaceAll(name, "_", " ") + " " + r.shape.Properties[name].Description
	for _, example := range r.tool.Examples {
		if strings.Contains(example, "|"+name+"}") {
			text += " " + example
		}
	}
	return slices.ContainsFunc(split(text), func(t token) bool { return sameStem(t.folded, r.unread[i].folded) })
}

func wholeNumber(t token) (any, bool) {
	value, _, ok := slot{kind: integer}.take([]token{t})
	return value, ok
}

// fillNumber sets a parameter to the first number near a related word (see [reading.about]). For a
// required parameter, no related word is necessary.
func (r *reading) fillNumber(s slot) {
	for i, t := range r.unread {
		value, _, ok := s.take([]token{t})
		if !ok {
			continue
		}
		required := slices.Contains(r.shape.Required, s.name)
		used := []token{t}
		for _, at := range []int{i + 1, i + 2, i - 1} {
			if r.about(at, s.name) {
				used = append(used, r.unread[at])
			}
		}
		if len(used) > 1 || required {
			r.values[s.name] = value
			r.drop(used...)
			return
		}
	}
}

func (r *reading) fillFirst(s slot, fits func(token) bool) {
	for _, t := range r.unread {
		if !fits(t) {
			continue
		}
		if value, _, ok := s.take([]token{t}); ok {
			r.values[s.name] = value
			r.drop(t)
			return
		}
	}
}

// fillFlag sets a boolean parameter to true if the request contains a word of the parameter's name.
func (r *reading) fillFlag(s slot) {
	for _, part := range strings.Split(s.name, "_") {
		s.word = part
		r.fillFirst(s, func(t token) bool { return !t.little() })
		if r.has(s.name) {
			return
		}
	}
}

// fillText assigns a glob, a path or quoted text, depending on the parameter.
func (r *reading) fillText(s slot) {
	switch name := s.name; {
	case strings.Contains(name, "glob"):
		r.fillFirst(slot{name: name, kind: globLike}, func(t token) bool { return !t.quoted })
	case kindOf(name, "") == oneWord:
		r.fillFirst(slot{name: name, kind: pathLike}, func(t token) bool { return !t.quoted })
	case slices.Contains(r.shape.Required, name):
		r.fillFirst(slot{name: name}, func(t token) bool { return t.quoted })
	}
}
