package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"marvin/messages/lists"
	"marvin/tools/internal/advice"
	"marvin/tools/internal/hidden"
	"marvin/tools/internal/near"
	"marvin/tools/internal/text"
)

// Checked is the result of [Parameters.Check].
type Checked struct {
	JSON    json.RawMessage
	Title   string   // the call in one line
	Lowered []string // a sentence for each duration that exceeded its limit
}

// Check decodes a model's arguments, and returns them as JSON for an argument struct. If fold is
// not nil, it can change the decoded arguments before they are checked. Check corrects clear
// faults, such as aliases, values of the wrong JSON type, and numbers outside their limits. It
// never repairs broken JSON: with truncated arguments, a tool could write an incomplete file.
func (p *Parameters) Check(raw json.RawMessage, fold func(map[string]any)) (checked Checked, err error) {
	values, err := DecodeObject(raw)
	if err != nil {
		return Checked{}, p.Explain(err)
	}
	if fold != nil {
		fold(values)
	}
	if values, err = p.mend(values, &checked.Lowered); err != nil {
		return Checked{}, p.Explain(err)
	}
	checked.Title = p.title(values)
	resolved, err := p.resolved()
	if err != nil {
		return Checked{}, err
	}
	if err = p.complete(resolved, &values); err != nil {
		return Checked{}, p.Explain(err)
	}
	if err = resolved.Validate(p.forValidator(values)); err != nil {
		return Checked{}, p.Explain(p.misfit(values, err))
	}
	if checked.JSON, err = PlainJSON(values); err != nil {
		return Checked{}, p.Explain(err)
	}
	return checked, nil
}

// DecodeObject reads a JSON object. The object may be encoded as a string, up to three times.
func DecodeObject(raw json.RawMessage) (map[string]any, error) {
	text := bytes.TrimSpace(raw)
	for decoded := 0; ; decoded++ {
		if len(text) == 0 || string(text) == "null" || string(text) == `""` {
			return map[string]any{}, nil
		}
		if text[0] != '"' || decoded == 3 {
			break
		}
		var inner string
		if err := json.Unmarshal(text, &inner); err != nil {
			return nil, broken(text, err)
		}
		text = bytes.TrimSpace([]byte(inner))
	}
	if text[0] != '{' {
		return nil, fmt.Errorf("the arguments must be a JSON object, but they are: %s", Excerpt(string(text)))
	}
	if tooDeep(text) {
		return nil, fmt.Errorf("the arguments are nested more than %d levels deep; make them simpler", deepestArguments)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // 64-bit ids must not pass through a float
	var values map[string]any
	if err := decoder.Decode(&values); err != nil {
		return nil, broken(text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("there is text after the JSON object: %s", Excerpt(string(text[decoder.InputOffset():])))
	}
	return values, nil
}

// deepestArguments limits the nesting of arguments. The tools use at most four levels, and each
// level of a decoded value takes at least 400 bytes.
const deepestArguments = 100

// tooDeep scans JSON text and reports whether its nesting is deeper than deepestArguments.
func tooDeep(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > deepestArguments {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}

func broken(text []byte, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "unexpected end") {
		return fmt.Errorf("the arguments are cut off after %d bytes; nothing was done. Send them completely, and write long files in pieces (create_file, then append_file)", len(text))
	}
	return fmt.Errorf("the arguments are not valid JSON (%w): %s", err, Excerpt(string(text)))
}

// BareTexts returns strings that could contain a call in a syntax other than JSON: the string
// values of a JSON object, the value of a JSON string, or else the whole input.
func BareTexts(raw json.RawMessage) []string {
	if values, err := DecodeObject(raw); err == nil {
		var texts []string
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if text, ok := values[name].(string); ok {
				texts = append(texts, text)
			}
		}
		return texts
	}
	var inner string
	if json.Unmarshal(raw, &inner) == nil {
		return []string{inner}
	}
	return []string{string(raw)}
}

// mend resolves aliases, and converts each value to its parameter's type if the conversion is
// unambiguous. For each duration above its limit, mend appends a sentence to *lowered.
func (p *Parameters) mend(values map[string]any, lowered *[]string) (map[string]any, error) {
	mended := make(map[string]any, len(values))
	for key, value := range values {
		name := p.canonical(key)
		property := p.schema.Properties[name]
		if property == nil {
			if value == nil || value == "" {
				continue
			}
			if p.open() && p.suggest(key) == "" {
				mended[key] = value
				continue
			}
			return nil, fmt.Errorf("there is no parameter %q%s", Clip(key, 80), p.suggest(key))
		}
		if _, taken := mended[name]; taken && name != key {
			continue // the canonical name has priority over its alias
		}
		if value == nil && !nullable(property, 0) || value == "" && len(property.Enum) > 0 && !slices.Contains(p.schema.Required, name) {
			continue
		}
		mended[name] = coerce(property, value, !p.given)
		if p.limits[name] && aboveLimit(property, value) {
			*lowered = append(*lowered, fmt.Sprintf("%s: the maximum %v was used instead of %v", name, mended[name], value))
		}
	}
	for _, name := range p.schema.Required {
		if _, ok := mended[name]; !ok {
			return nil, fmt.Errorf("%s is required: %s", name, p.schema.Properties[name].Description)
		}
	}
	return mended, nil
}

func (p *Parameters) canonical(key string) string {
	if _, ok := p.schema.Properties[key]; ok {
		return key
	}
	folded := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(key), "-", "_"))
	if name, ok := p.aliases[folded]; ok {
		return name
	}
	if _, ok := p.schema.Properties[folded]; ok {
		return folded
	}
	return key
}

func (p *Parameters) suggest(key string) string {
	if close := near.Similar(key, p.names, 1); len(close) > 0 {
		return fmt.Sprintf("; did you mean %q?", close[0])
	}
	return ""
}

// Explain adds the expected parameters and an example to an error.
func (p *Parameters) Explain(err error) error {
	if len(p.names) == 0 {
		return advice.Advise(err, "%s takes no parameters. Example: {}", p.tool)
	}
	return advice.Advise(err, "Parameters of %s:\n%sExample: %s", p.tool, p.Help(), p.example())
}

// plainValidation strips the library's path prefixes: "validating /properties/x: …".
func plainValidation(err error) error {
	text := err.Error()
	for {
		rest, ok := strings.CutPrefix(text, "validating ")
		if !ok {
			return errors.New(text)
		}
		where, what, ok := strings.Cut(rest, ": ")
		if !ok {
			return errors.New(text)
		}
		if name, ok := strings.CutPrefix(where, "/properties/"); ok {
			return fmt.Errorf("%s: %s", name, what)
		}
		text = what
	}
}

// title describes a call in one line: the tool and the first arguments.
func (p *Parameters) title(values map[string]any) string {
	parts := []string{p.tool}
	for _, name := range p.names {
		value, ok := values[name]
		if !ok || len(parts) > 3 {
			continue
		}
		text := inShort(value)
		if on, ok := value.(bool); ok { // the title contains "background" instead of "true"
			text = ""
			if on {
				text = strings.ReplaceAll(name, "_", " ")
			}
		}
		if len(parts) > 1 && (strings.Contains(text, "\n") || len(text) > 60) {
			continue // a file's name says more than its content
		}
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			parts = append(parts, Clip(text, 60))
		}
	}
	return hidden.Visible(strings.Join(parts, " "))
}

// inShort shortens a value for a call's title. A list becomes its items, and an object becomes its
// first string.
func inShort(value any) string {
	switch value := value.(type) {
	case []any:
		items := lists.Map(value, inShort)
		return strings.Join(items, ", ")
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			// The value of "status" does not identify the object.
			if text, ok := value[name].(string); ok && name != "status" {
				return text
			}
		}
	}
	return fmt.Sprint(value)
}

// Excerpt quotes the beginning of a model's text.
func Excerpt(text string) string { return strconv.Quote(Clip(text, 200)) }

// Clip calls [text.Clip]. Callers can use Clip where a variable named text hides that package.
func Clip(said string, limit int) string { return text.Clip(said, limit) }

// nullable returns true if a schema allows null.
func nullable(schema *jsonschema.Schema, depth int) bool {
	if schema == nil || depth > 8 {
		return false
	}
	inner := func(one *jsonschema.Schema) bool { return nullable(one, depth+1) }
	return schema.Type == "null" || slices.Contains(schema.Types, "null") || slices.Contains(schema.Enum, nil) ||
		slices.ContainsFunc(schema.AnyOf, inner) || slices.ContainsFunc(schema.OneOf, inner)
}
