package offline

import (
	"encoding/json"
	"strings"
)

// direct recognizes a request of the form "tool_name", "tool_name {json}" or "tool_name name=value
// …". The tool needs no examples.
func (m *Model) direct(request string) (reading, bool) {
	name, rest, _ := strings.Cut(strings.TrimSpace(request), " ")
	tool, ok := m.finder.Lookup(name)
	if !ok {
		return reading{}, false
	}
	r, ok := newReading(tool, map[string]any{})
	if !ok {
		return reading{}, false
	}
	rest = strings.TrimSpace(rest)
	switch {
	case strings.HasPrefix(rest, "{"):
		ok = json.Unmarshal([]byte(rest), &r.values) == nil
	case rest != "":
		ok = r.assign(rest)
	}
	if !ok {
		return reading{}, false
	}
	r.complete()
	// A tool's name alone ("tree") is not a call if a value is missing.
	return r, rest != "" || len(r.missing) == 0
}

// assign decodes name=value pairs, and stores each pair in r.values. A value can be quoted.
func (r *reading) assign(text string) bool {
	for text != "" {
		name, rest, ok := strings.Cut(text, "=")
		if _, known := r.shape.Properties[name]; !ok || !known {
			return false
		}
		value, after := rest, ""
		if quoted := split(rest); len(quoted) > 0 && quoted[0].quoted && quoted[0].start == 0 {
			value, after = quoted[0].text, rest[quoted[0].end:]
		} else if before, behind, found := strings.Cut(rest, " "); found {
			value, after = before, behind
		}
		r.values[name] = value // all tools accept numbers as text
		text = strings.TrimSpace(after)
	}
	return true
}
