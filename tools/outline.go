package tools

import (
	"encoding/json"
	"strings"
)

// The tool descriptions in the first request are sent again with each later one: those of 17 tools,
// 13 KB, were most of a conversation of small steps. So they hold what most calls need. The rest
// appears on demand: in the answer to a wrong call, in find_tools, and for users.

// Outlined gives a tool a shorter description than its Doc for the first request. The parameter tag
//
//	sent:"…"   replaces doc; with "" only the type is sent, and with "-" not even the name:
//	           such a parameter is accepted, and named by Doc, by Help and by errors
//
// It also omits what a call works without: limits, to which numbers are clamped anyway, and a
// default that is neither a number nor true.
func Outlined(doc string, tool Tool) Tool {
	tool.brief = doc
	return tool
}

// Outline is a tool's description in the first request: always the same bytes.
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

// Purpose is what a tool is for, or all of its description if it is known only in outline.
func (t Tool) Purpose() string {
	if t.brief != "" {
		return t.Doc
	}
	return firstSentence(t.Doc)
}

// firstSentence ends at the first full stop that a space follows.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if before, _, ok := strings.Cut(text, ". "); ok {
		return before + "."
	}
	return text
}

// Short is a tool's description for a model with a small window: the first sentence, and the names,
// types and limits of the parameters. The answer to a wrong call has an example.
func (t Tool) Short() (doc string, schema json.RawMessage, err error) {
	doc, whole, err := t.Outline()
	if err != nil {
		return "", nil, err
	}
	var read map[string]any
	if err := json.Unmarshal(whole, &read); err != nil {
		return "", nil, err
	}
	undescribed(read)
	schema, err = json.Marshal(read)
	return firstSentence(doc), schema, err
}

// undescribed takes the words for people out of a schema, and of all in it.
func undescribed(schema map[string]any) {
	delete(schema, "description")
	delete(schema, "examples")
	for keyword, value := range schema {
		below, ok := value.(map[string]any)
		switch {
		case !ok:
			list, _ := value.([]any) // of anyOf and the like
			for _, one := range list {
				if one, ok := one.(map[string]any); ok {
					undescribed(one)
				}
			}
		case keyword == "properties" || keyword == "$defs": // its keys are names
			for _, one := range below {
				if one, ok := one.(map[string]any); ok {
					undescribed(one)
				}
			}
		case keyword != "default" && keyword != "const":
			undescribed(below)
		}
	}
}

// ShortSize is about how many tokens the short form takes.
func (t Tool) ShortSize() int {
	doc, schema, err := t.Short()
	if err != nil {
		return 0 // it is not offered, and the model gets a note
	}
	return EstimateTokens(t.Name + doc + string(schema))
}
