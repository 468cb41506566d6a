package params

import (
	"errors"
	"testing"
)

func TestValidatorErrorNamesArgument(t *testing.T) {
	for said, want := range map[string]string{
		"validating root: validating /properties/line: minimum: 0 is less than 1": "line: minimum: 0 is less than 1",
		"validating /properties/a: validating /properties/b: no":                  "a: validating /properties/b: no",
		"validating root: required: missing properties: [\"x\"]":                  "required: missing properties: [\"x\"]",
		"validating root":    "validating root",
		"something: is else": "something: is else",
	} {
		if got := plainValidation(errors.New(said)); got.Error() != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
