package adapt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/adapt"
	"marvin/providers/anthropic"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
	"marvin/providers/responses"
)

// wires are the protocols whose requests are adapted. Gemini has chat completions too.
var wires = map[string]func(url string, client *http.Client) providers.Model{
	"chat": func(url string, client *http.Client) providers.Model {
		return openaichat.New(openaichat.Config{Provider: "host", BaseURL: url + "/v1", Key: "k", Model: "m", HTTP: client})
	},
	"gemini": func(url string, client *http.Client) providers.Model {
		return openaichat.New(openaichat.Config{Provider: "gemini", BaseURL: url + "/v1", Key: "k", Model: "gemini-3-pro", HTTP: client})
	},
	"responses": func(url string, client *http.Client) providers.Model {
		return responses.New(responses.Config{Provider: "host", BaseURL: url + "/v1", Key: "k", Model: "m", HTTP: client})
	},
	"anthropic": func(url string, client *http.Client) providers.Model {
		return anthropic.New(anthropic.Config{Provider: "host", BaseURL: url + "/v1", Key: "k", Model: "m", HTTP: client})
	},
	"ollama": func(url string, client *http.Client) providers.Model {
		return ollama.New(ollama.Config{URL: url, Model: "m", HTTP: client})
	},
}

func has(part string) func(string) bool {
	return func(body string) bool { return strings.Contains(body, part) }
}

// refusals are requests that hosts refuse, with the status and the text of the refusal.
var refusals = map[string]struct {
	status  int
	words   string
	refuses func(body string) bool
}{
	"usage in the stream":      {400, "Extra inputs are not permitted: stream_options", has(`"stream_options"`)},
	"a field without its name": {400, "Bad Request", has(`"stream_options"`)},
	"marks for the cache":      {400, "cache_control: Extra inputs are not permitted", has(`"cache_control"`)},
	"strict tools":             {422, "Unknown parameter: 'tools[0].strict'", has(`"strict"`)},
	"a keyword of each tool":   {400, "tools[0].function.parameters.additionalProperties: not supported", has(`"additionalProperties"`)},
	"store":                    {400, "Unsupported parameter: store", has(`"store"`)},
	"a field of the user":      {400, "temperature is not supported with this model", has(`"temperature"`)},
	"null as a text":           {422, "messages.2.content: Input should be a valid string", has(`"content":null`)},
	"an empty text": {400, "messages: text content blocks must be non-empty", func(body string) bool {
		return strings.Contains(body, `"content":null`) || strings.Contains(body, `"content":""`)
	}},
	"texts that are no lists": {400, "content: Input should be a valid list", has(`"content":"go"`)},
	"long ids":                {400, "Tool call id was call_abcdefghijkl but must be a-z, A-Z, 0-9, with a length of 9.", has(`call_abcdefghijkl`)},
	"results without a name": {400, "messages[3]: missing field `name` of a tool message", func(body string) bool {
		return strings.Contains(body, `"role":"tool"`) && !strings.Contains(strings.SplitN(body, `"role":"tool"`, 2)[0]+"", `"name":"look","role"`) && strings.Count(body, `"name":"look"`) < 3
	}},
	"results": {400, "Unexpected role 'tool'", func(body string) bool {
		return strings.Contains(body, `"role":"tool"`) || strings.Contains(body, "tool_result") || strings.Contains(body, "function_call_output")
	}},
	"the system's role": {400, "Developer instruction is not enabled for this model", func(body string) bool {
		return strings.Contains(body, `"role":"system"`) || strings.Contains(body, `"instructions"`) || strings.Contains(body, `"system":[`)
	}},
	"words behind words":          {500, "Conversation roles must alternate user/assistant/user/assistant", twice},
	"tools":                       {404, "No endpoints found that support tool use.", has(`"tools"`)},
	"tools, as llama.cpp says it": {500, "tools param requires --jinja flag", has(`"tools"`)},
	"tools, as vLLM says it":      {400, `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`, has(`"tools"`)},
	"one tool by its name":        {400, "Invalid schema for function 'mcp_odd': array schema missing items", has(`"mcp_odd"`)},
	"one tool by its place":       {400, "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[x].items: missing field.", has(`"mcp_odd"`)},
	"one tool without its name":   {400, "JSON schema is invalid. It must match JSON Schema draft 2020-12", has(`"mcp_odd"`)},
	"a word of schemas":           {400, `Invalid JSON payload received. Unknown name "additionalProperties" in the schema`, has(`"additionalProperties"`)},
	"anything but plain words": {400, "invalid request", func(body string) bool {
		return strings.Contains(body, `"tools"`) || strings.Contains(body, "call_abcdefghijkl")
	}},
}

// twice reports whether two messages of the user follow each other.
func twice(body string) bool {
	var read struct {
		Messages, Input []struct{ Role string }
	}
	_ = json.Unmarshal([]byte(body), &read)
	for _, list := range [][]struct{ Role string }{read.Messages, read.Input} {
		for i := 1; i < len(list); i++ {
			if list[i].Role == "user" && list[i-1].Role == "user" {
				return true
			}
		}
	}
	return false
}

func TestARefusedRequestDoesNotEndAConversation(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}`)
	call := messages.ToolCall{ID: "call_abcdefghijkl", Name: "look", Args: json.RawMessage(`{}`)}
	question := providers.Question{
		System: "Be brief.",
		Messages: []messages.Message{
			{Role: messages.User, Text: "go"},
			{Role: messages.Assistant, Calls: []messages.ToolCall{call}},
			{Role: messages.Tool, Result: messages.ToolResult{Call: call.ID, Name: "look", Text: "seen"}},
			{Role: messages.Assistant, Text: "done"},
			{Role: messages.System, Text: "It is another day."},
			{Role: messages.User, Text: "and now?"},
		},
		Tools: []providers.ToolSpec{{Name: "look", Doc: "Looks.", Schema: schema}, {Name: "mcp_odd", Doc: "Odd.", Schema: schema}, {Name: "seek", Doc: "Seeks.", Schema: schema}, {Name: "list", Doc: "Lists.", Schema: schema}},
	}
	for wire, connect := range wires {
		for name, refusal := range refusals {
			t.Run(wire+"/"+name, func(t *testing.T) {
				t.Parallel()
				own := map[string]any{}
				switch wire { // the test servers know only the fields of the other protocols
				case "chat", "gemini", "ollama":
					own["temperature"] = 1
				}
				refused := 0
				server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
					if wire == "ollama" && name == "texts that are no lists" {
						return modeltest.Text("fine") // this protocol has no lists
					}
					if refusal.refuses(string(request.Raw)) {
						refused++
						text, _ := json.Marshal(map[string]any{"error": map[string]any{"message": refusal.words}})
						return modeltest.Status(refusal.status, string(text))
					}
					return modeltest.Text("fine")
				})
				host := &adapt.Host{Provider: "host", Model: "m", Body: own, Own: func(name string) bool { return name != "mcp_odd" }}
				model := host.Wrap(connect(server.URL, host.Client(&http.Client{Transport: &http.Transport{}})))
				reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
				if err != nil || reply.Text != "fine" || len(server.Requests()) > 3 {
					t.Fatalf("%q, %v after %d requests", reply.Text, err, len(server.Requests()))
				}
				if said := strings.Join(reply.Notices, "\n"); refused > 0 && said == "" && name != "marks for the cache" {
					t.Errorf("the user is told %q", said)
				}
				before, known := refused, len(server.Requests())
				reply, err = model.Respond(t.Context(), question, func(providers.Part) {})
				if err != nil || refused != before || len(server.Requests()) != known+1 || strings.Contains(strings.Join(reply.Notices, ""), "refused the request") {
					t.Errorf("the next request is refused again, or told again: %v, %v", reply.Notices, err)
				}
			})
		}
	}
}

// Another process uses the changes that one learned, but it always offers tools first.
func TestLearnedAdaptationIsShared(t *testing.T) {
	for name, row := range map[string]struct{ words, part string }{
		"a field":    {"Extra inputs are not permitted: stream_options", `"stream_options"`},
		"an address": {"", ""},
		"tools":      {"No endpoints found that support tool use.", `"tools"`},
	} {
		t.Run(name, func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if row.part != "" && strings.Contains(string(request.Raw), row.part) {
					return modeltest.Status(400, `{"error":{"message":"`+row.words+`"}}`)
				}
				return modeltest.Text("fine")
			})
			door := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, incoming *http.Request) {
				if !strings.HasPrefix(incoming.URL.Path, "/v1/") {
					http.NotFound(to, incoming)
					return
				}
				server.ServeHTTP(to, incoming)
			}))
			defer door.Close()
			url := door.URL + "/v1"
			if name == "an address" {
				url = door.URL
			}
			var kept []byte
			for process, requests := range []int{1, 2} {
				host := &adapt.Host{Provider: "host", Model: "m", Keep: func(form []byte) { kept = form }}
				host.Begin(kept)
				model := host.Wrap(anthropic.New(anthropic.Config{Provider: "host", BaseURL: url, Key: "k", Model: "m", HTTP: host.Client(&http.Client{Transport: &http.Transport{}})}))
				if row.part == `"stream_options"` {
					model = host.Wrap(openaichat.New(openaichat.Config{Provider: "host", BaseURL: url, Key: "k", Model: "m", HTTP: host.Client(&http.Client{Transport: &http.Transport{}})}))
				}
				before := len(server.Requests())
				reply, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}, Tools: []providers.ToolSpec{{Name: "look", Doc: "Looks."}}}, func(providers.Part) {})
				if err != nil || reply.Text != "fine" {
					t.Fatalf("%+v, %v", reply, err)
				}
				told := strings.Join(reply.Notices, "\n")
				switch asked := len(server.Requests()) - before; {
				case name == "tools" && (asked != 2 || !strings.Contains(told, "no tools are offered")):
					t.Errorf("process %d asked %d times: %q", process, asked, told)
				case name == "a field" && (asked != 2-process || (told == "") != (process == 1)):
					t.Errorf("process %d asked %d times: %q", process, asked, told)
				case name == "an address" && (asked != 1 || requests == 1 && !strings.Contains(told, "/v1") || requests == 2 && told != ""):
					t.Errorf("process %d: %q", process, told)
				}
			}
		})
	}
}

// The user sees the server's own text if no other form of the request helps.
func TestRefusalThatNothingHelpsIsReported(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step {
		return modeltest.Status(http.StatusBadRequest, `{"error":{"message":"The model m does not exist"}}`)
	})
	host := &adapt.Host{Provider: "host", Model: "m"}
	_, err := host.Wrap(wires["chat"](server.URL, host.Client(&http.Client{}))).Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}}, func(providers.Part) {})
	if status, ok := errors.AsType[*providers.StatusError](err); !ok || !strings.Contains(status.Message, "does not exist") || len(server.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(server.Requests()))
	}
}

// A limit for answers that the user set too high is lowered, however the server states its maximum.
func TestConfiguredLimitIsLowered(t *testing.T) {
	for words, most := range map[string]string{
		"max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens":                              "8192",
		"max_tokens must be at most 4096, got 32000":                                                                  "4096",
		"max_tokens must be at most 128":                                                                              "128",
		"Range of max_tokens should be [1,4096]":                                                                      "4096",
		"llama-3.1-8b-2407: `max_tokens` must be less than or equal to `4096`":                                        "4096",
		"max_output_tokens must be less than 4097":                                                                    "4096",
		"maxOutputTokens must be in the range from 1 (inclusive) to 4097 (exclusive)":                                 "4096",
		"Input validation error: `max_new_tokens` must be <= 4,096. Given: 32,000":                                    "4096",
		"The requested max_tokens of 32000 exceeds the model limit 4096":                                              "4096",
		"max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you gave 32000": "16384",
	} {
		for wire, field := range map[string]string{"chat": "max_tokens", "anthropic": "max_tokens", "responses": "max_output_tokens"} {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if strings.Contains(string(request.Raw), `32000`) {
					return modeltest.Status(400, fmt.Sprintf(`{"error":{"message":%q}}`, words))
				}
				return modeltest.Text("fine")
			})
			own := map[string]any{field: 32000}
			if wire == "chat" { // the test servers do not know it in the other protocols
				own["top_p"] = 0.5
			}
			host := &adapt.Host{Provider: "host", Model: "m", Header: map[string]string{"X-Title": "mine"}, Body: own}
			reply, err := host.Wrap(wires[wire](server.URL, host.Client(&http.Client{}))).Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}}, func(providers.Part) {})
			requests := server.Requests()
			last := requests[len(requests)-1]
			kept := last.Header.Get("X-Title") == "mine" && strings.Contains(string(last.Raw), `"top_p":0.5`) == (wire == "chat")
			if err != nil || reply.Text != "fine" || len(requests) != 2 || !kept || !strings.Contains(string(last.Raw), `"`+field+`":`+most) {
				t.Errorf("%s, %q: %v after %d requests: %s", wire, words, err, len(requests), last.Raw)
			}
		}
	}
}

// With a server that refuses several things one after the other, the third request succeeds.
func TestSeveralRefusalsTakeTwoFurtherRequests(t *testing.T) {
	refused := []string{"stream_options", "cache_control", "temperature", "prompt_cache_key", "reasoning_effort", "store"}
	question := providers.Question{System: "Be brief.", Tools: []providers.ToolSpec{{Name: "look", Doc: "Looks."}}, Messages: []messages.Message{
		{Role: messages.User, Text: "go"}, {Role: messages.User, Text: "now"},
	}}
	for wire, connect := range wires {
		t.Run(wire, func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				for _, field := range refused {
					if strings.Contains(string(request.Raw), `"`+field+`"`) {
						return modeltest.Status(400, `{"error":{"message":"Unknown field: `+field+`"}}`)
					}
				}
				if twice(string(request.Raw)) {
					return modeltest.Status(400, `{"error":{"message":"Conversation roles must alternate user/assistant"}}`)
				}
				return modeltest.Text("fine")
			})
			own := map[string]any{}
			switch wire { // the test servers know only the fields of the other protocols
			case "chat", "gemini":
				own = map[string]any{"temperature": 1, "prompt_cache_key": "k", "reasoning_effort": "low"}
			}
			host := &adapt.Host{Provider: "host", Model: "m", Body: own, Own: func(string) bool { return true }}
			model := host.Wrap(connect(server.URL, host.Client(&http.Client{Transport: &http.Transport{}})))
			reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
			if last := server.Requests(); err != nil || reply.Text != "fine" || len(last) > 3 || len(last[len(last)-1].Tools) != 1 {
				t.Errorf("%q, %v after %d requests", reply.Text, err, len(last))
			}
		})
	}
}

// If a server refuses one of many tools without naming it, the conversation finally loses only that
// tool, and no question takes more than one additional request.
func TestTheToolThatARefusalDoesNotNameIsFound(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if strings.Contains(string(request.Raw), `"mcp_6"`) {
			return modeltest.Status(400, `{"error":{"message":"JSON schema is invalid. It must match JSON Schema draft 2020-12"}}`)
		}
		return modeltest.Text("fine")
	})
	question := providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}, Tools: []providers.ToolSpec{{Name: "look", Doc: "Looks."}}}
	for _, n := range "0123456789" {
		question.Tools = append(question.Tools, providers.ToolSpec{Name: "mcp_" + string(n), Doc: "Odd."})
	}
	host := &adapt.Host{Provider: "host", Model: "m", Own: func(name string) bool { return name == "look" }}
	model := host.Wrap(wires["chat"](server.URL, host.Client(&http.Client{Transport: &http.Transport{}})))
	for range 12 {
		before := len(server.Requests())
		if reply, err := model.Respond(t.Context(), question, func(providers.Part) {}); err != nil || reply.Text != "fine" || len(server.Requests()) > before+2 {
			t.Fatalf("%q, %v after %d requests", reply.Text, err, len(server.Requests())-before)
		}
	}
	all := server.Requests()
	if last := all[len(all)-1]; len(last.Tools) != 10 || strings.Contains(string(last.Raw), "mcp_6") {
		t.Errorf("the tools at the end are %d of 11", len(last.Tools))
	}
}
