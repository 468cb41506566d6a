package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// parameters is what the tags of an argument struct say, once inferred.
type parameters struct {
	tool     string
	schema   *jsonschema.Schema
	resolved func() (*jsonschema.Resolved, error) // made for the first call: half the cost, and most tools are never called
	encoded  json.RawMessage
	names    []string          // in declaration order
	aliases  map[string]string // other spelling → name
	samples  map[string]any    // a value for each name, for examples
}

// inferParameters lets the library describe In, then writes into the schema what
// the tags say; the library reads no tags beyond json.
func inferParameters[In any](tool string) (*parameters, error) {
	structure := reflect.TypeFor[In]()
	if structure.Kind() != reflect.Struct {
		return nil, fmt.Errorf("tool %s: arguments must be a struct, not %s", tool, structure)
	}
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{})
	if err != nil {
		return nil, fmt.Errorf("tool %s: describe arguments: %w", tool, err)
	}
	params := &parameters{
		tool: tool, schema: schema,
		aliases: map[string]string{}, samples: map[string]any{},
	}
	schema.Required = nil
	for i := range structure.NumField() {
		if err := params.field(structure.Field(i)); err != nil {
			return nil, fmt.Errorf("tool %s: %w", tool, err)
		}
	}
	schema.PropertyOrder = params.names
	params.resolved = sync.OnceValues(func() (*jsonschema.Resolved, error) {
		resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		if err != nil {
			return nil, fmt.Errorf("tool %s: resolve schema: %w", tool, err)
		}
		return resolved, nil
	})
	if params.encoded, err = json.Marshal(schema); err != nil {
		return nil, fmt.Errorf("tool %s: encode schema: %w", tool, err)
	}
	return params, nil
}

func (p *parameters) field(field reflect.StructField) error {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		return fmt.Errorf("field %s has no json name", field.Name)
	}
	property := p.schema.Properties[name]
	if property == nil {
		return fmt.Errorf("field %s is not in the schema", field.Name)
	}
	p.names = append(p.names, name)
	property.Description = field.Tag.Get("doc")
	if property.Description == "" {
		return fmt.Errorf("parameter %s has no doc", name)
	}
	dropNull(property)
	for _, alias := range splitTag(field.Tag.Get("alias")) {
		p.aliases[alias] = name
	}
	for _, value := range splitTag(field.Tag.Get("enum")) {
		property.Enum = append(property.Enum, value)
	}
	var err error
	if property.Minimum, err = bound(field.Tag, "min"); err != nil {
		return fmt.Errorf("parameter %s: %w", name, err)
	}
	if property.Maximum, err = bound(field.Tag, "max"); err != nil {
		return fmt.Errorf("parameter %s: %w", name, err)
	}
	value, hasDefault := field.Tag.Lookup("default")
	if hasDefault {
		property.Default = literal(property, value)
		if slices.Contains(property.Enum, any(value)) || len(property.Enum) == 0 {
			// fine: a default is one of the choices
		} else {
			property.Enum = append([]any{value}, property.Enum...)
		}
	}
	if !hasDefault && !strings.Contains(options, "omitempty") && field.Type.Kind() != reflect.Pointer {
		p.schema.Required = append(p.schema.Required, name)
	}
	p.samples[name] = sample(property, field.Tag.Get("example"))
	return nil
}

// dropNull makes ["null","array"] plain "array": some providers reject lists of types.
func dropNull(property *jsonschema.Schema) {
	if len(property.Types) == 0 {
		return
	}
	property.Types = slices.DeleteFunc(property.Types, func(t string) bool { return t == "null" })
	if len(property.Types) == 1 {
		property.Type, property.Types = property.Types[0], nil
	}
}

func splitTag(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, ",")
}

func bound(tag reflect.StructTag, key string) (*float64, error) {
	text, ok := tag.Lookup(key)
	if !ok {
		return nil, nil
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("tag %s: %w", key, err)
	}
	return &number, nil
}

// literal is the JSON of a default as the parameter's type wants it.
func literal(property *jsonschema.Schema, value string) json.RawMessage {
	if property.Type == "string" {
		quoted, _ := json.Marshal(value) // a Go string always encodes
		return quoted
	}
	return json.RawMessage(value)
}

// sample is a plausible value, so that an example in an error can be copied.
func sample(property *jsonschema.Schema, example string) any {
	var value any
	switch {
	case example != "" && property.Type == "string":
		return example
	case example != "" && json.Unmarshal([]byte(example), &value) == nil:
		return value
	case len(property.Enum) > 0:
		return property.Enum[len(property.Enum)-1]
	case property.Type == "integer" || property.Type == "number":
		if property.Minimum != nil {
			return *property.Minimum
		}
		return 1
	case property.Type == "boolean":
		return true
	case property.Type == "array":
		return []any{"…"}
	}
	return "…"
}

// help lists the parameters for a model that got them wrong.
func (p *parameters) help() string {
	var text strings.Builder
	for _, name := range p.names {
		property := p.schema.Properties[name]
		fmt.Fprintf(&text, "  %s (%s", name, property.Type)
		if slices.Contains(p.schema.Required, name) {
			text.WriteString(", required")
		} else if len(property.Default) > 0 {
			fmt.Fprintf(&text, ", default %s", property.Default)
		}
		if property.Minimum != nil && property.Maximum != nil {
			fmt.Fprintf(&text, ", %v to %v", *property.Minimum, *property.Maximum)
		}
		fmt.Fprintf(&text, "): %s", property.Description)
		if len(property.Enum) > 0 {
			fmt.Fprintf(&text, " One of %s.", quotedList(property.Enum))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func (p *parameters) signature() []string {
	list := make([]string, len(p.names))
	for i, name := range p.names {
		list[i] = name + ":" + p.schema.Properties[name].Type
		if !slices.Contains(p.schema.Required, name) {
			list[i] = "[" + list[i] + "]"
		}
	}
	return list
}

func quotedList(values []any) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = strconv.Quote(fmt.Sprint(value))
	}
	return strings.Join(quoted, ", ")
}

// example is a call with the required parameters, or the first one if none is.
func (p *parameters) example() string {
	names := p.schema.Required
	if len(names) == 0 && len(p.names) > 0 {
		names = p.names[:1]
	}
	values := make(map[string]any, len(names))
	for _, name := range names {
		values[name] = p.samples[name]
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		return "{}"
	}
	return string(encoded)
}
