package openaichat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-test-0123456789"

// model is a client of a server, closed with the test.
func model(t testing.TB, server *modeltest.Server) *openaichat.Model {
	t.Helper()
	return open(t, openaichat.Config{Provider: "groq", BaseURL: server.URL + "/v1", Key: key, Model: "test-model"})
}

func open(t testing.TB, config openaichat.Config) *openaichat.Model {
	t.Helper()
	if config.HTTP == nil {
		config.HTTP = &http.Client{Transport: &http.Transport{}}
	}
	model := openaichat.New(config)
	t.Cleanup(func() { model.Close() })
	return model
}

func question(text string) providers.Question {
	return providers.Question{System: "Be brief.", Messages: []messages.Message{{Role: messages.User, Text: text}}, Tools: specs(1)}
}

func specs(n int) []providers.ToolSpec {
	tools := make([]providers.ToolSpec, n)
	for i := range tools {
		tools[i] = providers.ToolSpec{
			Name: fmt.Sprintf("tool_%d", i), Doc: "Does <something> & returns it.",
			Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"a path"},"n":{"type":"integer","minimum":1,"maximum":20,"default":3}},"required":["path"],"additionalProperties":false}`),
		}
	}
	return tools
}

// parts collects the emitted text by kind.
type parts struct{ text, thinking, calling strings.Builder }

func (p *parts) emit(part providers.Part) {
	switch part.Kind {
	case providers.TextPart:
		p.text.WriteString(part.Text)
	case providers.ThinkingPart:
		p.thinking.WriteString(part.Text)
	case providers.CallingPart:
		fmt.Fprintf(&p.calling, "%s.", part.Text)
	}
}

func TestAnswerStreams(t *testing.T) {
	server := modeltest.Start(t, modeltest.Think("hm, ", "well").Append(modeltest.Text("Hello", ", ", "<wörld>")).WithFaults(modeltest.Tokens(120, 100, 7), modeltest.NamedModel("test-model-0711")))
	var got parts
	reply, err := model(t, server).Respond(t.Context(), question("hi"), got.emit)
	if err != nil {
		t.Fatal(err)
	}
	if reply.Text != "Hello, <wörld>" || got.text.String() != reply.Text || got.thinking.String() != "hm, well" {
		t.Errorf("reply %q, emitted %q, thought %q", reply.Text, got.text.String(), got.thinking.String())
	}
	if want := (providers.Usage{Input: 120, Cached: 100, Output: 7, Known: true}); reply.Usage != want || reply.Finish != providers.Stopped || reply.Model != "test-model-0711" {
		t.Errorf("%+v", reply)
	}
}

func TestRequestAsTheServerReadsIt(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("ok"))
	if _, err := model(t, server).Respond(t.Context(), providers.Question{
		System: "Be brief.",
		Messages: []messages.Message{
			{Role: messages.User, Text: "a <b> & \"c\""},
			{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "1", Name: "tool_0", Args: json.RawMessage(`{"path":"a"}`)}, {ID: "2", Name: "tool_0", Args: json.RawMessage(`{"path":"b"}`)}}},
			{Role: messages.Tool, Result: messages.ToolResult{Call: "1", Name: "tool_0", Text: "A"}},
			{Role: messages.Tool, Result: messages.ToolResult{Call: "2", Name: "tool_0", Text: "B"}},
			{Role: messages.Assistant, Text: "Both are there."},
			{Role: messages.User, Text: "thanks"},
		},
		Tools: specs(2),
	}, func(providers.Part) {}); err != nil {
		t.Fatal(err)
	}
	request := server.Requests()[0]
	begins := `{"model":"test-model","stream":true,"stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"tool_0","description":"Does `
	ends := `,"messages":[{"content":"Be brief.","role":"system"},{"content":"a <b> & \"c\"","role":"user"},` +
		`{"content":null,"tool_calls":[{"id":"1","function":{"arguments":"{\"path\":\"a\"}","name":"tool_0"},"type":"function"},{"id":"2","function":{"arguments":"{\"path\":\"b\"}","name":"tool_0"},"type":"function"}],"role":"assistant"},` +
		`{"content":"A","tool_call_id":"1","role":"tool"},{"content":"B","tool_call_id":"2","role":"tool"},{"content":"Both are there.","role":"assistant"},{"content":"thanks","role":"user"}]}`
	if !strings.HasPrefix(string(request.Raw), begins) || !strings.HasSuffix(string(request.Raw), ends) {
		t.Errorf("got  %s\nwant %s…%s", request.Raw, begins, ends)
	}
	if !request.Stream || !request.Usage || len(request.Tools) != 2 || request.Header.Get("Authorization") != "Bearer "+key {
		t.Errorf("%+v", request)
	}
	if !bytes.Equal(request.Tools[1].Schema, specs(2)[1].Schema) || request.Tools[1].Doc != specs(2)[1].Doc {
		t.Errorf("the tool changed: %s", request.Tools[1].Schema)
	}
}

// TestEqualQuestionsEqualBytes checks the property on which providers' caches depend.
func TestEqualQuestionsEqualBytes(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	client := model(t, server)
	asked := question("first")
	asked.Tools = specs(30)
	ask := func() {
		if _, err := client.Respond(t.Context(), asked, func(providers.Part) {}); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	ask()
	asked.Messages = append(asked.Messages,
		messages.Message{Role: messages.Assistant, Text: "I look", Calls: []messages.ToolCall{{ID: "c", Name: "tool_3"}}},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "c", Text: "found"}},
		messages.Message{Role: messages.User, Text: "second"})
	ask()
	requests := server.Requests()
	if !bytes.Equal(requests[0].Raw, requests[1].Raw) {
		t.Errorf("equal questions differ:\n%s\n%s", requests[0].Raw, requests[1].Raw)
	}
	short, longer := fields(t, requests[1].Raw), fields(t, requests[2].Raw)
	if beginning := bytes.TrimSuffix(short["messages"], []byte("]")); !bytes.HasPrefix(longer["messages"], beginning) {
		t.Errorf("%s\ndoes not begin with\n%s", longer["messages"], beginning)
	}
	if !bytes.Equal(short["tools"], longer["tools"]) {
		t.Error("the tools changed")
	}
}

func fields(t *testing.T, raw []byte) map[string]json.RawMessage {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestBrokenHistoryIsSentRepaired(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("ok"))
	asked := question("and now?")
	asked.Messages = append([]messages.Message{
		{Role: messages.Tool, Result: messages.ToolResult{Call: "gone", Text: "x"}},
		{Role: messages.User, Text: "half \xf0\x9f"},
		{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: strings.Repeat("i", 50), Name: "tool_0", Args: json.RawMessage(`{"pa`)}, {Name: "tool_0"}}},
		{Role: messages.Assistant},
	}, asked.Messages...)
	if _, err := model(t, server).Respond(t.Context(), asked, func(providers.Part) {}); err != nil {
		t.Fatal(err)
	}
	if got := server.Requests()[0].Messages; len(got) != 6 || got[3].Result.Text != providers.EffectUnknown {
		t.Errorf("%+v", got)
	}
}

// TestSignatureGoesBackToItsProviderOnly: Gemini 3 refuses a call without its thought signature,
// other servers refuse the field (https://ai.google.dev/gemini-api/docs/thought-signatures).
func TestSignatureGoesBackToItsProviderOnly(t *testing.T) {
	const signature = `{"google":{"thought_signature":"c2lnbg=="}}`
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "tool_0", Args: `{"path":"a"}`}).WithFaults(modeltest.Signature(signature), modeltest.NoIndex(), modeltest.Pieces(1)),
		modeltest.Text("ok"), modeltest.Text("ok"))
	gemini := open(t, openaichat.Config{Provider: "gemini", BaseURL: server.URL + "/v1", Key: key, Model: "m"})
	asked := question("look")
	reply, err := gemini.Respond(t.Context(), asked, func(providers.Part) {})
	if err != nil || len(reply.Calls) != 1 || string(reply.Calls[0].Opaque) != signature || reply.Calls[0].Origin != "gemini" {
		t.Fatalf("%+v %v", reply, err)
	}
	asked.Messages = append(asked.Messages, messages.Message{Role: messages.Assistant, Calls: reply.Calls},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: reply.Calls[0].ID, Text: "A"}})
	for _, client := range []*openaichat.Model{gemini, model(t, server)} {
		if _, err := client.Respond(t.Context(), asked, func(providers.Part) {}); err != nil {
			t.Fatal(err)
		}
	}
	requests := server.Requests()
	if got := requests[1].Messages[2].Calls[0].Opaque; string(got) != signature {
		t.Errorf("gemini got %s back", got)
	}
	if bytes.Contains(requests[2].Raw, []byte("thought_signature")) {
		t.Errorf("another provider got it: %s", requests[2].Raw)
	}
}

func TestBaseURLMayBeTheEndpoint(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	for _, suffix := range []string{"/v1", "/v1/", "/v1/chat/completions", "/v1/chat/completions/", "/v1/chat/completions?api-version=2024&x=%20y"} {
		client := open(t, openaichat.Config{Provider: "openai-compat", BaseURL: server.URL + suffix, Key: key, Model: "m"})
		if _, err := client.Respond(t.Context(), question("hi"), func(providers.Part) {}); err != nil {
			t.Errorf("%s: %v", suffix, err)
		}
	}
	for _, path := range server.Paths() {
		if path != "/v1/chat/completions" {
			t.Errorf("asked %s", path)
		}
	}
}

func TestQueryOfTheBaseURLIsSent(t *testing.T) {
	asked := make(chan string, 1)
	client := open(t, openaichat.Config{Provider: "azure", BaseURL: "http://azure.test/deployments/d?api-version=2024", Key: key, Model: "m", HTTP: &http.Client{
		Transport: roundTrip(func(request *http.Request) (*http.Response, error) {
			asked <- request.URL.String()
			return nil, errors.New("enough")
		}),
	}})
	_, err := client.Respond(t.Context(), question("hi"), func(providers.Part) {})
	if !errors.Is(err, providers.ErrUnreachable) {
		t.Error(err)
	}
	if got, want := <-asked, "http://azure.test/deployments/d/chat/completions?api-version=2024"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func TestBadAddressSaysWhatToDo(t *testing.T) {
	for _, address := range []string{"", "localhost:8080/v1", "ftp://x", "http://", "::"} {
		_, err := open(t, openaichat.Config{Provider: "openai-compat", BaseURL: address}).Respond(t.Context(), question("hi"), func(providers.Part) {})
		if err == nil || !strings.Contains(err.Error(), "http://") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// TestEnvironmentIsNotRead: openai.NewClient would send OpenAI's key and organization to any base
// URL.
func TestEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-other")
	t.Setenv("OPENAI_ORG_ID", "org-other")
	t.Setenv("OPENAI_BASE_URL", "http://other.invalid")
	server := modeltest.Start(t, modeltest.Text("ok")).Keyless()
	client := open(t, openaichat.Config{Provider: "openai-compat", BaseURL: server.URL + "/v1", Model: "m"})
	if _, err := client.Respond(t.Context(), question("hi"), func(providers.Part) {}); err != nil {
		t.Fatal(err)
	}
	if header := server.Requests()[0].Header; header.Get("Authorization") != "" || header.Get("OpenAI-Organization") != "" {
		t.Errorf("sent %v", header)
	}
}

func TestCancelReturnsItsCause(t *testing.T) {
	gate := make(chan struct{})
	for name, step := range map[string]modeltest.Step{
		"before the headers": modeltest.Text("x").WithFaults(modeltest.SlowHeaders(gate)),
		"in the stream":      modeltest.Text("half").Append(modeltest.Hang()),
		"while it thinks":    modeltest.EndlessThinking(),
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step {
				if strings.HasPrefix(name, "before") {
					cancel(providers.ErrSilent)
				}
				return step
			})
			reply, err := model(t, server).Respond(ctx, question("hi"), func(part providers.Part) { cancel(providers.ErrSilent) })
			if !errors.Is(err, providers.ErrSilent) {
				t.Errorf("%v", err)
			}
			if name == "in the stream" && reply.Text != "half" {
				t.Errorf("lost what came: %+v", reply)
			}
		})
	}
}

func TestConnectionIsUsedAgain(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	dialled := 0
	transport := &http.Transport{DialContext: countDials(&dialled)}
	client := open(t, openaichat.Config{Provider: "groq", BaseURL: server.URL + "/v1", Key: key, Model: "m", HTTP: &http.Client{Transport: transport}})
	for range 3 {
		if _, err := client.Respond(t.Context(), question("hi"), func(providers.Part) {}); err != nil {
			t.Fatal(err)
		}
	}
	if dialled != 1 {
		t.Errorf("%d connections for 3 answers", dialled)
	}
}
