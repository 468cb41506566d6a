package params

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"marvin/messages/lists"
)

// Parameters describes a tool's arguments.
type Parameters struct {
	tool   string
	schema *jsonschema.Schema
	// Resolving a schema is slow, and most tools are never called. So the schema is resolved at the
	// first call.
	resolved func() (*jsonschema.Resolved, error)
	names    []string          // in declaration order
	aliases  map[string]string // other spelling → name
	// the parameters that are durations; see Checked.Lowered
	limits  map[string]bool
	samples map[string]any // an example value for each name
	given   bool           // set by [RawParameters]; the tool's server also checks each call
}

// InferParameters returns the [Parameters] of a tool that has an argument struct. It reads the tags
// "alias", "example" and "limits" from the struct, because the schema lacks them.
func InferParameters(tool string, structure reflect.Type, encoded json.RawMessage) (*Parameters, error) {
	params := &Parameters{tool: tool, schema: &jsonschema.Schema{}, aliases: map[string]string{}, limits: map[string]bool{}, samples: map[string]any{}}
	if err := json.Unmarshal(encoded, params.schema); err != nil {
		return nil, fmt.Errorf("tool %s: read its schema: %w", tool, err)
	}
	for i := range structure.NumField() {
		field := structure.Field(i)
		name := ParameterName(field)
		params.names = append(params.names, name)
		params.limits[name] = field.Tag.Get("limits") == "time"
		for _, alias := range splitTag(field.Tag.Get("alias")) {
			params.aliases[alias] = name
		}
		params.samples[name] = sample(params.schema.Properties[name], field.Tag.Get("example"))
	}
	params.resolved = sync.OnceValues(func() (*jsonschema.Resolved, error) {
		resolved, err := params.schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		if err != nil {
			return nil, fmt.Errorf("tool %s: resolve schema: %w", tool, err)
		}
		return resolved, nil
	})
	return params, nil
}

func splitTag(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, ",")
}

// sample returns a plausible value for a parameter. Errors contain an example call with such
// values.
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

// Help returns a list of the parameters, one per line.
func (p *Parameters) Help() string {
	var text strings.Builder
	for _, name := range p.names {
		property := p.schema.Properties[name]
		fmt.Fprintf(&text, "  %s (%s", name, kindOf(property))
		if slices.Contains(p.schema.Required, name) {
			text.WriteString(", required")
		} else if len(property.Default) > 0 {
			fmt.Fprintf(&text, ", default %s", property.Default)
		}
		if property.Minimum != nil && property.Maximum != nil {
			fmt.Fprintf(&text, ", %v to %v", *property.Minimum, *property.Maximum)
		}
		text.WriteString(")")
		if property.Description != "" { // many parameters of MCP servers have no description
			text.WriteString(": " + property.Description)
		}
		if len(property.Enum) > 0 {
			if property.Description != "" && !strings.HasSuffix(property.Description, ".") {
				text.WriteString(".")
			}
			fmt.Fprintf(&text, " One of %s.", quotedList(property.Enum))
		}
		if inside := insideOf(property.Items); inside != "" {
			fmt.Fprintf(&text, "; each has %s", inside)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// insideOf returns the names of an item's properties. Optional names are in brackets.
func insideOf(item *jsonschema.Schema) string {
	if item == nil {
		return ""
	}
	needed := slices.Clone(item.Required)
	for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
		if !slices.Contains(item.Required, name) {
			needed = append(needed, "["+name+"]")
		}
	}
	return strings.Join(needed, ", ")
}

// kindOf returns the type of a parameter, in words.
func kindOf(property *jsonschema.Schema) string {
	switch {
	case property == nil || property.Type == "" && len(property.Types) == 0:
		return "any"
	case property.Type != "":
		return property.Type
	}
	return strings.Join(property.Types, " or ")
}

func quotedList(values []any) string {
	quoted := lists.Map(values, func(value any) string { return strconv.Quote(fmt.Sprint(value)) })
	return strings.Join(quoted, ", ")
}

// example encodes sample values of the required arguments as JSON. If all arguments are optional,
// example encodes only the first one.
func (p *Parameters) example() string {
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
