package params

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaFrom parses a schema of one value.
func schemaFrom(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	schema := &jsonschema.Schema{}
	if err := json.Unmarshal([]byte(text), schema); err != nil {
		t.Fatal(text, err)
	}
	return schema
}

// valueFrom parses a value with exact numbers.
func valueFrom(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(text, err)
	}
	return value
}

// A value of another type than the parameter's is converted.
func TestAValueIsBroughtToItsType(t *testing.T) {
	for _, row := range []struct{ schema, value, want string }{
		{`{"type":"integer"}`, `"7"`, "int64 7"},
		{`{"type":"integer"}`, `" 7 "`, "int64 7"},
		{`{"type":"integer"}`, `7`, "int64 7"},
		{`{"type":"integer"}`, `7.0`, "int64 7"},
		{`{"type":"integer"}`, `7.5`, "float64 7.5"},
		{`{"type":"integer"}`, `9223372036854775807`, "int64 9223372036854775807"},
		{`{"type":"integer","minimum":0}`, `9007199254740991`, "int64 9007199254740991"},
		{`{"type":"integer","minimum":0}`, `9007199254740992`, "float64 9.007199254740992e+15"},
		{`{"type":"integer","maximum":0}`, `-9007199254740992`, "float64 -9.007199254740992e+15"},
		{`{"type":"integer","minimum":1,"maximum":9}`, `0`, "int64 1"},
		{`{"type":"integer","minimum":1,"maximum":9}`, `"10"`, "int64 9"},
		{`{"type":"integer","minimum":1}`, `1e3`, "int64 1000"},
		{`{"type":"integer","maximum":9}`, `9.5`, "int64 9"},
		{`{"type":"number","maximum":9}`, `10`, "float64 9"},
		{`{"type":"number"}`, `"0.5"`, "float64 0.5"},
		{`{"type":"number"}`, `"3"`, "int64 3"},
		{`{"type":"number"}`, `"NaN"`, "string NaN"},
		{`{"type":"number"}`, `"-Inf"`, "string -Inf"},
		{`{"type":"number"}`, `"many"`, "string many"},
		{`{"type":"number"}`, `true`, "bool true"},
		{`{"type":"boolean"}`, `" TRUE "`, "bool true"},
		{`{"type":"boolean"}`, `"0"`, "bool false"},
		{`{"type":"boolean"}`, `"yes"`, "string yes"},
		{`{"type":"boolean"}`, `1`, "json.Number 1"},
		{`{"type":"string"}`, `1.50`, "string 1.50"},
		{`{"type":"string"}`, `false`, "string false"},
		{`{"type":"string"}`, `" a "`, "string  a "},
		{`{"type":"string","enum":["a","B"]}`, `" b "`, "string B"},
		{`{"type":"string","enum":["a"]}`, `" c "`, "string  c "},
		{`{"type":"string"}`, `[1]`, "[]interface {} [1]"},
		{`{"type":"array","items":{"type":"integer"}}`, `"5"`, "[]interface {} [5]"},
		{`{"type":"array","items":{"type":"string"}}`, `"[\"a\",2,true]"`, "[]interface {} [a 2 true]"},
		{`{"type":"array","items":{"type":"string"}}`, `"[\"a\""`, `[]interface {} [["a"]`},
		{`{"type":"array","items":{"type":"string"}}`, `3`, "[]interface {} [3]"},
		{`{"type":"array","items":{"type":"boolean"}}`, `true`, "[]interface {} [true]"},
		{`{"type":"array","items":{"type":"string"}}`, `{"a":1}`, "map[string]interface {} map[a:1]"},
		{`{"type":"array"}`, `"a"`, "string a"},
		{`{"type":"array"}`, `7`, "json.Number 7"},
		{`{"type":"object"}`, `"a"`, "string a"},
		{`{}`, `7`, "json.Number 7"},
	} {
		got := coerce(schemaFrom(t, row.schema), valueFrom(t, row.value), true)
		if text := fmt.Sprintf("%T %v", got, got); text != row.want {
			t.Errorf("%s for %s is %s, want %s", row.value, row.schema, text, row.want)
		}
	}
}

// The error names the innermost wrong value, in words.
func TestSchemaErrorNamesInnermostValue(t *testing.T) {
	for _, row := range []struct{ schema, value, want string }{
		{`{"type":"string"}`, `"a"`, ""},
		{`{"type":"string"}`, `null`, "it must be text, and not nothing"},
		{`{"type":"null"}`, `null`, ""},
		{`{"type":["null","integer"]}`, `"a"`, `it must be nothing or a whole number, and not "a"`},
		{`{"type":["null","integer"]}`, `null`, ""},
		{`{"type":"integer"}`, `1`, ""},
		{`{"type":"integer"}`, `1.5`, "it must be a whole number, and not 1.5"},
		{`{"type":"integer"}`, `1e2`, ""},
		{`{"type":"number"}`, `1.5`, ""},
		{`{"type":"number"}`, `1e999`, "it must be a number, and not 1e999"},
		{`{"type":"number"}`, `[1]`, "it must be a number, and not a list"},
		{`{"type":"boolean"}`, `true`, ""},
		{`{"type":"boolean"}`, `"` + strings.Repeat("x", 81) + `"`, `it must be true or false, and not "` + strings.Repeat("x", 80) + `…"`},
		{`{"type":"object"}`, `true`, "it must be an object with names and values, and not true"},
		{`{"type":"array"}`, `{"a":1}`, "it must be a list, and not an object"},
		{`{"type":"string"}`, `""`, ""},
		{`{"type":"integer"}`, `""`, "it must be a whole number, and not empty"},
		{`{"enum":["a",1]}`, `"b"`, `it must be one of "a", "1", and not "b"`},
		{`{"enum":["a",1]}`, `1`, ""},
		{`{"type":"array","items":{"type":"string"}}`, `["a",["b"]]`, "it, entry 2 must be text, and not a list"},
		{`{"type":"array"}`, `["a",["b"]]`, ""},
		{`{"type":"object","required":["a","b"],"properties":{"a":{},"b":{"type":"string"}}}`, `{"a":1}`, "it: b is missing"},
		{`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}}}`, `{"b":1,"a":2}`, "it: a must be text, and not 2"},
		{`{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"null"}}}}}`, `{"b":{"c":1}}`, "it: b: c must be nothing, and not 1"},
		{`{"type":"object"}`, `{"b":{"c":1}}`, ""},
	} {
		got := ""
		if err := misfit("it", schemaFrom(t, row.schema), valueFrom(t, row.value)); err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%s for %s: %q, want %q", row.value, row.schema, got, row.want)
		}
	}
	for value, kinds := range map[any]string{int64(1): "integer number", 1.0: "integer number", 1.5: "number", "a": "string", true: "boolean", nil: "null"} {
		var found []string
		for _, kind := range []string{"integer", "number", "boolean", "string", "array", "object", "null"} {
			if isKind(kind, value) {
				found = append(found, kind)
			}
		}
		if got := strings.Join(found, " "); got != kinds {
			t.Errorf("%v is %s, want %s", value, got, kinds)
		}
	}
	other := errors.New("other")
	for _, row := range []struct {
		err  error
		want string
	}{
		{other, "other"},
		{&json.UnmarshalTypeError{Value: "number 1e99", Field: "line"}, "line cannot be 1e99: that number is out of range"},
		{&json.UnmarshalTypeError{Value: "number " + strings.Repeat("9", 41), Field: "line"}, "line cannot be " + strings.Repeat("9", 40) + "…: that number is out of range"},
		{&json.UnmarshalTypeError{Value: "array", Field: "line"}, "line cannot be array"},
	} {
		if got := TooLarge(row.err); got.Error() != row.want {
			t.Errorf("%v: %v", row.err, got)
		}
	}
}

func TestParameterDescriptions(t *testing.T) {
	known, err := RawParameters("mcp_a_b", json.RawMessage(`{"type":"object","required":["zeta","list"],"properties":{
		"zeta":{"type":"string","description":"The last"},"list":{"type":"array","items":{"type":"object","required":["path"],"properties":{"path":{},"size":{},"age":{}}}},
		"any":{},"maybe":{"type":["string","null"],"default":"x"},"much":{"type":"integer","minimum":2,"maximum":5},"least":{"type":"number","minimum":2},
		"most":{"type":"number","maximum":2},"on":{"type":"boolean"},"kind":{"enum":["a",2]},"of":{"type":"array","items":{"type":"string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	const help = "  zeta (string, required): The last\n" +
		"  list (array, required); each has path, [age], [size]\n" +
		"  any (any)\n" +
		"  kind (any) One of \"a\", \"2\".\n" +
		"  least (number)\n" +
		"  maybe (string or null, default \"x\")\n" +
		"  most (number)\n" +
		"  much (integer, 2 to 5)\n" +
		"  of (array)\n" +
		"  on (boolean)\n"
	if got := known.Help(); got != help {
		t.Errorf("%s\nwant\n%s", got, help)
	}
	samples, err := json.Marshal(known.samples)
	if want := `{"any":"…","kind":2,"least":2,"list":["…"],"maybe":"…","most":1,"much":2,"of":["…"],"on":true,"zeta":"…"}`; err != nil || string(samples) != want {
		t.Errorf("%s, want %s", samples, want)
	}
	if got := known.example(); got != `{"list":["…"],"zeta":"…"}` {
		t.Error(got)
	}
	if got := (&Parameters{schema: known.schema, names: known.names, samples: map[string]any{"zeta": make(chan int)}}).example(); got != "{}" {
		t.Error(got)
	}
	optional := &Parameters{schema: schemaFrom(t, `{"properties":{"b":{},"a":{}}}`), names: []string{"b", "a"}, samples: map[string]any{"b": 1}}
	if got := optional.example(); got != `{"b":1}` {
		t.Error(got)
	}
	if got := (&Parameters{schema: optional.schema}).example(); got != "{}" {
		t.Error(got)
	}
	for _, row := range []struct{ schema, example, want string }{
		{`{"type":"string"}`, "5", "5"}, {`{"type":"integer"}`, "5", "5"}, {`{"type":"array"}`, `["a"]`, "[a]"}, {`{"type":"integer"}`, "many", "1"}, {`{"type":"object"}`, "", "…"},
	} {
		if got := fmt.Sprint(sample(schemaFrom(t, row.schema), row.example)); got != row.want {
			t.Errorf("%s with %s: %s", row.schema, row.example, got)
		}
	}
}
