package dialect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"marvin/messages"
)

const (
	toolCall   = "<tool_call>"
	function   = "<function="
	mistral    = "[TOOL_CALLS]"
	pythonTag  = "<|python_tag|>"
	fence      = "```"
	argsMarker = "[ARGS]"
)

// tags contains the strings with which a call may begin after other text.
var tags = []string{toolCall, function, mistral, pythonTag}

// endTokens lists tokens that chat templates may leave after an answer.
var endTokens = []string{"</tool_call>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "</s>"}

func tagged(text string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool { return strings.HasPrefix(text, tag) })
}

// verdict says whether text consists of tool calls.
type verdict uint8

const (
	never   verdict = iota // not a call, whatever follows
	partial                // the text may become a call
	whole                  // the text consists only of calls
)

// grammar recognizes calls to the offered tools.
type grammar struct{ offered map[string]bool }

// read returns the calls in a text that consists of a single block.
func (g grammar) read(text string) ([]messages.ToolCall, verdict) {
	p := parser{grammar: g, rest: text}
	v := p.block()
	if v != whole {
		return nil, v
	}
	return p.calls, whole
}

type parser struct {
	grammar
	rest  string
	calls []messages.ToolCall
}

// block consumes one fenced call or a sequence of unfenced calls.
func (p *parser) block() verdict {
	if p.partOf(tags...) || p.partOf(fence) {
		return partial
	}
	if p.take(fence) {
		return p.parseFence()
	}
	for {
		if v := p.parseCall(); v != whole {
			return v
		}
		p.skip(space)
		for p.takeAny(endTokens) {
			p.skip(space)
		}
		p.skip(space + ";")
		switch {
		case p.rest == "":
			return whole
		case p.partOf(endTokens...) || p.partOf(tags...):
			return partial
		}
	}
}

// parseCall parses one call, or a [TOOL_CALLS] marker and its list of calls.
func (p *parser) parseCall() verdict {
	switch {
	case p.take(toolCall):
		return p.inTag()
	case p.take(function):
		return p.parseFunction()
	case p.take(mistral):
		return p.mistral()
	case p.take(pythonTag):
		p.skip(space)
		return p.object(false)
	case strings.HasPrefix(p.rest, "{"):
		return p.object(false)
	}
	return never
}

// inTag parses the text after <tool_call>. After a JSON object, the closing tag is optional,
// because servers remove the tag as a stop word. If the tag is missing, the text must end, or
// another end token must follow.
func (p *parser) inTag() verdict {
	p.skip(space)
	switch {
	case p.partOf(function):
		return partial
	case p.take(function):
		return p.parseFunction() // the closing </tool_call> is one of the end tokens
	}
	if v := p.object(true); v != whole {
		return v
	}
	p.skip(space)
	if p.rest == "" || p.partOf(endTokens...) || slices.ContainsFunc(endTokens, func(end string) bool { return strings.HasPrefix(p.rest, end) }) {
		return whole
	}
	return never
}

// parseFunction parses "NAME><parameter=KEY>VALUE</parameter>…</function>", the rest of a call
// after "<function=". The values remain text; the tool kit converts them to the parameter types.
func (p *parser) parseFunction() verdict {
	name, after, closed := strings.Cut(p.rest, ">")
	if v := p.judgeName(name, closed); v != whole {
		return v
	}
	p.rest = after
	values := map[string]string{}
	for {
		p.skip(space)
		switch {
		case p.take("</function>"):
			p.calls = append(p.calls, messages.ToolCall{Name: name, Args: encode(values)})
			return whole
		case p.partOf("</function>", "<parameter="):
			return partial
		case !p.take("<parameter="):
			return never
		}
		key, after, closed := strings.Cut(p.rest, ">")
		if !closed {
			return partial
		}
		value, after, closed := strings.Cut(after, "</parameter>")
		if !closed {
			return partial
		}
		if _, twice := values[key]; twice || key == "" || strings.ContainsAny(key, space+"<") {
			return never
		}
		if strings.Contains(value, "\n<parameter=") {
			return never // ambiguous: either "</parameter>" is missing or the value quotes a call
		}
		values[key] = strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n")
		p.rest = after
	}
}

// encode leaves "<" and "&" unescaped, because the call is sent back to the model.
func encode(values map[string]string) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(values) != nil {
		return nil // a string can always be encoded
	}
	return bytes.TrimSpace(out.Bytes())
}

// judgeName returns the verdict on a tool name. If closed is false, the name can be incomplete.
func (p *parser) judgeName(name string, closed bool) verdict {
	if closed {
		if p.offered[name] {
			return whole
		}
		return never
	}
	for offered := range p.offered {
		if strings.HasPrefix(offered, name) {
			return partial
		}
	}
	return never
}

// mistral parses [{…}, …], {…} or name[ARGS]{…}. Newer models leave out [ARGS].
func (p *parser) mistral() verdict {
	p.skip(space)
	switch {
	case p.rest == "":
		return partial
	case p.rest[0] == '{':
		return p.object(false)
	case p.rest[0] == '[':
		return p.list()
	}
	end := strings.IndexAny(p.rest, "[{ \n")
	if end < 0 {
		return p.judgeName(p.rest, false)
	}
	name := p.rest[:end]
	if v := p.judgeName(name, true); v != whole {
		return v
	}
	p.rest = p.rest[end:]
	if p.partOf(argsMarker) {
		return partial
	}
	p.take(argsMarker)
	p.skip(space)
	raw, v := p.json('{')
	if v == whole {
		p.calls = append(p.calls, messages.ToolCall{Name: name, Args: json.RawMessage(raw)})
	}
	return v
}

func (p *parser) list() verdict {
	raw, v := p.json('[')
	if v != whole {
		return v
	}
	var objects []json.RawMessage
	if json.Unmarshal([]byte(raw), &objects) != nil || len(objects) == 0 {
		return never
	}
	for _, object := range objects {
		call, ok := p.call(object, false)
		if !ok {
			return never
		}
		p.calls = append(p.calls, call)
	}
	return whole
}

// parseFence parses a fenced call. After the closing fence, it accepts only white space.
func (p *parser) parseFence() verdict {
	info, after, closed := strings.Cut(p.rest, "\n")
	known := func(language string) bool { return strings.HasPrefix(language, strings.TrimSpace(info)) }
	languages := []string{"json", "tool_call"}
	if !slices.ContainsFunc(languages, known) {
		return never
	}
	if !closed {
		return partial
	}
	if info = strings.TrimSpace(info); info != "" && !slices.Contains(languages, info) {
		return never
	}
	p.rest = after
	p.skip(space)
	if v := p.object(false); v != whole {
		return v
	}
	p.skip(space)
	switch {
	case p.partOf(fence):
		return partial
	case !p.take(fence):
		return never
	}
	p.skip(space)
	if p.rest != "" {
		return never
	}
	return whole
}

func (p *parser) take(text string) (ok bool) {
	p.rest, ok = strings.CutPrefix(p.rest, text)
	return ok
}

func (p *parser) takeAny(texts []string) bool { return slices.ContainsFunc(texts, p.take) }

// partOf reports whether the remaining text is a proper prefix of one of the given strings.
func (p *parser) partOf(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		return len(p.rest) < len(text) && strings.HasPrefix(text, p.rest)
	})
}

func (p *parser) skip(set string) { p.rest = strings.TrimLeft(p.rest, set) }
