package tools

import (
	"encoding/json"
	"errors"
	"reflect"
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

// unsent is the tag of a parameter that a model is not told of at first.
const unsent = "-"

// sketch writes a field as an outline has it.
func (w *schemaWriter) sketch(field reflect.StructField, sent string) error {
	err := w.shape(field.Type)
	if sent != "" {
		err = errors.Join(err, w.member("description", sent))
	}
	if value := field.Tag.Get("default"); value == "true" || value != "0" && isNumber(field.Type) {
		err = errors.Join(err, w.initial(field))
	}
	return errors.Join(err, w.choices(field))
}

func isNumber(kind reflect.Type) bool {
	name := jsonType(kind)
	return name == "integer" || name == "number"
}
