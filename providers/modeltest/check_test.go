package modeltest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// recorder is a test that a server may fail without failing the real test, whose cleanup ends the
// server.
type recorder struct {
	testing.TB
	complaints []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.complaints = append(r.complaints, fmt.Sprintf(format, args...))
}

// request makes a request from messages and tools.
func request(messages, rest string) string {
	return `{"model":"m","stream":true,"messages":[` + messages + `]` + rest + `}`
}

const (
	user   = `{"role":"user","content":"go"},`
	called = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}}]}`
	answer = `{"role":"tool","tool_call_id":"a","content":"A"}`
	tools  = `,"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{}}}}]`
)

func calling(id, name, args string) string {
	return fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}]}`, id, name, args)
}

func TestValidRequestsAreAnswered(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	for _, body := range []string{
		request(`{"role":"user","content":"go"}`, ""),
		request(`{"role":"system","content":"be kind"},`+user+called+","+answer+`,{"role":"assistant","content":"done"},{"role":"user","content":"more"}`, tools),
		request(`{"role":"user","content":[{"type":"text","text":"go"}]}`, tools+`,"tool_choice":{"type":"function","function":{"name":"look"}}`),
		request(`{"role":"user","content":"\ud83d\ude00 \\ud83d"}`, ""),
	} {
		if status, text := post(t, server.URL+"/v1/chat/completions", body); status != http.StatusOK {
			t.Errorf("%d %s\n%s", status, text, body)
		}
	}
	// The last request of a turn has no tools: the tool was offered before.
	if status, text := post(t, server.URL+"/v1/chat/completions", request(user+called+","+answer, "")); status != http.StatusOK {
		t.Errorf("without tools: %d %s", status, text)
	}
}

// TestRefusals has a request for each rule that breaks it. The answer is a 400, and the test that
// runs the server fails, unless its script expects it.
func TestRefusals(t *testing.T) {
	for _, test := range []struct{ name, body, says string }{
		{"no JSON", "{", "not a request"},
		{"no messages", request("", ""), "too short"},
		{"no model", `{"messages":[{"role":"user","content":"go"}]}`, "model parameter"},
		{"invalid UTF-8", request("{\"role\":\"user\",\"content\":\"\xff\"}", ""), "not UTF-8"},
		{"half a surrogate pair", request(`{"role":"user","content":"\ud83d!"}`, ""), "surrogate"},
		{"the other half", request(`{"role":"user","content":"\\\uDE00"}`, ""), "surrogate"},
		{"an empty user message", request(`{"role":"user","content":" "}`, ""), "without content"},
		{"an empty assistant message", request(user+`{"role":"assistant","content":null}`, ""), "neither content nor"},
		{"an empty tool message", request(user+called+`,{"role":"tool","tool_call_id":"a","content":""}`, tools), "without content"},
		{"an unknown role", request(`{"role":"narrator","content":"x"}`, ""), "unknown role"},
		{"a call without result", request(user+called, tools), "no tool message responds"},
		{"a call without result in between", request(user+called+`,{"role":"user","content":"x"}`, tools), "must be followed by"},
		{"a result without call", request(user+answer, ""), "must be a response"},
		{"a result for another call", request(user+called+`,{"role":"tool","tool_call_id":"b","content":"B"}`, tools), `next call that needs a result is "a"`},
		{"an id twice", request(user+called+","+answer+","+called+","+answer, tools), "two calls have the id"},
		{"no id", request(user+calling("", "look", `"{}"`)+`,{"role":"tool","tool_call_id":"","content":"A"}`, tools), "no id"},
		{"a long id", request(user+calling(strings.Repeat("x", 41), "look", `"{}"`)+`,{"role":"tool","tool_call_id":"`+strings.Repeat("x", 41)+`","content":"A"}`, tools), "too long"},
		{"arguments that are no object", request(user+calling("a", "look", `"[1]"`)+","+answer, tools), "not a JSON object"},
		{"arguments that break off", request(user+calling("a", "look", `"{\"a\":"`)+","+answer, tools), "not a JSON object"},
		{"arguments with half a character", request(user+calling("a", "look", `"{\"a\":\"\\ud83d\"}"`)+","+answer, tools), "surrogate"},
		{"arguments as an object", request(user+calling("a", "look", `{}`)+","+answer, tools), "not a string"},
		{"a name with a dot", request(user+calling("a", "files.look", `"{}"`)+","+answer, tools), "does not match"},
		{"a call of a tool that nobody offered", request(user+calling("a", "nonsense", `"{}"`)+","+answer, tools), "not in request.tools"},
		{"no calls in a list of calls", request(user+`{"role":"assistant","content":"x","tool_calls":[]}`, ""), "empty list"},
		{"no tools in a list of tools", request(`{"role":"user","content":"x"}`, `,"tools":[]`), "too short"},
		{"a choice that is not offered", request(`{"role":"user","content":"x"}`, tools+`,"tool_choice":{"type":"function","function":{"name":"other"}}`), "tool_choice"},
		{"a tool twice", request(`{"role":"user","content":"x"}`, `,"tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"a"}}]`), "taken"},
		{"a schema that is no schema", request(`{"role":"user","content":"x"}`, `,"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object","properties":[]}}}]`), "broken"},
		{"a schema that is no object", request(`{"role":"user","content":"x"}`, `,"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"string"}}}]`), "type object"},
		{"a schema that does not compile", request(`{"role":"user","content":"x"}`, `,"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object","$ref":"#/nowhere"}}}]`), "does not compile"},
		{"a kind of tool", request(`{"role":"user","content":"x"}`, `,"tools":[{"type":"retrieval"}]`), "not function"},
		{"too many tools", request(`{"role":"user","content":"x"}`, `,"tools":[`+manyTools(129)+`]`), "maximum length 128"},
		{"stream options without a stream", `{"model":"m","messages":[{"role":"user","content":"x"}],"stream_options":{"include_usage":true}}`, "stream_options"},
	} {
		t.Run(test.name, func(t *testing.T) {
			watched := &recorder{TB: t}
			strict := modeltest.StartFunc(watched, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
			status, text := post(t, strict.URL+"/v1/chat/completions", test.body)
			if status != http.StatusBadRequest || !strings.Contains(text, `"type":"invalid_request_error"`) {
				t.Errorf("%d %s", status, text)
			}
			if len(watched.complaints) != 1 || !strings.Contains(watched.complaints[0], test.says) {
				t.Errorf("complaints %q, want %q", watched.complaints, test.says)
			}
			expecting := modeltest.Start(t, modeltest.Refused())
			if status, _ := post(t, expecting.URL+"/v1/chat/completions", test.body); status != http.StatusBadRequest {
				t.Errorf("expected: %d", status)
			}
		})
	}
}

func manyTools(n int) string {
	tools := make([]string, n)
	for i := range tools {
		tools[i] = fmt.Sprintf(`{"type":"function","function":{"name":"t%d"}}`, i)
	}
	return strings.Join(tools, ",")
}

func TestMissingKeyIsRefused(t *testing.T) {
	watched := &recorder{TB: t}
	server := modeltest.StartFunc(watched, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	for _, want := range []int{http.StatusUnauthorized, http.StatusOK} {
		response, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(openAIQuestion))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%d, want %d", response.StatusCode, want)
		}
		server.Keyless()
	}
	if len(watched.complaints) != 1 || !strings.Contains(watched.complaints[0], "Authorization") {
		t.Errorf("complaints %q", watched.complaints)
	}
}

func TestScriptAndRequestsMustMatch(t *testing.T) {
	watched := &recorder{TB: t}
	server := modeltest.Start(watched, modeltest.Text("one"), modeltest.Refused())
	for _, want := range []int{http.StatusOK, http.StatusBadRequest, http.StatusInternalServerError} {
		if status, _ := post(t, server.URL+"/v1/chat/completions", openAIQuestion); status != want {
			t.Errorf("%d, want %d", status, want)
		}
	}
	if len(watched.complaints) != 2 || !strings.Contains(watched.complaints[0], "it is valid") || !strings.Contains(watched.complaints[1], "the script has only 2 steps") {
		t.Errorf("complaints %q", watched.complaints)
	}
	t.Run("too few requests", func(t *testing.T) {
		watched = &recorder{TB: t}
		modeltest.Start(watched, modeltest.Text("one"))
	})
	if len(watched.complaints) != 1 || !strings.Contains(watched.complaints[0], "there were 0 requests") {
		t.Errorf("complaints %q", watched.complaints)
	}
}
