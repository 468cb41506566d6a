package params

import (
	"errors"
	"reflect"
)

// unsent omits a parameter from an outline, as in the tag sent:"-".
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
