package params

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// coerce converts a value to the type of its parameter, if the conversion is unambiguous. If clamp
// is true, a number outside the limits becomes the nearest valid number. Otherwise the number stays
// as it is, and the validator rejects it.
func coerce(property *jsonschema.Schema, value any, clamp bool) any {
	switch property.Type {
	case "integer", "number":
		return coerceNumber(property, value, clamp)
	case "boolean":
		if text, ok := value.(string); ok {
			if parsed, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text))); err == nil {
				return parsed
			}
		}
	case "string":
		return coerceString(property, value)
	case "array":
		return coerceList(property, value, clamp)
	}
	return value
}

func coerceNumber(property *jsonschema.Schema, value any, clamp bool) any {
	text, ok := value.(string)
	if number, isNumber := value.(json.Number); isNumber {
		text, ok = number.String(), true
	}
	if !ok {
		return value
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil && (!clamp || property.Minimum == nil && property.Maximum == nil) {
		return whole // a 64-bit id must not pass through a float
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
		return value
	}
	if clamp && property.Minimum != nil {
		number = max(number, *property.Minimum)
	}
	if clamp && property.Maximum != nil {
		number = min(number, *property.Maximum)
	}
	if property.Type == "integer" && number == math.Trunc(number) && math.Abs(number) < 1<<53 {
		return int64(number)
	}
	return number
}

// aboveLimit reports whether a value is a number above the maximum of its parameter.
func aboveLimit(property *jsonschema.Schema, value any) bool {
	if property.Maximum == nil {
		return false
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(fmt.Sprint(value)), 64)
	return err == nil && number > *property.Maximum
}

func coerceString(property *jsonschema.Schema, value any) any {
	switch typed := value.(type) {
	case json.Number:
		return typed.String()
	case bool:
		return strconv.FormatBool(typed)
	case string:
		for _, choice := range property.Enum {
			if strings.EqualFold(fmt.Sprint(choice), strings.TrimSpace(typed)) {
				return choice
			}
		}
	}
	return value
}

func coerceList(property *jsonschema.Schema, value any, clamp bool) any {
	list, ok := value.([]any)
	if text, isText := value.(string); isText {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if decoder.Decode(&list) != nil {
			list = []any{text}
		}
		ok = true
	}
	switch value.(type) {
	case bool, json.Number:
		list, ok = []any{value}, true
	}
	if !ok || property.Items == nil {
		return value
	}
	for i := range list {
		list[i] = coerce(property.Items, list[i], clamp)
	}
	return list
}
