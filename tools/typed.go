package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"time"

	"marvin/tools/internal/params"
)

// typedFuncs holds the functions of a [Def]. Each value of type any is a *In. Code that uses
// typedFuncs is therefore compiled once, not once per tool, which saves 0.5 MB.
type typedFuncs struct {
	in      reflect.Type
	raw     func(string) (any, bool)
	title   func(any) string
	timeout func(any) time.Duration
	confirm func(Env, any) (title, detail string)
	places  func(Env, any) []Place
	command func(any) string
	dirs    func(any) []string
	sends   func(Env, any) []Destination
	run     func(context.Context, Env, any) (Output, error)
}

func newTool(tool Tool, of typedFuncs, fold func(map[string]any)) Tool {
	tool.Timeout = cmp.Or(tool.Timeout, DefaultTimeout)
	tool.signature = func() []string { return params.SignatureOf(of.in) }
	tool.fields = func() []string { return fieldNames(of.in) }
	tool.schema = sync.OnceValues(func() (json.RawMessage, error) { return params.SchemaOf(tool.Name, of.in, false) })
	tool.outline = sync.OnceValues(func() (json.RawMessage, error) { return params.SchemaOf(tool.Name, of.in, true) })
	tool.params = sync.OnceValues(func() (*params.Parameters, error) {
		encoded, err := tool.schema()
		if err != nil {
			return nil, err
		}
		return params.InferParameters(tool.Name, of.in, encoded)
	})
	tool.decode = func(raw json.RawMessage) (Call, error) {
		in, checked, err := of.decode(tool, raw, fold)
		if err != nil {
			return Call{}, err
		}
		call := of.call(tool, checked.Title, in)
		call.Run = saysLowered(call.Run, checked.Lowered)
		return call, nil
	}
	return tool
}

// decode validates the arguments and returns a pointer to a new argument struct. If the arguments
// are invalid, it tries [Def.Raw].
func (of typedFuncs) decode(tool Tool, raw json.RawMessage, fold func(map[string]any)) (in any, checked params.Checked, err error) {
	inferred, err := tool.params()
	if err != nil {
		return nil, checked, err
	}
	in = reflect.New(of.in).Interface()
	checked, err = inferred.Check(raw, fold)
	if err == nil {
		if err = json.Unmarshal(checked.JSON, in); err == nil {
			return in, checked, nil
		}
		err = inferred.Explain(params.TooLarge(err))
	}
	if of.raw != nil {
		for _, text := range params.BareTexts(raw) {
			if bare, ok := of.raw(text); ok {
				return bare, params.Checked{Title: tool.Name}, nil
			}
		}
	}
	return nil, checked, err
}

// saysLowered adds a note about the arguments that were reduced to their limits. For example, a
// timeout of an hour becomes ten minutes. The user sees the note at the start of the call, and the
// model sees the note at the end of the result.
func saysLowered(run func(context.Context, Env) (Output, error), lowered []string) func(context.Context, Env) (Output, error) {
	if len(lowered) == 0 {
		return run
	}
	said := Visible("[" + strings.Join(lowered, "; ") + "]")
	return func(ctx context.Context, env Env) (Output, error) {
		env.Progress(said)
		output, err := run(ctx, env)
		if err == nil {
			output.Text = strings.TrimRight(output.Text, "\n") + "\n" + said + "\n"
		}
		return output, err
	}
}

func (of typedFuncs) call(tool Tool, title string, in any) Call {
	call := Call{Tool: &tool, Title: title, Timeout: tool.Timeout, args: func() (json.RawMessage, error) { return params.PlainJSON(in) }}
	if of.title != nil {
		call.Title = Visible(of.title(in))
	}
	if of.timeout != nil {
		call.Timeout = of.timeout(in)
	}
	if of.confirm != nil {
		call.Confirm = func(env Env) (string, string) { return of.confirm(env.distrusting(), in) }
	}
	if of.dirs != nil {
		call.Dirs = func() []string { return of.dirs(in) }
	}
	if of.places != nil {
		call.Places = func(env Env) []Place { return of.places(env, in) }
	}
	if of.command != nil {
		line := of.command(in)
		call.Command = &line
	}
	if of.sends != nil {
		call.sends = func(env Env) []Destination { return of.sends(env, in) }
	}
	call.Run = wrapRun(tool, func(ctx context.Context, env Env) (Output, error) { return of.run(ctx, env, in) })
	return call
}

// wrapRun wraps the function that does a call's work. The wrapper hides keys in the result, lists
// refused hosts, and checks the call's changes to repositories.
func wrapRun(tool Tool, run func(context.Context, Env) (Output, error)) func(context.Context, Env) (Output, error) {
	return func(ctx context.Context, env Env) (Output, error) {
		env.Sandbox.Settle()
		return hideIn(env.distrusting(), tool.Access, func(env Env) (Output, error) {
			env.ways = &callNetworks{}
			return env.runWatched(tool, func() (Output, error) {
				output, err := run(ctx, env)
				return env.addRefusedHosts(output), err
			})
		})
	}
}

// fieldNames returns the names of the parameters. Reading the struct's fields is much faster than
// inferring a schema.
func fieldNames(structure reflect.Type) []string {
	if structure.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for i := range structure.NumField() {
		names = append(names, params.ParameterName(structure.Field(i)))
	}
	return names
}
