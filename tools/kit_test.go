package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

type forecastArgs struct {
	Place  string   `json:"place" doc:"City or address" alias:"location,city" example:"Uppsala"`
	Days   int      `json:"days" doc:"Days ahead" default:"3" min:"1" max:"16"`
	Units  string   `json:"units" doc:"Units of measure" enum:"metric,imperial" default:"metric"`
	Lat    *float64 `json:"lat" doc:"Latitude"`
	Detail bool     `json:"detail" doc:"Every hour" default:"false"`
	Tags   []string `json:"tags,omitempty" doc:"Only these"`
}

// forecast is a tool whose result contains its arguments.
func forecast() tools.Tool {
	return tools.New(tools.Def[forecastArgs]{
		Name: "weather_forecast", Doc: "Weather to come.",
		Run: func(_ context.Context, _ tools.Env, in forecastArgs) (tools.Output, error) {
			encoded, err := json.Marshal(in)
			return tools.Output{Text: string(encoded)}, err
		},
	})
}

func TestSchemaComesFromTheTags(t *testing.T) {
	schema, err := forecast().Schema()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{` +
		`"place":{"type":"string","description":"City or address"},` +
		`"days":{"type":"integer","description":"Days ahead","default":3,"minimum":1,"maximum":16},` +
		`"units":{"type":"string","description":"Units of measure","default":"metric","enum":["metric","imperial"]},` +
		`"lat":{"type":"number","description":"Latitude"},` +
		`"detail":{"type":"boolean","description":"Every hour","default":false},` +
		`"tags":{"type":"array","description":"Only these","items":{"type":"string"}}},` +
		`"required":["place"]}`
	var got, expected any
	if err := json.Unmarshal(schema, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &expected); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("schema:\n%s\nwant:\n%s", schema, want)
	}
	again, err := forecast().Schema()
	if err != nil || string(again) != string(schema) {
		t.Errorf("the bytes differ from one time to the next: %v", err)
	}
}

func TestArgumentsAreMendedWhereTheyHaveOneMeaning(t *testing.T) {
	const plain = `{"place":"Rome","days":3,"units":"metric","lat":null,"detail":false}`
	cases := []struct{ name, args, want string }{
		{"an object", `{"place":"Rome"}`, plain},
		{"a string of an object", `"{\"place\":\"Rome\"}"`, plain},
		{"doubly encoded", `"\"{\\\"place\\\":\\\"Rome\\\"}\""`, plain},
		{"an alias", `{"city":"Rome"}`, plain},
		{"an alias in other spelling", `{"Location":"Rome"}`, plain},
		{"null for an optional one", `{"place":"Rome","days":null,"tags":null}`, plain},
		{"an unknown one without a value", `{"place":"Rome","why":""}`, plain},
		{"a number as a string", `{"place":"Rome","days":"5"}`, strings.Replace(plain, `"days":3`, `"days":5`, 1)},
		{"a whole float", `{"place":"Rome","days":5.0}`, strings.Replace(plain, `"days":3`, `"days":5`, 1)},
		{"too many", `{"place":"Rome","days":99}`, strings.Replace(plain, `"days":3`, `"days":16`, 1)},
		{"too few", `{"place":"Rome","days":-1}`, strings.Replace(plain, `"days":3`, `"days":1`, 1)},
		{"zero is a latitude", `{"place":"Rome","lat":0}`, strings.Replace(plain, `"lat":null`, `"lat":0`, 1)},
		{"a choice in capitals", `{"place":"Rome","units":" IMPERIAL "}`, strings.Replace(plain, `metric`, `imperial`, 1)},
		{"a boolean as a string", `{"place":"Rome","detail":"True"}`, strings.Replace(plain, `"detail":false`, `"detail":true`, 1)},
		{"a number for a string", `{"place":12345678901234567890}`, strings.Replace(plain, "Rome", "12345678901234567890", 1)},
		{"one value for a list", `{"place":"Rome","tags":"wind"}`, strings.Replace(plain, `}`, `,"tags":["wind"]}`, 1)},
		{"a list as a string", `{"place":"Rome","tags":"[\"wind\",7]"}`, strings.Replace(plain, `}`, `,"tags":["wind","7"]}`, 1)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			call, err := forecast().Decode(json.RawMessage(c.args))
			if err != nil {
				t.Fatal(err)
			}
			output, err := call.Run(t.Context(), tools.Env{})
			if err != nil {
				t.Fatal(err)
			}
			if output.Text != c.want {
				t.Errorf("got  %s\nwant %s", output.Text, c.want)
			}
		})
	}
}

func TestATitleSaysWhatIsOn(t *testing.T) {
	for args, want := range map[string]string{
		`{"place": "Uppsala", "detail": true}`:             "weather_forecast Uppsala detail",
		`{"place": "Uppsala", "days": 2, "detail": false}`: "weather_forecast Uppsala 2",
	} {
		if call, err := forecast().Decode(json.RawMessage(args)); err != nil || call.Title != want {
			t.Errorf("%s is called %q (%v), not %q", args, call.Title, err, want)
		}
	}
}

func TestFoldRewritesArgumentsBeforeTheyAreChecked(t *testing.T) {
	tool := tools.New(tools.Def[forecastArgs]{
		Name: "weather_forecast", Doc: "Weather to come.",
		Fold: func(arguments map[string]any) {
			if latitude, ok := arguments["latitude"]; ok {
				arguments["place"] = latitude.(json.Number).String() + "°"
				delete(arguments, "latitude")
			}
		},
		Run: func(_ context.Context, _ tools.Env, in forecastArgs) (tools.Output, error) {
			return tools.Output{Text: in.Place}, nil
		},
	})
	call, err := tool.Decode(json.RawMessage(`"{\"latitude\": 59.860}"`))
	if err != nil {
		t.Fatal(err)
	}
	if output, err := call.Run(t.Context(), tools.Env{}); err != nil || output.Text != "59.860°" {
		t.Errorf("%q, %v", output.Text, err)
	}
}

func TestInvalidCallErrorShowsExpectedArguments(t *testing.T) {
	const help = "Parameters of weather_forecast:\n  place (string, required): City or address\n"
	const example = `Example: {"place":"Uppsala"}`
	cases := []struct{ name, args, want string }{
		{"nothing", ``, "place is required: City or address"},
		{"an empty object", `{}`, "place is required"},
		{"a word", `Rome`, `must be a JSON object, but they are: "Rome"`},
		{"a list", `["Rome"]`, "must be a JSON object"},
		{"cut off", `{"place":"Ro`, "are cut off after 12 bytes; nothing was done"},
		{"two objects", `{"place":"a"}{"place":"b"}`, "text after the JSON object"},
		{"bad JSON", `{place:"a"}`, "not valid JSON"},
		{"a misspelt name", `{"place":"a","dais":2}`, `there is no parameter "dais"; did you mean "days"?`},
		{"a word for a number", `{"place":"a","days":"many"}`, "days"},
		{"a fraction for a count", `{"place":"a","days":2.5}`, "days"},
		{"no such choice", `{"place":"a","units":"kelvin"}`, "units"},
		{"an object for a string", `{"place":{"name":"a"}}`, "place"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := forecast().Decode(json.RawMessage(c.args))
			if err == nil {
				t.Fatal("accepted")
			}
			for _, part := range []string{c.want, help, example} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error lacks %q:\n%s", part, err)
				}
			}
		})
	}
}

// No prefix of a call's arguments may have an effect.
func TestArgsCutAtEveryByte(t *testing.T) {
	whole := `{"place":"Rome","days":5,"units":"imperial","tags":["a","b"]}`
	for cut := range len(whole) {
		for _, args := range []string{whole[:cut], quote(t, whole)[:cut]} {
			if _, err := forecast().Decode(json.RawMessage(args)); err == nil {
				t.Errorf("%q was accepted", args)
			}
		}
	}
}

func quote(t *testing.T, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(quoted)
}

func TestMisdeclaredToolsAreFoundOnFirstUse(t *testing.T) {
	bad := tools.New(tools.Def[struct {
		Name string `json:"name"`
	}]{Name: "bad"})
	if _, err := bad.Schema(); err == nil || !strings.Contains(err.Error(), "parameter name: it has no doc") {
		t.Errorf("error %v", err)
	}
	if _, err := bad.Decode(json.RawMessage(`{"name":"x"}`)); err == nil {
		t.Error("a call of it was decoded")
	}
}

// Gemini answers 400 "enum[0]: cannot be empty" to a request with such a schema
// (BerriAI/litellm#14155), whatever tool is called.
func TestAnEmptyChoiceIsNotInTheSchemaButAccepted(t *testing.T) {
	var got string
	list := tools.New(tools.Def[struct {
		Status string `json:"status" doc:"Only these; empty is all" enum:",open,closed" default:""`
	}]{Name: "list", Run: func(_ context.Context, _ tools.Env, in struct {
		Status string `json:"status" doc:"Only these; empty is all" enum:",open,closed" default:""`
	},
	) (tools.Output, error) {
		got = "<" + in.Status + ">"
		return tools.Output{}, nil
	}})
	schema, err := list.Schema()
	if err != nil || strings.Contains(string(schema), `""`) {
		t.Errorf("schema %s, %v", schema, err)
	}
	for args, want := range map[string]string{`{}`: "<>", `{"status":""}`: "<>", `{"status":"open"}`: "<open>"} {
		call, err := list.Decode(json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := call.Run(t.Context(), tools.Env{}); err != nil || got != want {
			t.Errorf("%s: %s, %v", args, got, err)
		}
	}
	if _, err := list.Decode(json.RawMessage(`{"status":"all"}`)); err == nil || !strings.Contains(err.Error(), "open") {
		t.Errorf("an unknown choice: %v", err)
	}
}

func named(name string) tools.Tool {
	return tools.New(tools.Def[struct{}]{Name: name, Doc: name})
}

func TestModesDecideWhichToolsThereAre(t *testing.T) {
	var registry toolbox.Registry
	registry.Add(
		named("plain"),
		tools.New(tools.Def[struct{}]{Name: "code", Needs: tools.Needs{Coding: true}}),
		tools.New(tools.Def[struct{}]{Name: "write", Needs: tools.Needs{Coding: true}, Effect: tools.Writes}),
		tools.New(tools.Def[struct{}]{Name: "person", Needs: tools.Needs{Interactive: true}}),
	)
	cases := []struct {
		mode tools.Mode
		want string
	}{
		{tools.Mode{}, "plain"},
		{tools.Mode{Coding: true}, "plain code write"},
		{tools.Mode{Coding: true, ReadOnly: true}, "plain code"},
		{tools.Mode{Person: true}, "plain person"},
	}
	for _, c := range cases {
		var names []string
		for _, tool := range registry.ToolsFor(c.mode) {
			names = append(names, tool.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.mode, got, c.want)
		}
	}
	if _, err := registry.Find("write", tools.Mode{Coding: true, ReadOnly: true}); !errors.Is(err, tools.ErrForbidden) {
		t.Errorf("a writing tool in a read-only run: %v", err)
	}
}

// Deep nesting is refused before anything is decoded. Brackets inside a string are not nesting.
func TestDeeplyNestedArgumentsAreRefused(t *testing.T) {
	type anyArgs struct {
		Text string `json:"text" doc:"Any"`
	}
	tool := tools.New(tools.Def[anyArgs]{Name: "any", Doc: "any", Run: func(_ context.Context, _ tools.Env, in anyArgs) (tools.Output, error) {
		return tools.Output{Text: in.Text}, nil
	}})
	for _, open := range []string{"[", `{"a":`} {
		deep := `{"text":` + strings.Repeat(open, 100_000)
		for _, args := range []string{deep, strconv.Quote(deep)} {
			if _, err := tool.Decode([]byte(args)); err == nil || !strings.Contains(err.Error(), "nested more than 100 levels") {
				t.Errorf("%.40s: %v", args, err)
			}
		}
	}
	plain, err := json.Marshal(map[string]string{"text": strings.Repeat(`[{"\\`, 1000)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Decode(plain); err != nil {
		t.Error(err)
	}
}
