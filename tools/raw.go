package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Definition is a foreign tool: a JSON schema instead of a struct describes its arguments, and
// another program does the work. Missing fields mean the worst: the user is asked about each call,
// it may change anything in the order of a reply, and its results are untrusted.
type Definition struct {
	Name     string          // as [ForeignName] makes it
	Doc      string          // for the model
	Schema   json.RawMessage // of the arguments, which are an object; nil takes none
	Taken    bool            // the schema is one that Raw gave out before, so that it is not looked at again: 40 µs
	Examples []string        // as in [Def]

	// To is the user's name for the destination: the name of a server. A prompt that names it
	// allows sending there without a user to ask.
	To string
	// Described says that a stranger wrote the description.
	Described bool
	Effect    Effect // [Outside] if not said; Reads runs unasked, also when tools that write are off
	Brings    Origin // [Strangers] if not said
	Pool      Pool
	Timeout   time.Duration

	// Places, when set, are all that one call reads or writes, instead of everything.
	Places func(Env, json.RawMessage) []Place
	// Command, when set, is the line that a person is shown as what runs.
	Command string
	// Run does the work. Arguments are a JSON object that the schema allows. It must
	// return when ctx ends.
	Run func(ctx context.Context, env Env, arguments json.RawMessage) (Output, error)
}

// Raw makes a tool from a JSON schema. The error says why the schema is unusable: it is not of an
// object, or too large. Parts that providers refuse, or that make checking slow, are dropped; see
// [intake].
func Raw(def Definition) (Tool, error) {
	schema := def.Schema
	if !def.Taken {
		var err error
		if schema, err = intake(def.Schema); err != nil {
			return Tool{}, fmt.Errorf("tool %s: %w", def.Name, err)
		}
	}
	if def.Effect == Derived {
		def.Effect = Outside
	}
	if def.Brings == DerivedOrigin {
		def.Brings = Strangers
	}
	if def.Timeout == 0 {
		def.Timeout = DefaultTimeout
	}
	tool := Tool{
		Name: def.Name, Doc: clip(Unhidden(def.Doc), mostDoc), Examples: def.Examples, Service: def.To,
		Effect: def.Effect, Writes: def.Effect > Reads, Confirms: def.Effect > Writes, Sends: def.Effect == Outside,
		Brings: def.Brings, Pool: def.Pool, Timeout: def.Timeout, described: def.Described,
	}
	params := sync.OnceValues(func() (*parameters, error) { return rawParameters(def.Name, schema) })
	tool.schema = func() (json.RawMessage, error) { return schema, nil }
	tool.params = params
	tool.fields = func() []string { return orderOf(schema) }
	tool.signature = func() []string { return rawSignature(params) }
	tool.decode = func(raw json.RawMessage) (Call, error) {
		known, err := params()
		if err != nil {
			return Call{}, err
		}
		arguments, title, err := known.check(raw, nil)
		if err != nil {
			return Call{}, err
		}
		return def.call(tool, title, arguments), nil
	}
	return tool, nil
}

// mostDoc is how much of a stranger's description a model reads, in bytes.
const mostDoc = 2 << 10

func (def Definition) call(tool Tool, title string, arguments json.RawMessage) Call {
	call := Call{Tool: &tool, Title: title, Timeout: tool.Timeout, args: func() (json.RawMessage, error) { return arguments, nil }}
	call.Places = func(env Env) []Place {
		switch {
		case def.Places != nil:
			return def.Places(env, arguments)
		case tool.Effect == Reads:
			return []Place{{All: true}}
		}
		return []Place{{All: true, Write: true}}
	}
	if tool.Confirms {
		call.Confirm = func(Env) (string, string) {
			return "Run " + tool.Name + "?", def.shown(arguments)
		}
	}
	if tool.Sends {
		call.sends = func(Env) []Destination {
			return ToPeople(Visible(def.To), ShowArgs(arguments))
		}
	}
	call.Run = ranBy(tool, func(ctx context.Context, env Env) (Output, error) { return def.Run(ctx, env, arguments) })
	return call
}

// shown is what a person sees of a call before it runs.
func (def Definition) shown(arguments json.RawMessage) string {
	text := ShowArgs(arguments)
	if def.Command != "" {
		text = Visible(def.Command) + "\n" + text
	}
	if def.To != "" {
		text = "This goes to " + Visible(def.To) + ", which is not part of Marvin.\n" + text
	}
	return text
}

// rawParameters is what checking a call needs of a schema that came as text.
func rawParameters(tool string, encoded json.RawMessage) (*parameters, error) {
	params := &parameters{tool: tool, schema: &jsonschema.Schema{}, aliases: map[string]string{}, samples: map[string]any{}, given: true}
	if err := json.Unmarshal(encoded, params.schema); err != nil {
		return nil, fmt.Errorf("tool %s: read its schema: %w", tool, err)
	}
	params.names = orderOf(encoded)
	for _, name := range params.names {
		params.samples[name] = sample(params.schema.Properties[name], "")
		if other := snake(name); other != name && params.schema.Properties[other] == nil {
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

// orderOf are the names of the parameters: those that a call must have first, in the order
// of the schema, then the others.
func orderOf(encoded json.RawMessage) []string {
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

func rawSignature(params func() (*parameters, error)) []string {
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

// open says whether there may be parameters that the schema does not name.
func (p *parameters) open() bool {
	rest := p.schema.AdditionalProperties
	return p.given && (rest == nil || rest.Not == nil)
}

// complete sets the defaults. Those of foreign tools are the server's business.
func (p *parameters) complete(resolved *jsonschema.Resolved, values *map[string]any) error {
	if p.given {
		return nil
	}
	return resolved.ApplyDefaults(values)
}

// numbered are the arguments as the validator wants them.
func (p *parameters) numbered(values map[string]any) any {
	if p.given {
		return numbered(values)
	}
	return values
}

// numbered converts json.Number to numbers, because the validator takes it for a string.
func numbered(value any) any {
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
			plain[key] = numbered(member)
		}
		return plain
	case []any:
		plain := make([]any, len(value))
		for i, member := range value {
			plain[i] = numbered(member)
		}
		return plain
	}
	return value
}
