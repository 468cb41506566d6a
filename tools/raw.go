package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"marvin/tools/internal/params"
)

// Definition defines a foreign tool, which has a JSON schema for its arguments and runs in another
// program. By default, Marvin asks the user before each call, runs no other call of the same reply
// at the same time, and does not trust the results. If Effect is [Reads], the tool runs without
// approval, even when tools that write are disabled.
type Definition struct {
	Name     string          // the name that models use
	Doc      string          // the description for the model
	Schema   json.RawMessage // JSON schema of the arguments object; nil if there are no arguments
	Taken    bool            // Schema was returned by [Tool.Schema]; this saves 40 µs in [Raw]
	Examples []string        // as in [Def]

	// Server is what the user calls the server that receives the data. If a prompt contains this name,
	// sending is allowed even if no user is present.
	Server string
	// OutsiderDoc is true if an outsider wrote the tool's description.
	OutsiderDoc bool
	Effect      Effect // default [Outside]
	Brings      Origin // default [Strangers]
	Pool        Pool
	Timeout     time.Duration

	// Command, if set, is the command line to show to the user.
	Command string
	// Run executes a call, and must return when ctx is done. The arguments are a JSON object that
	// matches Schema.
	Run func(ctx context.Context, env Env, arguments json.RawMessage) (Output, error)
}

// Raw makes a tool from a definition. It returns an error if the schema is too large or does not
// describe an object. Unsuitable parts of the schema are dropped; see [params.Intake].
func Raw(def Definition) (Tool, error) {
	schema := def.Schema
	if !def.Taken {
		var err error
		if schema, err = params.Intake(def.Schema); err != nil {
			return Tool{}, fmt.Errorf("tool %s: %w", def.Name, err)
		}
	}
	if def.Effect == Derived {
		def.Effect = Outside
	}
	if def.Brings == DerivedOrigin {
		def.Brings = Strangers
	}
	def.Timeout = cmp.Or(def.Timeout, DefaultTimeout)
	tool := Tool{
		Name: def.Name, Doc: params.Clip(Unhidden(def.Doc), mostDoc), Examples: def.Examples, Service: def.Server,
		Effect: def.Effect, Writes: def.Effect > Reads, Confirms: def.Effect > Writes, Sends: def.Effect == Outside,
		Brings: def.Brings, Pool: def.Pool, Timeout: def.Timeout, described: def.OutsiderDoc, foreign: true,
	}
	inferred := sync.OnceValues(func() (*params.Parameters, error) { return params.RawParameters(def.Name, schema) })
	tool.schema = func() (json.RawMessage, error) { return schema, nil }
	tool.params = inferred
	tool.fields = func() []string { return params.OrderOf(schema) }
	tool.signature = func() []string { return params.RawSignature(inferred) }
	tool.decode = func(raw json.RawMessage) (Call, error) {
		known, err := inferred()
		if err != nil {
			return Call{}, err
		}
		checked, err := known.Check(raw, nil)
		if err != nil {
			return Call{}, err
		}
		return def.call(tool, checked.Title, checked.JSON), nil
	}
	return tool, nil
}

// mostDoc is the maximum length of a foreign tool's description, in bytes.
const mostDoc = 2 << 10

func (def Definition) call(tool Tool, title string, arguments json.RawMessage) Call {
	call := Call{Tool: &tool, Title: title, Timeout: tool.Timeout, args: func() (json.RawMessage, error) { return arguments, nil }}
	call.Places = func(Env) []Place {
		return []Place{{All: true, Write: tool.Effect != Reads}}
	}
	if tool.Confirms {
		call.Confirm = func(Env) (string, string) {
			return "Run " + tool.Name + "?", def.shown(arguments)
		}
	}
	if tool.Sends {
		call.sends = func(Env) []Destination {
			return ToPeople(Visible(def.Server), ShowArgs(arguments))
		}
	}
	call.Run = wrapRun(tool, func(ctx context.Context, env Env) (Output, error) { return def.Run(ctx, env, arguments) })
	return call
}

func (def Definition) shown(arguments json.RawMessage) string {
	text := ShowArgs(arguments)
	if def.Command != "" {
		text = Visible(def.Command) + "\n" + text
	}
	if def.Server != "" {
		text = "The arguments go to " + Visible(def.Server) + ", which is not part of Marvin.\n" + text
	}
	return text
}
