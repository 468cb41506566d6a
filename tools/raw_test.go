package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/tools"
)

// stranger is a foreign tool whose result contains its arguments.
func stranger(t *testing.T, def tools.Definition) tools.Tool {
	t.Helper()
	def.Run = func(_ context.Context, _ tools.Env, arguments json.RawMessage) (tools.Output, error) {
		return tools.Output{Text: string(arguments)}, nil
	}
	tool, err := tools.Raw(def)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func ran(t *testing.T, tool tools.Tool, args string) (string, error) {
	t.Helper()
	call, err := tool.Decode(json.RawMessage(args))
	if err != nil {
		return "", err
	}
	output, err := call.Run(t.Context(), tools.Env{})
	return output.Text, err
}

const issueSchema = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","additionalProperties":false,
	"properties":{"repoName":{"type":"string","description":"The repository"},"labels":{"type":"array","items":{"type":"string"}},
	"number":{"type":"integer"},"state":{"enum":["open","closed"]},"at":{"$ref":"#/$defs/point"},"note":{"type":["string","null"]}},
	"required":["repoName"],"$defs":{"point":{"type":"object","properties":{"x":{"type":"number"}},"required":["x"]}}}`

func TestAToolFromASchemaMendsAndChecksItsArguments(t *testing.T) {
	tool := stranger(t, tools.Definition{Name: "mcp_git_issue", Doc: "An issue.", Schema: json.RawMessage(issueSchema)})
	for _, one := range []struct{ args, want string }{
		{`{"repoName":"a"}`, `{"repoName":"a"}`},
		{`{"repo_name":"a","labels":"bug"}`, `{"labels":["bug"],"repoName":"a"}`},
		{`{"repoName":"a","number":"9007199254740993"}`, `{"number":9007199254740993,"repoName":"a"}`},
		{`{"repoName":"a","at":{"x":1.5},"note":null}`, `{"at":{"x":1.5},"note":null,"repoName":"a"}`},
		{`{"number":1}`, "repoName is required"},
		{`{"repoName":"a","state":"torn"}`, "state"},
		{`{"repoName":"a","at":{}}`, "at"},
		{`{"repoName":"a","anything":1}`, "no parameter"},
	} {
		text, err := ran(t, tool, one.args)
		if err != nil {
			text = err.Error()
		}
		if err == nil && text != one.want || err != nil && !strings.Contains(text, one.want) {
			t.Errorf("%s: %q", one.args, text)
		}
	}
	if got := strings.Join(tool.Signature(), " "); got != "repoName:string [at:object] [labels:array] [note:string or null] [number:integer] [state:any]" {
		t.Errorf("signature %s", got)
	}
}

// For every schema, describing the tool and checking a call take limited time, and the description
// for the model has a limited size.
func TestHostileSchemasAreTakenInOrRefused(t *testing.T) {
	nested := strings.Repeat(`{"type":"object","properties":{"a":`, 5000) + "{}" + strings.Repeat("}}", 5000)
	var chain, bomb strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&chain, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
	}
	for i := range 40 { // each level contains the level below twice: 2^40 checks if all were followed
		fmt.Fprintf(&bomb, `"b%d":{"allOf":[{"$ref":"#/$defs/b%d"},{"$ref":"#/$defs/b%d"}]},`, i, i+1, i+1)
	}
	for name, schema := range map[string]string{
		"10,000 references":        `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + chain.String() + `"d10000":{"type":"string"}}}`,
		"a bomb":                   `{"type":"object","properties":{"a":{"$ref":"#/$defs/b0"}},"$defs":{` + bomb.String() + `"b40":{"type":"string"}}}`,
		"itself":                   `{"type":"object","properties":{"a":{"$ref":"#"}}}`,
		"a ring":                   `{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}`,
		"elsewhere":                `{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1:1/x"}}}`,
		"a pattern of another one": `{"type":"object","properties":{"a":{"type":"string","pattern":"(?<=x)(a+)+$"}}}`,
		"wrong kinds":              `{"type":"object","properties":{"a":{"type":7,"minimum":"x","enum":[],"items":[{}],"required":"a","minLength":1.5}},"required":[1,"nothing"]}`,
		"deep":                     nested,
		"no object":                `[1,2]`,
		"another type":             `{"type":"string"}`,
		"hidden words":             `{"type":"object","properties":{"a":{"type":"string","description":"x` + "\U000E0041\U000E0042" + `"}}}`,
		"huge":                     `{"type":"object","description":"` + strings.Repeat("x", 300<<10) + `"}`,
		"many":                     `{"type":"object","properties":{` + strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("n", 100)+`":{"type":"string","description":"`+strings.Repeat("d", 300)+`"},`, 1), ",") + `}}`,
	} {
		tool, err := tools.Raw(tools.Definition{Name: "x", Schema: json.RawMessage(schema)})
		if err != nil {
			t.Logf("%s: refused: %v", name, err)
			continue
		}
		encoded, err := tool.Schema()
		if err != nil || len(encoded) > 24<<10 || strings.Contains(string(encoded), "$ref") || strings.Contains(string(encoded), "\U000E0041") {
			t.Errorf("%s: %v, %.200s", name, err, encoded)
		}
		for _, args := range []string{`{"a":"text"}`, `{"a":{"a":{"a":{}}}}`, `{}`} {
			if _, err := tool.Decode(json.RawMessage(args)); err != nil && strings.Contains(err.Error(), "cannot be used") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestAForeignToolIsTheWorstUnlessTheUserSaysOtherwise(t *testing.T) {
	env := tools.Env{Person: true, Now: time.Now, Known: &tools.KnownHosts{}, Progress: func(string) {}}
	judge := func(def tools.Definition, env tools.Env) tools.Verdict {
		call, err := stranger(t, def).Decode(json.RawMessage(`{"text":"the diary"}`))
		if err != nil {
			t.Fatal(err)
		}
		var none *tools.Permissions
		return none.Judge(call, env, json.RawMessage(`{"text":"the diary"}`), call.Confirm != nil)
	}
	plain := tools.Definition{Name: "mcp_a_b", Server: "a"}
	reads := plain
	reads.Effect = tools.Reads
	if tool := stranger(t, plain); !tool.Foreign() || !tool.Untrusted() || !tool.Writes || tool.Effect != tools.Outside {
		t.Errorf("%+v", tool)
	}
	if got := judge(plain, env); got.Decision != tools.Ask || got.Firm {
		t.Errorf("it is not asked about: %+v", got)
	}
	if got := judge(reads, env); got.Decision != tools.Allow {
		t.Errorf("a read-only tool asks: %+v", got)
	}
	tainted := env
	tainted.Tainted = "a page"
	if got := judge(plain, tainted); got.Decision != tools.Ask || !got.Firm || !strings.Contains(got.Payload, "the diary") {
		t.Errorf("after strangers spoke: %+v", got)
	}
	tainted.Person = false
	if got := judge(plain, tainted); got.Decision != tools.Deny {
		t.Errorf("after strangers spoke, with no one there: %+v", got)
	}
	tainted.Known.AddPrompt("look it up with a")
	if got := judge(plain, tainted); got.Decision != tools.Allow {
		t.Errorf("which the prompt named: %+v", got)
	}
	planning := env
	planning.Approval = messages.ApprovePlan
	if got := judge(plain, planning); got.Decision != tools.Deny {
		t.Errorf("while the user wants a plan: %+v", got)
	}
	call, err := stranger(t, plain).Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if places := call.Places(env); len(places) != 1 || !places[0].All || !places[0].Write {
		t.Errorf("its order is as %+v", places)
	}
}
