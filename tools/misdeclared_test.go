package tools

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/tools/internal/params"
)

func TestEachMistakeOfAnArgumentStructIsReported(t *testing.T) {
	for _, row := range []struct {
		in   any
		want string
	}{
		{"text", "tool x: arguments must be a struct, not string"},
		{struct{ Name string }{}, "tool x: field Name has no json name"},
		{struct {
			Name string `json:"name"`
		}{}, "tool x: parameter name: it has no doc"},
		{struct {
			Size uint8 `json:"size" doc:"d"`
		}{}, "tool x: parameter size: there is no parameter of type uint8"},
		{struct {
			List []uint8 `json:"list" doc:"d"`
		}{}, "tool x: parameter list: there is no parameter of type uint8"},
		{struct {
			At *uint8 `json:"at" doc:"d"`
		}{}, "tool x: parameter at: there is no parameter of type uint8"},
		{struct {
			In struct {
				Name string `json:"name"`
			} `json:"in" doc:"d"`
		}{}, "tool x: parameter in: parameter name: it has no doc"},
		{struct {
			Days int `json:"days" doc:"d" default:"many"`
		}{}, `tool x: parameter days: the default "many" is not JSON`},
		{struct {
			Days int `json:"days" doc:"d" min:"few"`
		}{}, `tool x: parameter days: tag min: strconv.ParseFloat: parsing "few": invalid syntax`},
		{struct {
			Days int `json:"days" doc:"d" max:"many"`
		}{}, `tool x: parameter days: tag max: strconv.ParseFloat: parsing "many": invalid syntax`},
	} {
		for _, outline := range []bool{false, true} {
			if schema, err := params.SchemaOf("x", reflect.TypeOf(row.in), outline); err == nil || err.Error() != row.want || schema != nil {
				t.Errorf("%T: %s, %v; want %s", row.in, schema, err, row.want)
			}
		}
	}
	bad := New(Def[struct{ Name string }]{Name: "bad"})
	const why = "tool bad: field Name has no json name"
	_, outlined, one := bad.Outline()
	short, shortly, two := bad.Short()
	help, three := bad.Help()
	_, four := bad.Decode(json.RawMessage(`{}`))
	for _, err := range []error{one, two, three, four} {
		if err == nil || err.Error() != why {
			t.Errorf("%v", err)
		}
	}
	if help != "" || outlined != nil || short != "" || shortly != nil || bad.ShortSize() != 0 {
		t.Errorf("it is reported anyway: %q %s %q %s", help, outlined, short, shortly)
	}
	wrong := New(Def[struct {
		Units string `json:"units" doc:"d" min:"1" default:"3"`
		Days  int    `json:"days" doc:"d" default:"\"x\""`
	}]{Name: "wrong"})
	if _, err := wrong.Decode(json.RawMessage(`{}`)); err == nil || !strings.HasPrefix(err.Error(), "tool wrong: resolve schema: ") {
		t.Errorf("a default of another type: %v", err)
	}
}

// Each type of a field has a JSON type, in the schema and in the list of parameters.
func TestEachTypeOfAParameter(t *testing.T) {
	type all struct {
		Text  string            `json:"text" doc:"t"`
		Maybe *string           `json:"maybe" doc:"t"`
		Count int               `json:"count,omitempty" doc:"t"`
		ID    int64             `json:"id" doc:"t"`
		Share float64           `json:"share" doc:"t" default:"0.5"`
		On    bool              `json:"on" doc:"t" default:"false"`
		List  []string          `json:"list" doc:"t"`
		Names map[string]string `json:"names" doc:"t"`
		Deep  struct {
			A int `json:"a" doc:"t"`
		} `json:"deep" doc:"t"`
		Kind string `json:"kind" doc:"t" enum:"a,b" default:"c"`
		Odd  string `json:"odd" doc:"<&>" enum:",a" default:""`
	}
	tool := New(Def[all]{Name: "x"})
	schema, err := tool.Schema()
	const want = `{"type":"object","properties":{"text":{"type":"string","description":"t"},"maybe":{"type":"string","description":"t"},"count":{"type":"integer","description":"t"},` +
		`"id":{"type":"integer","description":"t"},"share":{"type":"number","description":"t","default":0.5},"on":{"type":"boolean","description":"t","default":false},` +
		`"list":{"type":"array","items":{"type":"string"},"description":"t"},"names":{"type":"object","description":"t"},` +
		`"deep":{"type":"object","properties":{"a":{"type":"integer","description":"t"}},"required":["a"],"description":"t"},` +
		`"kind":{"type":"string","description":"t","default":"c","enum":["c","a","b"]},"odd":{"type":"string","description":"<&>","enum":["a"]}},` +
		`"required":["text","id","list","names","deep"]}`
	if err != nil || string(schema) != want {
		t.Errorf("%s\nwant\n%s\n%v", schema, want, err)
	}
	const parameters = "text:string [maybe:string] [count:integer] id:integer [share:number] [on:boolean] list:array names:object deep:object [kind:string] [odd:string]"
	if got := strings.Join(tool.Signature(), " "); got != parameters {
		t.Errorf("%s\nwant\n%s", got, parameters)
	}
	if got := strings.Join(tool.fields(), " "); got != "text maybe count id share on list names deep kind odd" {
		t.Errorf("%s", got)
	}
	if text := New(Def[string]{Name: "x"}); text.Signature() != nil || text.fields() != nil {
		t.Errorf("a non-struct has parameters %q", text.Signature())
	}
	for pool, want := range map[Pool]string{Local: "local", Net: "net", Proc: "proc", Agent: "agent"} {
		if pool.String() != want {
			t.Errorf("%d is %s", pool, pool)
		}
	}
}

func TestACallThatIsNoJSON(t *testing.T) {
	type patchArgs struct {
		Patch string `json:"patch" doc:"A patch"`
		Dir   string `json:"dir,omitempty" doc:"Where"`
	}
	tool := New(Def[patchArgs]{
		Name: "patch", Doc: "Patches.", TimeoutFor: func(in patchArgs) time.Duration { return time.Duration(len(in.Patch)) },
		Dirs: func(in patchArgs) []string { return []string{in.Dir} },
		Raw: func(text string) (patchArgs, bool) {
			rest, ok := strings.CutPrefix(text, "*** ")
			return patchArgs{Patch: rest, Dir: "raw"}, ok
		},
		Run: func(_ context.Context, _ Env, in patchArgs) (Output, error) {
			return Output{Text: in.Patch + "|" + in.Dir}, nil
		},
	})
	for args, want := range map[string]string{
		`{"patch":"*** a"}`:                   "patch *** a: *** a|",
		"*** a\nb":                            "patch: a\nb|raw",
		`"*** a"`:                             "patch: a|raw",
		`{"input":"*** a"}`:                   "patch: a|raw",
		`{"b":"*** b","a":"x","c":"*** c"}`:   "patch: b|raw",
		`{"input":["*** a"]}`:                 "there is no parameter \"input\"",
		`{"input":"a"}`:                       "there is no parameter \"input\"",
		`plain`:                               "the arguments must be a JSON object, but they are: \"plain\"",
		`"plain"`:                             "the arguments must be a JSON object, but they are: \"plain\"",
		`{"patch":{"input":"*** too deep"}}`:  "patch must be text, and not an object",
		`{"patch":"a","dir":"b","dir ":"c"}`:  "patch a b: a|b",
		`{"patch":"a","PATCH":"c","DIR":"d"}`: "patch a d: a|d",
		`{"patch":"a` + strings.Repeat("b", 61) + `","dir":"d"}`: "patch a" + strings.Repeat("b", 59) + "… d: a" + strings.Repeat("b", 61) + "|d",
		`{"dir":"` + strings.Repeat("b", 61) + `","patch":"a"}`:  "patch a: a|" + strings.Repeat("b", 61),
		`{"dir":"` + strings.Repeat("b", 60) + `","patch":"a"}`:  "patch a " + strings.Repeat("b", 60) + ": a|" + strings.Repeat("b", 60),
		`{"dir":"b\nc","patch":"a"}`:                             "patch a: a|b\nc",
	} {
		call, err := tool.Decode(json.RawMessage(args))
		got := ""
		if err != nil {
			got, want = strings.TrimPrefix(err.Error(), want), ""
		} else {
			output, err := call.Run(t.Context(), Env{})
			got = call.Title + ": " + output.Text
			patch, dir, _ := strings.Cut(output.Text, "|")
			if dirs := call.Dirs(); err != nil || call.Timeout != time.Duration(len(patch)) || len(dirs) != 1 || dirs[0] != dir {
				t.Errorf("%s: %s, in %q, %v", args, call.Timeout, call.Dirs(), err)
			}
			if again := string(call.Arguments()); !strings.Contains(again, `"patch":`) || strings.Contains(again, `\u00`) {
				t.Errorf("%s: a hook sees %s", args, again)
			}
		}
		if err == nil && got != want || err != nil && !strings.HasPrefix(got, "\nParameters of patch:\n  patch (string, required): A patch\n  dir (string): Where\nExample: {\"patch\":\"…\"}") && !strings.HasPrefix(got, "; did you mean") {
			t.Errorf("%s:\n%s\nwant\n%s", args, got, want)
		}
	}
	if args := (Call{}).Arguments(); args != nil {
		t.Errorf("a call that does not say has arguments %s", args)
	}
	if args := (Call{args: func() (json.RawMessage, error) { return json.RawMessage(`{}`), errors.New("x") }}).Arguments(); args != nil {
		t.Errorf("one that cannot be written has arguments %s", args)
	}
	nothing := New(Def[struct{}]{Name: "bare", Run: func(context.Context, Env, struct{}) (Output, error) { return NoResults("no lion"), nil }})
	if _, err := nothing.Decode(json.RawMessage(`{"a":1}`)); err == nil || err.Error() != "there is no parameter \"a\"\nbare takes no parameters. Example: {}" {
		t.Errorf("%v", err)
	}
	if help, err := nothing.Help(); help != "" || err != nil {
		t.Errorf("%q, %v", help, err)
	}
	call, err := nothing.Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if output, err := call.Run(t.Context(), Env{}); err != nil || output.Text != "no lion" || !output.Empty {
		t.Errorf("%+v, %v", output, err)
	}
}
