package tools

import (
	"encoding/json"
	"strings"
)

// Each request to the model repeats the tool descriptions. The full descriptions of 17 tools take
// up 13 KB, which is most of a small request. So requests contain only what most calls need. The
// rest appears on demand: in the error after a wrong call, in find_tools, and in the user
// documentation.

// WithOutline returns the tool with an outline, a shorter description for the first request. In the
// outline, doc replaces the tool's Doc, and a parameter's "sent" tag replaces its "doc" tag. The
// tag sent:"" removes the description from the outline, and the tag sent:"-" removes the parameter.
// The tool still accepts a removed parameter, and Doc, Help and errors still mention it.
//
// For a parameter with a "sent" tag, the outline omits the limits, because numbers outside the
// limits are clamped. The outline includes the default only if the default is true or a nonzero
// number.
func WithOutline(doc string, tool Tool) Tool {
	tool.brief = doc
	return tool
}

// Outline returns the text and the schema that describe a tool in the first request. All calls of
// Outline return the same bytes.
func (t Tool) Outline() (doc string, schema json.RawMessage, err error) {
	doc = t.Doc
	if t.brief != "" {
		doc = t.brief
	}
	if t.outline == nil { // a foreign tool with one schema
		schema, err = t.schema()
		return doc, schema, err
	}
	schema, err = t.outline()
	return doc, schema, err
}

// Purpose returns the whole Doc if the tool has an outline (see [WithOutline]), and otherwise the
// first sentence of Doc.
func (t Tool) Purpose() string {
	if t.brief != "" {
		return t.Doc
	}
	return firstSentence(t.Doc)
}

func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if before, _, ok := strings.Cut(text, ". "); ok {
		return before + "."
	}
	return text
}

// Short returns a shorter form of the outline, for a model with a small window. doc is only the
// first sentence, and schema contains no descriptions or examples.
func (t Tool) Short() (doc string, schema json.RawMessage, err error) {
	doc, whole, err := t.Outline()
	if err != nil {
		return "", nil, err
	}
	var read map[string]any
	if err := json.Unmarshal(whole, &read); err != nil {
		return "", nil, err
	}
	removeDescriptions(read)
	schema, err = json.Marshal(read)
	return firstSentence(doc), schema, err
}

func removeDescriptions(schema map[string]any) {
	delete(schema, "description")
	delete(schema, "examples")
	for keyword, value := range schema {
		below, ok := value.(map[string]any)
		switch {
		case !ok:
			list, _ := value.([]any) // anyOf and similar keywords have lists of schemas
			for _, one := range list {
				if one, ok := one.(map[string]any); ok {
					removeDescriptions(one)
				}
			}
		case keyword == "properties" || keyword == "$defs": // the keys are names, not keywords
			for _, one := range below {
				if one, ok := one.(map[string]any); ok {
					removeDescriptions(one)
				}
			}
		case keyword != "default" && keyword != "const":
			removeDescriptions(below)
		}
	}
}

// ShortSize estimates the number of tokens in the tool's short description; see [Tool.Short].
func (t Tool) ShortSize() int {
	doc, schema, err := t.Short()
	if err != nil {
		return 0 // the tool is not offered, and the model gets a note
	}
	return EstimateTokens(t.Name + doc + string(schema))
}
