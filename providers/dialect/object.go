package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"marvin/messages"
)

// object parses a call in the form of a JSON object. If inTag is true, the arguments are optional.
func (p *parser) object(inTag bool) verdict {
	if v := p.head(); v != whole {
		return v
	}
	raw, v := p.json('{')
	if v != whole {
		return v
	}
	call, ok := p.call([]byte(raw), inTag)
	if !ok {
		return never
	}
	p.calls = append(p.calls, call)
	return whole
}

// callKeys lists the permitted keys of a JSON call.
var callKeys = []string{"name", "arguments", "parameters", "function", "type", "id"}

// head examines the first key of an object. If no call begins with this key, the answer is ordinary
// JSON, which can be forwarded at once.
func (p *parser) head() verdict {
	text := strings.TrimLeft(strings.TrimPrefix(p.rest, "{"), space)
	switch {
	case p.rest == "":
		return partial
	case p.rest[0] != '{':
		return never
	case text == "":
		return partial
	case text[0] != '"':
		return never
	}
	key, after, closed := strings.Cut(text[1:], `"`)
	if !closed {
		if slices.ContainsFunc(callKeys, func(known string) bool { return strings.HasPrefix(known, key) }) {
			return partial
		}
		return never
	}
	if !slices.Contains(callKeys, key) {
		return never
	}
	if key != "name" {
		return whole
	}
	after = strings.TrimLeft(after, space)
	if after, ok := strings.CutPrefix(after, ":"); ok {
		if value, ok := strings.CutPrefix(strings.TrimLeft(after, space), `"`); ok {
			name, _, closed := strings.Cut(value, `"`)
			return p.judgeName(name, closed)
		}
	}
	return whole
}

// json consumes a complete JSON value that begins with the given bracket.
func (p *parser) json(bracket byte) (raw string, v verdict) {
	if p.rest == "" {
		return "", partial
	}
	if p.rest[0] != bracket {
		return "", never
	}
	depth, quoted, escaped := 0, false, false
	for i := range len(p.rest) {
		switch c := p.rest[i]; {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
			if depth > 0 {
				continue
			}
			raw, p.rest = p.rest[:i+1], p.rest[i+1:]
			if !json.Valid([]byte(raw)) {
				return "", never
			}
			return raw, whole
		}
	}
	return "", partial
}

// call decodes {"name": …, "arguments": {…}}. It also accepts the key "parameters" instead of
// "arguments", and an enclosing object {"type": "function", "function": {…}}.
func (p *parser) call(raw json.RawMessage, inTag bool) (messages.ToolCall, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return messages.ToolCall{}, false
	}
	if !onlyCallKeys(fields) {
		return messages.ToolCall{}, false
	}
	if inner, ok := fields["function"]; ok {
		if _, both := fields["name"]; both || string(inner) == "" || inner[0] != '{' {
			return messages.ToolCall{}, false
		}
		return p.call(inner, inTag)
	}
	var name string
	if json.Unmarshal(fields["name"], &name) != nil || !p.offered[name] {
		return messages.ToolCall{}, false
	}
	args, ok := arguments(fields, inTag)
	return messages.ToolCall{Name: name, Args: args}, ok
}

func onlyCallKeys(fields map[string]json.RawMessage) bool {
	for key := range fields {
		if !slices.Contains(callKeys, key) {
			return false
		}
	}
	return true
}

// arguments returns a call's arguments as a JSON object. In the call, the object can be encoded as
// a JSON string.
func arguments(fields map[string]json.RawMessage, inTag bool) (json.RawMessage, bool) {
	args, given := fields["arguments"]
	if parameters, ok := fields["parameters"]; ok {
		if given {
			return nil, false
		}
		args, given = parameters, true
	}
	if !given {
		return json.RawMessage("{}"), inTag
	}
	var text string
	if json.Unmarshal(args, &text) == nil {
		args = json.RawMessage(strings.TrimSpace(text))
	}
	if len(args) == 0 || args[0] != '{' || !json.Valid(args) {
		return nil, false
	}
	return args, true
}
