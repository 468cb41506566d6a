package tools

import (
	"encoding/json"
	"errors"
	"reflect"
)

// What a model is told of a tool with the first request is sent again with each that
// follows: the descriptions of 17 tools, 13 KB, were most of what a conversation of small
// steps sent. So it is what most calls need. The rest is there where it is wanted: in the
// answer to a call that was wrong, in what find_tools says, and for people.

// Outlined gives a tool a shorter description than its Doc for the model's first look. Of its
// parameters the tag
//
//	sent:"…"   says what is sent in the place of doc; with "" nothing is but the type, and
//	           with "-" not even the name: such a parameter is taken, and named by Doc,
//	           by Help and by errors
//
// and leaves out besides what a call works without knowing: limits, to which numbers are
// brought anyway, and a default that is no number and not true.
func Outlined(doc string, tool Tool) Tool {
	tool.brief = doc
	return tool
}

// Outline is what a model is told of a tool at first: the same bytes every time.
func (t Tool) Outline() (doc string, schema json.RawMessage, err error) {
	doc = t.Doc
	if t.brief != "" {
		doc = t.brief
	}
	if t.outline == nil { // it is somebody else's, and has one schema
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
