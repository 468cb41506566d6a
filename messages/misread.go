package messages

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Misread rewords an encoding/json error for users.
func Misread(err error) error {
	var wrong *json.UnmarshalTypeError
	var broken *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("it is a JSON %s, not an object", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s holds a JSON %s, not %s", wrong.Field, wrong.Value, typeInWords(wrong.Type))
	case errors.As(err, &broken) && strings.Contains(broken.Error(), "unexpected end"):
		return errors.New("the JSON ends too early")
	case errors.As(err, &broken):
		return fmt.Errorf("it cannot be read after byte %d", broken.Offset)
	}
	if _, field, unknown := strings.Cut(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("there is no field %s", field)
	}
	return err
}

// typeInWords describes a type to users.
func typeInWords(kind reflect.Type) string {
	switch kind.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	default:
		return "a number"
	}
}
