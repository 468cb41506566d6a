package params

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"marvin/messages/lists"
)

// misfit returns an error that names the wrong argument and its possible values, because the
// validator's own error names schema paths and Go types. If it cannot find the argument, it returns
// the validator's error.
func (p *Parameters) misfit(values map[string]any, err error) error {
	for _, name := range p.names {
		value, given := values[name]
		if !given {
			continue
		}
		if said := misfit(name, p.schema.Properties[name], value); said != nil {
			return said
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) { // additional arguments
		if p.schema.Properties[name] != nil {
			continue
		}
		if said := misfit(name, p.schema.AdditionalProperties, values[name]); said != nil {
			return said
		}
	}
	return plainValidation(err)
}

func misfit(where string, of *jsonschema.Schema, value any) error {
	if of == nil {
		return nil
	}
	if wanted := typesOf(of); len(wanted) > 0 && !slices.ContainsFunc(wanted, func(kind string) bool { return isKind(kind, value) }) {
		words := lists.Map(wanted, func(kind string) string { return kindWords[kind] })
		return fmt.Errorf("%s must be %s, and not %s", where, strings.Join(words, " or "), shortly(value))
	}
	if len(of.Enum) > 0 && !slices.ContainsFunc(of.Enum, func(one any) bool { return fmt.Sprint(one) == fmt.Sprint(value) }) {
		return fmt.Errorf("%s must be one of %s, and not %s", where, quotedList(of.Enum), shortly(value))
	}
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			if said := misfit(fmt.Sprintf("%s, entry %d", where, i+1), of.Items, item); said != nil {
				return said
			}
		}
	case map[string]any:
		for _, name := range of.Required {
			if _, given := value[name]; !given {
				return fmt.Errorf("%s: %s is missing", where, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if said := misfit(where+": "+name, of.Properties[name], value[name]); said != nil {
				return said
			}
		}
	}
	return nil
}

func typesOf(of *jsonschema.Schema) []string {
	if of.Type != "" {
		return []string{of.Type}
	}
	return of.Types
}

var kindWords = map[string]string{
	"integer": "a whole number", "number": "a number", "boolean": "true or false", "string": "text",
	"array": "a list", "object": "an object with names and values", "null": "nothing",
}

func isKind(kind string, value any) bool {
	switch value := value.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	case int64:
		return kind == "integer" || kind == "number"
	case float64:
		return kind == "number" || kind == "integer" && value == float64(int64(value))
	case json.Number:
		number, err := value.Float64()
		return err == nil && isKind(kind, number)
	}
	return true
}

func shortly(value any) string {
	switch value := value.(type) {
	case nil:
		return "nothing"
	case string:
		if value == "" {
			return "empty"
		}
		return strconv.Quote(Clip(value, 80))
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(value)
}

// TooLarge rewrites the error for a number that is too large for its Go type. A schema without a
// maximum allows such a number.
func TooLarge(err error) error {
	var typed *json.UnmarshalTypeError
	if !errors.As(err, &typed) {
		return err
	}
	if number, ok := strings.CutPrefix(typed.Value, "number "); ok {
		return fmt.Errorf("%s cannot be %s: that number is out of range", typed.Field, Clip(number, 40))
	}
	return fmt.Errorf("%s cannot be %s", typed.Field, typed.Value)
}
