package params

import (
	"errors"
	"reflect"
)

// unsent is the "sent" tag of a parameter that does not appear in outlines.
const unsent = "-"

// sketch writes the shortened schema of a struct field (see [SchemaOf]).
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
