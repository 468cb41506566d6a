package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"marvin/tools/internal/params"
)

// Fields that a foreign tool omits mean the worst case, and parts that are too long are cut.
func TestAStrangersTool(t *testing.T) {
	run := func(_ context.Context, _ Env, arguments json.RawMessage) (Output, error) {
		return Output{Text: string(arguments)}, nil
	}
	plain, err := Raw(Definition{Name: "mcp_a_b", Doc: strings.Repeat("d", mostDoc+1) + "\u200b", Run: run})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Doc != strings.Repeat("d", mostDoc)+"…" || plain.Brings != Strangers || plain.Timeout != DefaultTimeout || !plain.Sends || plain.Pool != Local || !plain.Networked() || plain.NeedsCompleteArgs() {
		t.Errorf("%d bytes, %+v", len(plain.Doc), plain)
	}
	if doc, schema, err := plain.Outline(); err != nil || doc != plain.Doc || string(schema) != `{"type":"object","properties":{}}` || plain.fields() != nil && len(plain.fields()) != 0 {
		t.Errorf("%.20s %s %q %v", doc, schema, plain.fields(), err)
	}
	own, err := Raw(Definition{Name: "own", Effect: Irreversible, Brings: Private, Pool: Proc, Run: run})
	if err != nil || own.Brings != Private || own.Sends || own.Networked() || !own.NeedsCompleteArgs() || own.Foreign() || !own.Untrusted() {
		t.Errorf("%+v, %v", own, err)
	}
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":` + strings.Repeat("[", 101) + strings.Repeat("]", 101) + `}}`:                   "tool x: the schema of its arguments is nested more than 100 levels deep",
		`{"type":"object","default":{"a":"` + strings.Repeat("d", params.MaxEncoded) + `"}}`:                                 "tool x: the schema of its arguments is too long for a model: more than 24 KB",
		`{"type":"object","default":{"a":"` + strings.Repeat("d", params.MaxEncoded-100) + `"},"description":"` + "d" + `"}`: "",
	} {
		got := ""
		if _, err := Raw(Definition{Name: "x", Schema: json.RawMessage(schema), Run: run}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.60s: %s", schema, got)
		}
	}
	// A schema that Raw returned is used unchanged, even if Raw would now return another one.
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"string"}}}`: `{"a":"1"}`,
		`{"type":7}`:                        "tool x: read its schema: ",
		`[1]`:                               "tool x: read its schema: ",
		`{"type":"object","$ref":"#/none"}`: "tool x: its schema cannot be used: ",
	} {
		taken, err := Raw(Definition{Name: "x", Schema: json.RawMessage(schema), Taken: true, Run: run})
		if err != nil {
			t.Fatal(err)
		}
		call, err := taken.Decode(json.RawMessage(`{"a":1}`))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			output, _ := call.Run(t.Context(), Env{})
			got = output.Text
			if string(call.Arguments()) != got || call.Title != "x 1" {
				t.Errorf("%s: a hook sees %s, %s", schema, call.Arguments(), call.Title)
			}
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
		if help, err := taken.Help(); (err != nil) != (strings.Contains(want, "read its schema")) {
			t.Errorf("%s: %q, %v", schema, help, err)
		}
		if strings.Contains(want, "read its schema") && taken.Signature() != nil {
			t.Errorf("%s: %q", schema, taken.Signature())
		}
		if schema == `[1]` && taken.fields() != nil {
			t.Errorf("%s: %q", schema, taken.fields())
		}
	}
}

func TestForeignSchemaIsLenient(t *testing.T) {
	const names = `"properties":{"repoName":{"type":"string"},"n":{"type":"number","default":3},"list":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}}}}}`
	for _, row := range []struct{ more, args, want string }{
		{``, `{"other":1,"repoName":"a"}`, `{"other":1,"repoName":"a"}`},
		{``, `{"repo_nam":"a"}`, `there is no parameter "repo_nam"; did you mean "repoName"?`},
		{``, `{"repo_name":"a","repoName":"b"}`, `{"repoName":"b"}`},
		{``, `{"repo_name":"a"}`, `{"repoName":"a"}`},
		{``, `{"Repo-Name":"a"}`, `{"repoName":"a"}`},
		{``, `{" N ":"7"}`, `{"n":7}`},
		{``, `{"n":1e2}`, `{"n":100}`},
		{``, `{"n":1.50}`, `{"n":1.5}`},
		{``, `{"n":9007199254740993}`, `{"n":9007199254740993}`},
		{``, `{"list":[{"n":12345678901234567}]}`, `{"list":[{"n":12345678901234567}]}`},
		{``, `{"list":[{"n":1.5}]}`, "list, entry 1: n must be a whole number, and not 1.5"},
		{``, `{"list":"{}"}`, "list, entry 1 must be an object with names and values, and not \"{}\""},
		{``, `{"other":""}`, `{}`},
		{`,"additionalProperties":true`, `{"other":"<&>"}`, `{"other":"<&>"}`},
		{`,"additionalProperties":false`, `{"other":1}`, `there is no parameter "other"`},
		{`,"additionalProperties":{"type":"string"}`, `{"other":"a"}`, `{"other":"a"}`},
		{`,"additionalProperties":{"type":"string"}`, `{"other":1}`, `other must be text, and not 1`},
		{`,"required":["n"]`, `{}`, "n is required: "},
	} {
		tool, err := Raw(Definition{Name: "x", Schema: json.RawMessage(`{"type":"object",` + names + row.more + `}`), Run: func(_ context.Context, _ Env, arguments json.RawMessage) (Output, error) {
			return Output{Text: string(arguments)}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		call, err := tool.Decode(json.RawMessage(row.args))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			output, _ := call.Run(t.Context(), Env{})
			got = output.Text
		}
		if !strings.HasPrefix(got, row.want) {
			t.Errorf("%s with %s: %s, want %s", row.args, row.more, got, row.want)
		}
		if err == nil && got != row.want {
			t.Errorf("%s with %s: %s, want %s", row.args, row.more, got, row.want)
		}
	}
	for _, row := range []struct{ given, want string }{{"1", "int64 1"}, {"1.5", "float64 1.5"}, {"1e400", "json.Number 1e400"}, {"99999999999999999999", "float64 1e+20"}} {
		got := params.ConvertNumbers(json.Number(row.given))
		if text := fmt.Sprintf("%T %v", got, got); text != row.want {
			t.Errorf("%s is %s", row.given, text)
		}
	}
}

// A schema has a limited number of parts and a limited depth. Parts beyond the limits accept any
// value.
func TestASchemaIsTakenInUpToItsLimits(t *testing.T) {
	deep := func(levels int) string {
		return `{"type":"object","properties":{"a":` + strings.Repeat(`{"items":`, levels) + `{"type":"string"}` + strings.Repeat("}", levels) + `}}`
	}
	for levels, kept := range map[int]bool{1: true, params.MaxDepth - 1: true, params.MaxDepth: false} {
		got, err := params.Intake(json.RawMessage(deep(levels)))
		if err != nil || strings.Contains(string(got), `"string"`) != kept {
			t.Errorf("%d levels: %s, %v", levels, got, err)
		}
	}
	var many strings.Builder
	for i := range params.MaxShapes + 10 {
		fmt.Fprintf(&many, `,"p%04d":{"type":"null"}`, i)
	}
	got, err := params.Intake(json.RawMessage(`{"properties":{` + many.String()[1:] + `}}`))
	if err == nil {
		t.Errorf("of too many %d bytes are taken", len(got))
	}
	many.Reset()
	for i := range params.MaxShapes + 10 {
		fmt.Fprintf(&many, `,{"const":%d}`, i%10)
	}
	got, err = params.Intake(json.RawMessage(`{"properties":{"a":{"anyOf":[` + many.String()[1:] + `]}}}`))
	if count := strings.Count(string(got), `"const"`); err != nil || count != params.MaxShapes-2 {
		t.Errorf("%d shapes are taken, %v", count, err)
	}
	for _, row := range []struct{ name, want string }{
		{strings.Repeat("n", 128), "yes"}, {strings.Repeat("n", 129), ""}, {"a\u200bb", ""}, {"ä", "yes"},
	} {
		got, err := params.Intake(json.RawMessage(`{"properties":{"` + row.name + `":{}}}`))
		if taken := strings.Contains(string(got), row.name); err != nil || taken != (row.want == "yes") {
			t.Errorf("a name of %d bytes is taken: %v, %v", len(row.name), taken, err)
		}
	}
	// A schema that is too long loses its deepest parts first.
	long := `{"type":"object","properties":{"a":{"properties":{"b":{"properties":{"c":{"default":"` + strings.Repeat("x", params.MaxEncoded) + `"},"d":{"type":"null"}}}}},"e":{"type":"null"}}}`
	got, err = params.Intake(json.RawMessage(long))
	if want := `{"properties":{"a":{"properties":{"b":{}}},"e":{"type":"null"}},"type":"object"}`; err != nil || string(got) != want {
		t.Errorf("%.300s, %v", got, err)
	}
}
