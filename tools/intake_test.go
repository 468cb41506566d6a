package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"marvin/tools/internal/params"
)

// The test shows what remains of each part of a foreign schema in the form that providers accept.
func TestASchemaIsTakenIn(t *testing.T) {
	const object = `{"type":"object","properties":`
	long := strings.Repeat("x", params.MaxDescription)
	for _, one := range []struct{ what, schema, want string }{
		{"nothing", "", object + `{}}`},
		{"null", " null ", object + `{}}`},
		{"an empty one", "{}", object + `{}}`},
		{"choices at the top", `{"anyOf":[{}],"oneOf":[{}],"allOf":[{}],"enum":[1],"not":{}}`, object + `{}}`},
		{
			"choices below", object + `{"a":{"anyOf":[{"type":"string"},true],"oneOf":[],"allOf":[{"type":"null"}],"prefixItems":[{"const":1}]}}}`,
			object + `{"a":{"allOf":[{"type":"null"}],"anyOf":[{"type":"string"},{}],"prefixItems":[{"const":1}]}}}`,
		},
		{"types", object + `{"a":{"type":"string"},"b":{"type":"weird"},"c":{"type":["string","null","string","odd"]},"d":{"type":[]}}}`, object + `{"a":{"type":"string"},"b":{},"c":{"type":["string","null"]},"d":{}}}`},
		{"limits", object + `{"a":{"minimum":1,"maximum":2.5,"multipleOf":0,"minLength":1.5,"maxLength":3,"minItems":"2","maxItems":4,"exclusiveMinimum":-1}}}`, object + `{"a":{"exclusiveMinimum":-1,"maxItems":4,"maxLength":3,"maximum":2.5,"minimum":1}}}`},
		{"patterns and formats", object + `{"a":{"pattern":"^a$","format":"date"},"b":{"pattern":"(?=x)","format":"` + strings.Repeat("f", 41) + `"}}}`, object + `{"a":{"format":"date","pattern":"^a$"},"b":{}}}`},
		{"values", object + `{"a":{"enum":["",1,"x"],"const":null,"default":3},"b":{"enum":[""]}}}`, object + `{"a":{"default":3,"enum":[1,"x"]},"b":{}}}`},
		{"what must be there", object + `{"a":{},"b":true,"":{},"c\u202e":{}},"required":["a","a","z",3,"b"]}`, object + `{"a":{},"b":{}},"required":["a","b"]}`},
		{"the rest", object + `{"a":{"items":{"type":"string"},"additionalProperties":false,"not":{"type":"null"}}},"additionalProperties":true}`, object + `{"a":{"additionalProperties":false,"items":{"type":"string"},"not":{"type":"null"}}},"additionalProperties":true}`},
		{"words", object + `{"a":{"description":"a\u200bb"},"b":{"description":""},"c":{"description":"` + long + `y"}},"title":"t","$schema":"s","examples":[1]}`, object + `{"a":{"description":"ab"},"b":{},"c":{"description":"` + long + `…"}}}`},
		{
			"references", object + `{"a":{"$ref":"#/$defs/x~1y","description":"mine"},"b":{"$ref":"#/none"},"c":{"$ref":"http://x"},"d":{"$ref":"#"}},"$defs":{"x/y":{"type":"string","description":"its"}}}`,
			object + `{"a":{"description":"mine","type":"string"},"b":{},"c":{},"d":{"properties":{"a":{"description":"mine","type":"string"},"b":{},"c":{},"d":{}},"type":"object"}}}`,
		},
		{"another type", `{"type":"array"}`, "the schema of its arguments does not describe an object"},
		{"no object", `[1]`, "the schema of its arguments is not a JSON object: json: cannot unmarshal array into Go value of type map[string]interface {}"},
		{"too much", `{"a":"` + strings.Repeat("x", params.MaxSchema) + `"}`, "the schema of its arguments is 256 KB long; the limit is 256 KB"},
		{"too deep", strings.Repeat(`{"a":`, 101) + "1" + strings.Repeat("}", 101), "the schema of its arguments is nested more than 100 levels deep"},
	} {
		taken, err := params.Intake(json.RawMessage(one.schema))
		got := string(taken)
		if err != nil {
			got = err.Error()
		} else {
			got, one.want = sorted(t, got), sorted(t, one.want)
		}
		if got != one.want {
			t.Errorf("%s:\n%s\nwant\n%s", one.what, got, one.want)
		}
	}
}

// sorted returns JSON with its keys in order.
func sorted(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(text, err)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// Providers refuse branches at the top of a schema, so the parameters in the branches move to the
// top.
func TestTheBranchesOfASchemaAreItsParameters(t *testing.T) {
	for _, one := range []struct{ schema, want string }{
		{`{"type":"object","anyOf":[{"properties":{"content":{"type":"string"}},"required":["content"]},{"properties":{"url":{"type":"string"}},"required":["url"]}]}`, "[content:string] [url:string]"},
		{`{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}`, "a:string [b:integer]"},
		{`{"oneOf":[{"properties":{"k":{"const":"x"},"id":{"type":"string"}},"required":["k","id"]},{"properties":{"k":{"const":"y"},"id":{"type":"string"}},"required":["id"]}]}`, "id:string [k:any]"},
		{`{"$ref":"#/definitions/A","definitions":{"A":{"type":"object","allOf":[{"properties":{"z":{"type":"string"}},"required":["z"]}]}}}`, "z:string"},
		{`{"type":"object","properties":{"kind":{"enum":["x","y"]}},"if":{"properties":{"kind":{"const":"x"}}},"then":{"properties":{"extra":{"type":"string"}}}}`, "[extra:string] [kind:any]"},
		{`{"type":["object","null"],"properties":{"a":{"type":"string"}}}`, "[a:string]"},
	} {
		tool, err := Raw(Definition{Name: "x", Schema: json.RawMessage(one.schema), Run: func(context.Context, Env, json.RawMessage) (Output, error) { return Output{}, nil }})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(tool.signature(), " "); got != one.want {
			t.Errorf("%s: %s, want %s", one.schema, got, one.want)
		}
	}
}

func TestNullIsPassedOnWhereItIsAllowed(t *testing.T) {
	schema := `{"type":"object","required":["note"],"properties":{"note":{"anyOf":[{"type":"string"},{"type":"null"}]},"who":{"type":["string","null"]},"e":{"enum":["a",null]},"n":{"type":"integer"}}}`
	var got string
	tool, err := Raw(Definition{Name: "x", Schema: json.RawMessage(schema), Run: func(_ context.Context, _ Env, arguments json.RawMessage) (Output, error) {
		got = string(arguments)
		return Output{}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	call, err := tool.Decode(json.RawMessage(`{"note":null,"who":null,"e":null,"n":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call.Run(t.Context(), Env{}); err != nil || got != `{"e":null,"note":null,"who":null}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestAnArrayHasItems(t *testing.T) {
	taken, err := params.Intake(json.RawMessage(`{"properties":{"a":{"type":"array"},"b":{"type":["array","null"]},"c":{"type":"object","properties":{"d":{"type":"array","default":null}}}}}`))
	if err != nil || strings.Count(string(taken), `"items":{}`) != 3 {
		t.Errorf("%s, %v", taken, err)
	}
}
