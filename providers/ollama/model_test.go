package ollama_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func model(t testing.TB, server *modeltest.Server) *ollama.Model {
	t.Helper()
	return open(t, ollama.Config{URL: server.URL, Model: "qwen3-coder:30b"})
}

func open(t testing.TB, config ollama.Config) *ollama.Model {
	t.Helper()
	if config.HTTP == nil {
		config.HTTP = &http.Client{Transport: &http.Transport{}}
	}
	model := ollama.New(config)
	t.Cleanup(func() { model.Close() })
	return model
}

func question(text string) providers.Question {
	return providers.Question{
		System: "Be brief.", Messages: []messages.Message{{Role: messages.User, Text: text}},
		Tools: []providers.ToolSpec{
			{Name: "tool_0", Doc: "Looks.", Schema: json.RawMessage(
				`{"type":"object","properties":{"path":{"type":"string","description":"a path","enum":["a","b"]},"n":{"type":"integer","minimum":1}},"required":["path"],"additionalProperties":false}`)},
			{Name: "tool_1", Doc: "Takes nothing.", Schema: json.RawMessage(`{"type":"object"}`)},
		},
	}
}

// ask returns the answer together with the emitted reasoning.
func ask(t *testing.T, model *ollama.Model, question providers.Question) (reply providers.Reply, thinking string, err error) {
	t.Helper()
	var text, thoughts strings.Builder
	reply, err = model.Respond(t.Context(), question, func(part providers.Part) {
		switch part.Kind {
		case providers.TextPart:
			text.WriteString(part.Text)
		case providers.ThinkingPart:
			thoughts.WriteString(part.Text)
		}
	})
	if text.String() != reply.Text {
		t.Errorf("emitted %.200q, reply %.200q", text.String(), reply.Text)
	}
	return reply, thoughts.String(), err
}

func answerOf(reply providers.Reply) string {
	var out strings.Builder
	out.WriteString(reply.Text)
	for _, call := range reply.Calls {
		fmt.Fprintf(&out, " %s[%s]%s", call.Name, call.ID, call.Args)
	}
	return out.String()
}

func TestAnswers(t *testing.T) {
	text := modeltest.Text("Hello", ", ", "wörld 👋")
	two := modeltest.Calls(modeltest.Call{Name: "tool_0", Args: `{"path":"å","n":2}`}, modeltest.Call{Name: "tool_1"})
	for _, test := range []struct {
		name, want string
		step       modeltest.Step
	}{
		{"plain", "Hello, wörld 👋", text},
		{"CRLF", "Hello, wörld 👋", text.WithFaults(modeltest.CRLF())},
		{"byte by byte", "Hello, wörld 👋", text.WithFaults(modeltest.Split(1))},
		{"gzip", "Hello, wörld 👋", text.WithFaults(modeltest.Gzip())},
		{"last line without end", "Hello, wörld 👋", text.WithFaults(modeltest.Unended())},
		{"unknown fields", "Hello, wörld 👋", text.WithFaults(modeltest.Strangers())},
		{"no usage", "Hello, wörld 👋", text.WithFaults(modeltest.NoUsage())},
		{"usage on each line", "Hello, wörld 👋", text.WithFaults(modeltest.UsageOnEach())},
		{"one body", "Hello, wörld 👋", text.WithFaults(modeltest.AtOnce())},
		{"a byte that is not UTF-8", "a\ufffdb", modeltest.Garbled("a", "b")},
		{"an empty answer", "", modeltest.Text()},
		{"calls", ` tool_0[call_0_0]{"path":"å","n":2} tool_1[call_0_1]{}`, two},
		{"one id for all", ` tool_0[call_0_0]{"path":"å","n":2} tool_1[call_0_0]{}`, two.WithFaults(modeltest.SameIDs())},
		{"text, then calls", `Hello, wörld 👋 tool_0[call_0_0]{"path":"å","n":2} tool_1[call_0_1]{}`, text.Append(two)},
	} {
		t.Run(test.name, func(t *testing.T) {
			reply, _, err := ask(t, model(t, modeltest.Start(t, test.step.WithFaults(modeltest.Tokens(300, 0, 2)))), question("hi"))
			if got := answerOf(reply); err != nil || got != test.want {
				t.Errorf("got %s %v, want %s", got, err, test.want)
			}
			if (reply.Finish == providers.Called) != (len(reply.Calls) > 0) || reply.Finish == providers.Cut {
				t.Errorf("finish %q", reply.Finish)
			}
			if reply.Usage.Known && (reply.Usage.Input != 300 || reply.Usage.Output != 2) {
				t.Errorf("usage %+v", reply.Usage)
			}
		})
	}
}

func TestMissingIDsAreMade(t *testing.T) {
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "tool_1"}, modeltest.Call{Name: "tool_1"}).WithFaults(modeltest.NoIDs()))
	reply, _, err := ask(t, model(t, server), question("hi"))
	if err != nil || len(reply.Calls) != 2 || reply.Calls[0].ID == "" || reply.Calls[0].ID == reply.Calls[1].ID {
		t.Errorf("%+v %v", reply, err)
	}
}

func TestThinkingIsKeptApart(t *testing.T) {
	server := modeltest.Start(t, modeltest.Think("let me ", "see").Append(modeltest.Text("42")))
	reply, thinking, err := ask(t, model(t, server), question("hi"))
	if err != nil || reply.Text != "42" || thinking != "let me see" {
		t.Errorf("%+v, thought %q, %v", reply, thinking, err)
	}
}

func TestRequestAsTheServerReadsIt(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	client := model(t, server)
	asked := question("look")
	asked.Messages = append(asked.Messages,
		messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "1", Name: "tool_0", Args: json.RawMessage(`{"path":"a"}`)}, {ID: "1", Name: "tool_1", Args: json.RawMessage(`{"bro`)}}},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "1", Text: "A"}})
	for range 2 {
		if _, _, err := ask(t, client, asked); err != nil {
			t.Fatal(err)
		}
	}
	requests := server.Requests()
	request := requests[0]
	if request.NumCtx != ollama.DefaultWindow || !request.Stream || !bytes.Contains(request.Raw, []byte(`"truncate":false`)) {
		t.Errorf("%s", request.Raw)
	}
	if got := request.Messages[3].Result; got.Name != "tool_0" || got.Call != "1" || got.Text != "A" {
		t.Errorf("first result: %+v", got)
	}
	if got := request.Messages[4].Result; got.Name != "tool_1" || got.Text != providers.EffectUnknown {
		t.Errorf("second result: %+v", got)
	}
	if got := string(request.Tools[0].Schema); !strings.Contains(got, `"path":{"type":"string","description":"a path","enum":["a","b"]}`) || !strings.Contains(got, `"required":["path"]`) {
		t.Errorf("schema: %s", got)
	}
	if !bytes.Equal(request.Raw, requests[1].Raw) {
		t.Error("equal questions made different bytes")
	}
}

func TestWindowIsClampedToTheModelsOwn(t *testing.T) {
	for _, test := range []struct{ models, configured, want int }{
		{4096, 0, 4096}, {131072, 0, ollama.DefaultWindow}, {131072, 65536, 65536}, {0, 0, ollama.DefaultWindow},
	} {
		server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") }).Context(test.models)
		client := open(t, ollama.Config{URL: server.URL, Model: "m", Window: test.configured})
		for range 2 {
			if _, _, err := ask(t, client, question("hi")); err != nil {
				t.Fatal(err)
			}
		}
		if got := server.Requests()[1].NumCtx; got != test.want {
			t.Errorf("%+v: num_ctx %d", test, got)
		}
		if paths := strings.Join(server.Paths(), " "); paths != "/api/show /api/chat /api/chat" {
			t.Errorf("asked %s", paths)
		}
	}
}

// TestSlowShowHoldsNothingUp has a busy server that describes its models late.
func TestSlowShowHoldsNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
		slow := &http.Client{Transport: roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.URL.Path == "/api/show" {
				<-request.Context().Done()
				return nil, request.Context().Err()
			}
			return client.Transport.RoundTrip(request)
		})}
		started := time.Now()
		reply, _, err := ask(t, ollama.New(ollama.Config{URL: server.URL, Model: "m", HTTP: slow}), question("hi"))
		if took := time.Since(started); err != nil || reply.Text != "ok" || took != 500*time.Millisecond {
			t.Errorf("%+v %v after %v", reply, err, took)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// TestBrokenStreams has streams for most of which ollama's client returns no error.
func TestBrokenStreams(t *testing.T) {
	text := modeltest.Text("Hello", " world")
	for _, test := range []struct {
		name string
		step modeltest.Step
		is   error
		says string
	}{
		{"no line with done", text.Append(modeltest.End()), providers.ErrCut, "without saying"},
		{"an end in the middle of a line", text.Append(modeltest.Bytes(`{"message":{"con`), modeltest.End()), providers.ErrCut, "without saying"},
		{"a dropped connection", text.Append(modeltest.Drop()), providers.ErrCut, "broke"},
		{"a dropped connection in a line", text.Append(modeltest.Bytes(`{"message":{"con`), modeltest.Drop()), providers.ErrCut, "broke"},
		{"a line of 9 MB", text.Append(modeltest.HugeLine(9 << 20)), providers.ErrCut, "longer than the limit of 8 MB"},
		{"broken JSON", text.Append(modeltest.Malformed()), providers.ErrMalformed, "bro"},
		{"an empty line", text.Append(modeltest.Bytes("\n")), providers.ErrMalformed, "line"},
		{"a line of another type", text.Append(modeltest.Raw(`{"message":7}`)), providers.ErrMalformed, "line"},
		{"an error in the stream", text.Append(modeltest.ErrorEvent("an error was encountered while running the model")), nil, "answered 500: an error was encountered"},
		{"an error on an open connection", text.Append(modeltest.ErrorEvent("out of memory"), modeltest.Hang()), nil, "out of memory"},
		{"a window error in the stream", text.Append(modeltest.ErrorEvent("the input length exceeds the context length")), providers.ErrTooLong, "context length"},
	} {
		t.Run(test.name, func(t *testing.T) {
			reply, _, err := ask(t, model(t, modeltest.Start(t, test.step)), question("hi"))
			if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %v and %q", err, test.is, test.says)
			}
			if reply.Text != "Hello world" || reply.Finish != providers.Cut {
				t.Errorf("kept %+v", reply)
			}
		})
	}
}

func TestErrorsSayTheNextStep(t *testing.T) {
	for _, test := range []struct {
		name   string
		step   modeltest.Step
		status int
		says   string
	}{
		{"unknown model", modeltest.Status(404, `{"error":"model 'qwen3-coder:30b' not found"}`), 404, "ollama pull qwen3-coder:30b"},
		{"not signed in", modeltest.Status(401, `{"error":"unauthorized","signin_url":"https://ollama.com/connect"}`), 401, "ollama signin"},
		{"busy", modeltest.Status(503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, "Retry-After", "3"), 503, "server busy"},
		{"empty", modeltest.Status(500, ""), 500, "Internal Server Error"},
		{"a page with an error", modeltest.Status(502, "<html>\n<body>Bad gateway", "Content-Type", "text/html"), 502, "Bad gateway"},
	} {
		_, _, err := ask(t, model(t, modeltest.Start(t, test.step)), question("hi"))
		status, ok := errors.AsType[*providers.StatusError](err)
		if !ok || status.Status != test.status || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.status == 503 && ok && status.RetryAfter != 3*time.Second {
			t.Errorf("retry after %v", status.RetryAfter)
		}
	}
	page := modeltest.Page("text/html", "<html><body>Sign in to the <b>hotel</b> network")
	if _, _, err := ask(t, model(t, modeltest.Start(t, page)), question("hi")); !errors.Is(err, providers.ErrMalformed) || !strings.Contains(err.Error(), "Sign in to the hotel network") {
		t.Error(err)
	}
	if _, _, err := ask(t, model(t, modeltest.Start(t).Window(10)), question("hi")); !errors.Is(err, providers.ErrTooLong) {
		t.Error(err)
	}
	for _, address := range []string{"", "localhost:11434", "ftp://x"} {
		if _, _, err := ask(t, open(t, ollama.Config{URL: address}), question("hi")); err == nil || !strings.Contains(err.Error(), "http://") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// closedAddress returns an address at which no server listens.
func closedAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return "http://" + listener.Addr().String()
}

func TestServerThatDoesNotRun(t *testing.T) {
	address := closedAddress(t)
	_, _, err := ask(t, open(t, ollama.Config{URL: address, Model: "m"}), question("hi"))
	if !errors.Is(err, providers.ErrUnreachable) || !strings.Contains(err.Error(), "ollama serve") || !strings.Contains(err.Error(), strings.TrimPrefix(address, "http://")) {
		t.Error(err)
	}
}

func TestReachable(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("") })
	if !ollama.Reachable(t.Context(), server.URL, client) {
		t.Error("a server that runs is not reachable")
	}
	for _, address := range []string{closedAddress(t), "", "nonsense"} {
		if ollama.Reachable(t.Context(), address, client) {
			t.Errorf("%q is reachable", address)
		}
	}
}

func TestCancelReturnsItsCause(t *testing.T) {
	for name, step := range map[string]modeltest.Step{
		"in the stream":   modeltest.Text("half").Append(modeltest.Hang()),
		"while it thinks": modeltest.EndlessThinking(),
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		reply, err := model(t, modeltest.Start(t, step)).Respond(ctx, question("hi"), func(providers.Part) { cancel(providers.ErrSilent) })
		if !errors.Is(err, providers.ErrSilent) || name == "in the stream" && reply.Text != "half" {
			t.Errorf("%s: %+v %v", name, reply, err)
		}
	}
}

func TestOpenConnectionBehindTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step {
			return modeltest.Text("hello").WithFaults(modeltest.KeepOpen())
		})
		started := time.Now()
		reply, _, err := ask(t, ollama.New(ollama.Config{URL: server.URL, Model: "m", HTTP: client}), question("hi"))
		if took := time.Since(started); err != nil || reply.Text != "hello" || took > 100*time.Millisecond {
			t.Errorf("%+v %v after %v", reply, err, took)
		}
	})
}

// An answer without text that ends because of its length had no room in the window, unless it
// reached the user's limit for answers.
func TestAnAnswerWithoutAWordHadNoRoom(t *testing.T) {
	for most, full := range map[int]bool{0: true, 500: true, 7: false} {
		server := modeltest.Start(t, modeltest.Text().WithFaults(modeltest.Finish("length"), modeltest.Tokens(40, 0, 7)))
		model := open(t, ollama.Config{URL: server.URL, Model: "m", About: providers.About{Asked: most}})
		reply, _, err := ask(t, model, question("go"))
		if errors.Is(err, providers.ErrTooLong) != full || !full && (err != nil || reply.Finish != providers.Length) {
			t.Errorf("with answers of %d tokens: %+v, %v", most, reply, err)
		}
	}
}
