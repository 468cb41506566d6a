package params

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"marvin/messages/lists"
)

// RawParameters returns the [Parameters] of a tool that has a JSON schema but no argument struct.
func RawParameters(tool string, encoded json.RawMessage) (*Parameters, error) {
	params := &Parameters{tool: tool, schema: &jsonschema.Schema{}, aliases: map[string]string{}, samples: map[string]any{}, given: true}
	if err := json.Unmarshal(encoded, params.schema); err != nil {
		return nil, fmt.Errorf("tool %s: read its schema: %w", tool, err)
	}
	params.names = OrderOf(encoded)
	for _, name := range params.names {
		params.samples[name] = sample(params.schema.Properties[name], "")
		if other := Snake(name); other != name && params.schema.Properties[other] == nil {
			params.aliases[other] = name
		}
	}
	params.resolved = sync.OnceValues(func() (*jsonschema.Resolved, error) {
		resolved, err := params.schema.Resolve(nil)
		if err != nil {
			return nil, fmt.Errorf("tool %s: its schema cannot be used: %w", tool, err)
		}
		return resolved, nil
	})
	return params, nil
}

// OrderOf returns the names of the parameters: the required ones in the order of the schema, then
// the others in alphabetical order.
func OrderOf(encoded json.RawMessage) []string {
	var schema struct {
		Required   []string                   `json:"required"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(encoded, &schema) != nil {
		return nil
	}
	names := schema.Required
	optional := make([]string, 0, len(schema.Properties))
	for name := range schema.Properties {
		if !slices.Contains(names, name) {
			optional = append(optional, name)
		}
	}
	slices.Sort(optional)
	return append(names, optional...)
}

func RawSignature(params func() (*Parameters, error)) []string {
	known, err := params()
	if err != nil {
		return nil
	}
	var list []string
	for _, name := range known.names {
		one := name + ":" + kindOf(known.schema.Properties[name])
		if !slices.Contains(known.schema.Required, name) {
			one = "[" + one + "]"
		}
		list = append(list, one)
	}
	return list
}

// open returns true if calls can have unknown parameters.
func (p *Parameters) open() bool {
	rest := p.schema.AdditionalProperties
	return p.given && (rest == nil || rest.Not == nil)
}

// complete assigns defaults to omitted parameters. It does nothing for a foreign tool, because the
// tool's server sets the defaults.
func (p *Parameters) complete(resolved *jsonschema.Resolved, values *map[string]any) error {
	if p.given {
		return nil
	}
	return resolved.ApplyDefaults(values)
}

// forValidator returns the arguments in the form that the validator expects.
func (p *Parameters) forValidator(values map[string]any) any {
	if p.given {
		return ConvertNumbers(values)
	}
	return values
}

// ConvertNumbers converts each json.Number to an int64 or a float64, because the validator treats a
// json.Number as a string.
func ConvertNumbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		if number, err := value.Float64(); err == nil {
			return number
		}
	case map[string]any:
		plain := make(map[string]any, len(value))
		for key, member := range value {
			plain[key] = ConvertNumbers(member)
		}
		return plain
	case []any:
		return lists.Map(value, ConvertNumbers)
	}
	return value
}
