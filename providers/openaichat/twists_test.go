package openaichat_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
)

func countDials(count *int) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		*count++
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

// TestTwists has each form of an answer that was seen from a server, with the expected result. The
// rows are those of ../../../shared/facts/dependencies.md section 3 and the fault list at the end
// of peers.md.
func TestTwists(t *testing.T) {
	text := modeltest.Text("Hello", ", ", "wörld 👋")
	one := modeltest.Calls(modeltest.Call{Name: "tool_0", Args: `{"path":"å.go","n":2}`})
	two := modeltest.Calls(modeltest.Call{Name: "tool_0", Args: `{"path":"a.go"}`}, modeltest.Call{Name: "tool_0", Args: `{"path":"b.go"}`})
	const (
		said   = "Hello, wörld 👋"
		called = `tool_0[call_0_0]{"path":"å.go","n":2}`
		both   = `tool_0[call_0_0]{"path":"a.go"} tool_0[call_0_1]{"path":"b.go"}`
		noIDs  = `tool_0[]{"path":"a.go"} tool_0[]{"path":"b.go"}`
	)
	for _, test := range []struct {
		name string
		step modeltest.Step
		want string // text, then calls
	}{
		{"plain", text, said},
		{"comments between events", text.WithFaults(modeltest.Pings()), said},
		{"CRLF", text.WithFaults(modeltest.CRLF()), said},
		{"no space behind data:", text.WithFaults(modeltest.NoSpace()), said},
		{"event, id and retry lines", text.WithFaults(modeltest.EventLines()), said},
		{"data over several lines", text.WithFaults(modeltest.MultiLine()), said},
		{"byte order mark", text.WithFaults(modeltest.ByteOrderMark()), said},
		{"byte by byte", text.WithFaults(modeltest.Split(1)), said},
		{"seven bytes at a time, CRLF", text.WithFaults(modeltest.Split(7), modeltest.CRLF()), said},
		{"gzip", text.WithFaults(modeltest.Gzip()), said},
		{"last event without blank line", text.WithFaults(modeltest.NoDone(), modeltest.Unended()), said},
		{"[DONE] without line end", text.WithFaults(modeltest.Unended()), said},
		{"no [DONE]", text.WithFaults(modeltest.NoDone()), said},
		{"[DONE] but no finish reason", text.Append(modeltest.Raw("[DONE]"), modeltest.End()), said},
		{"no role", text.WithFaults(modeltest.NoRole()), said},
		{"no usage", text.WithFaults(modeltest.NoUsage()), said},
		{"usage on each event", text.WithFaults(modeltest.UsageOnEach()), said},
		{"changing ids", text.WithFaults(modeltest.ChangingIDs()), said},
		{"null and empty choices and deltas", text.WithFaults(modeltest.Nulls()), said},
		{"null error", text.WithFaults(modeltest.NullError()), said},
		{"unknown events and fields", text.WithFaults(modeltest.Strangers()), said},
		{"one body instead of a stream", text.WithFaults(modeltest.AtOnce()), said},
		{"one body with calls", two.WithFaults(modeltest.AtOnce()), both},
		{"one body, called a stream", modeltest.Page("text/event-stream", `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`), "hi"},
		{"a stream, called text", text.WithFaults(modeltest.ContentType("text/plain")), said},
		{"a stream, called nothing we know", text.WithFaults(modeltest.ContentType("binary/octet-stream")), said},
		{"a stream, called JSON", text.WithFaults(modeltest.ContentType("application/json"), modeltest.Split(1)), said},
		{"one body behind blanks", modeltest.Page("application/json", "\n \n"+`{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`), "hi"},
		{"content in parts", modeltest.Raw(`{"choices":[{"delta":{"content":[{"type":"thinking"},{"type":"text","text":"hi"}]}}]}`).Append(modeltest.Text("!")), "hi!"},
		{"fields of other types", modeltest.Raw(`{"id":7,"model":3,"usage":"none","choices":[{"index":"0","delta":{"content":"hi","role":1,"reasoning":{}},"finish_reason":0}]}`).Append(modeltest.Text("!")), "hi!"},
		{"a refusal", modeltest.Raw(`{"choices":[{"delta":{"refusal":"I must not."}}]}`), "I must not."},
		{"an index that led nowhere", modeltest.Raw(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_7"}]}}]}`).Append(modeltest.Text("hi")), "hi"},
		{"arguments of no name", modeltest.Raw(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_7","function":{"arguments":"{}"}}]}}]}`).Append(modeltest.Text("hi")), "hi [call_7]{}"},
		{"an empty answer", modeltest.Text(), ""},
		{"think tags are text", modeltest.Text("<think>x</think>", "y"), "<think>x</think>y"},
		{"a byte that is not UTF-8", modeltest.Garbled("a", "b"), "a\ufffdb"},
		{"one event of 8 MB", modeltest.HugeLine(8 << 20), strings.Repeat("x", 8<<20)},
		{"empty data", modeltest.Bytes("data:\n\ndata: \n\n").Append(text), said},

		{"a call in pieces", one, called},
		{"a call in one piece", one.WithFaults(modeltest.Pieces(1)), called},
		{"a call letter by letter", one.WithFaults(modeltest.Pieces(100)), called},
		{"two calls", two, both},
		{"two calls, interleaved", two.WithFaults(modeltest.Interleaved()), both},
		{"two calls, interleaved, letter by letter", two.WithFaults(modeltest.Interleaved(), modeltest.Pieces(100)), both},
		{"no index", two.WithFaults(modeltest.NoIndex()), both},
		{"no index, one piece", two.WithFaults(modeltest.NoIndex(), modeltest.Pieces(1)), both},
		{"no index, names repeated", two.WithFaults(modeltest.NoIndex(), modeltest.RepeatedNames()), both},
		{"neither index nor id, one piece", two.WithFaults(modeltest.NoIndex(), modeltest.NoIDs(), modeltest.Pieces(1)), noIDs},
		{"neither index nor id", two.WithFaults(modeltest.NoIndex(), modeltest.NoIDs()), noIDs},
		{"neither index nor id, names repeated", two.WithFaults(modeltest.NoIndex(), modeltest.NoIDs(), modeltest.RepeatedNames()), noIDs},
		{"no id", two.WithFaults(modeltest.NoIDs(), modeltest.Interleaved()), noIDs},
		{"index -1", two.WithFaults(modeltest.Index("-1")), both},
		{"index null", two.WithFaults(modeltest.Index("null")), both},
		{"index in a string", one.WithFaults(modeltest.Index(`"1"`)), called},
		{"index always 0", two.WithFaults(modeltest.Index("0")), both},
		{"index always 0, no id", two.WithFaults(modeltest.Index("0"), modeltest.NoIDs()), noIDs},
		{"names repeated", two.WithFaults(modeltest.RepeatedNames(), modeltest.Interleaved()), both},
		{"one id for all", two.WithFaults(modeltest.SameIDs()), `tool_0[call_0_0]{"path":"a.go"} tool_0[call_0_0]{"path":"b.go"}`},
		{"one id for all, no index", two.WithFaults(modeltest.SameIDs(), modeltest.NoIndex(), modeltest.Pieces(1)), `tool_0[call_0_0]{"path":"a.go"} tool_0[call_0_0]{"path":"b.go"}`},
		{"arguments as an object", two.WithFaults(modeltest.ObjectArguments()), both},
		{"arguments encoded twice", one.WithFaults(modeltest.DoubleArguments()), `tool_0[call_0_0]"{\"path\":\"å.go\",\"n\":2}"`},
		{"broken arguments", modeltest.Calls(modeltest.Call{Name: "tool_0", Args: `{"path":`}), `tool_0[call_0_0]{"path":`},
		{"no arguments", modeltest.Calls(modeltest.Call{Name: "tool_0", Args: ""}), `tool_0[call_0_0]`},
		{"an index that led nowhere", modeltest.Raw(`{"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}`).Append(one.WithFaults()), called},
		{"the whole call again behind its pieces", one.Append(modeltest.Raw(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_0_0","function":{"name":"tool_0","arguments":"{\"path\":\"å.go\",\"n\":2}"}}]}}]}`)), called},
		{"an unknown tool", modeltest.Calls(modeltest.Call{Name: "nonsense", Args: "{}"}), `nonsense[call_0_0]{}`},
		{"text, then calls", text.Append(one), said + " " + called},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := modeltest.Start(t, test.step.WithFaults(modeltest.Tokens(10, 0, 2)))
			var got parts
			reply, err := model(t, server).Respond(t.Context(), question("hi"), got.emit)
			if err != nil {
				t.Fatal(err)
			}
			if text := answerOf(reply); text != test.want {
				t.Errorf("got  %.500s\nwant %.500s", text, test.want)
			}
			if got.text.String() != reply.Text {
				t.Errorf("emitted %.200q, reply %.200q", got.text.String(), reply.Text)
			}
			if reply.Finish == providers.Cut || (reply.Finish == providers.Called) != (len(reply.Calls) > 0) {
				t.Errorf("finish %q", reply.Finish)
			}
			if reply.Usage.Known && (reply.Usage.Input != 10 || reply.Usage.Output != 2) {
				t.Errorf("usage %+v", reply.Usage)
			}
		})
	}
}

// answerOf writes text and calls in one line.
func answerOf(reply providers.Reply) string {
	var out strings.Builder
	out.WriteString(reply.Text)
	for _, call := range reply.Calls {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		fmt.Fprintf(&out, "%s[%s]%s", call.Name, call.ID, call.Args)
	}
	return out.String()
}

func TestReasoningIsNeverText(t *testing.T) {
	for _, field := range []string{"reasoning_content", "reasoning", "reasoning_details"} {
		server := modeltest.Start(t, modeltest.Think("secret ", "thought").Append(modeltest.Text("answer")).WithFaults(modeltest.ThinkField(field)))
		var got parts
		reply, err := model(t, server).Respond(t.Context(), question("hi"), got.emit)
		if err != nil || reply.Text != "answer" || got.thinking.String() != "secret thought" {
			t.Errorf("%s: %+v, thought %q, %v", field, reply, got.thinking.String(), err)
		}
	}
}

func TestFinishReasons(t *testing.T) {
	for reason, want := range map[string]providers.Finish{
		"stop": providers.Stopped, "length": providers.Length, "max_tokens": providers.Length,
		"content_filter": providers.Filtered, "end_turn": providers.Stopped, "something new": providers.Stopped,
	} {
		server := modeltest.Start(t, modeltest.Text("x").WithFaults(modeltest.Finish(reason)))
		if reply, err := model(t, server).Respond(t.Context(), question("hi"), func(providers.Part) {}); err != nil || reply.Finish != want {
			t.Errorf("%s: %q %v, want %q", reason, reply.Finish, err, want)
		}
	}
}

// TestCutArgumentsAreNotAFinishedCall checks that the caller can tell.
func TestCutArgumentsAreNotAFinishedCall(t *testing.T) {
	server := modeltest.Start(t,
		modeltest.Calls(modeltest.Call{Name: "tool_0", Args: `{"path":"a`}).WithFaults(modeltest.Finish("length")),
		modeltest.Calls(modeltest.Call{Name: "tool_0", Args: `{"path":"a.go"}`}).Append(modeltest.End()))
	client := model(t, server)
	reply, err := client.Respond(t.Context(), question("hi"), func(providers.Part) {})
	if err != nil || reply.Finish != providers.Length {
		t.Errorf("%+v %v", reply, err)
	}
	reply, err = client.Respond(t.Context(), question("hi"), func(providers.Part) {})
	if !errors.Is(err, providers.ErrCut) || reply.Finish != providers.Cut || len(reply.Calls) != 1 {
		t.Errorf("%+v %v", reply, err)
	}
}

func TestBrokenStreamsKeepWhatCame(t *testing.T) {
	text := modeltest.Text("Hello", " world")
	read := make(chan struct{})
	for _, test := range []struct {
		name string
		step modeltest.Step
		is   error
		says string
	}{
		{"a clean end without finish reason", text.Append(modeltest.End()), providers.ErrCut, "without saying"},
		{"an end in the middle of an event", text.Append(modeltest.Bytes(`data: {"choices":[{"delta":{"con`), modeltest.End()), providers.ErrCut, ""},
		{"a dropped connection", text.Append(modeltest.Drop()), providers.ErrCut, "broke"},
		{"a dropped connection in an event", text.Append(modeltest.Bytes(`data: {"choices":[{"delta":{"con`), modeltest.Drop()), providers.ErrCut, "broke"},
		{"a reset connection", text.Append(modeltest.Pause(read), modeltest.Reset()), providers.ErrCut, "broke"},
		{"broken JSON, then the end", text.Append(modeltest.Malformed(), modeltest.End()), providers.ErrCut, "without saying"},
		{"an error event", text.Append(modeltest.ErrorEvent("the model is on fire")), nil, "the model is on fire (server_error)"},
		{"an error event on an open connection", text.Append(modeltest.ErrorEvent("on fire"), modeltest.Hang()), nil, "answered 502: on fire"},
		{"an error with a code", text.Append(modeltest.Raw(`{"error":{"code":429,"message":"slow down"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`)), nil, "answered 429: slow down"},
		{"an error with a type", text.Append(modeltest.Raw(`{"error":{"type":"rate_limit_error","message":"slow down"}}`)), nil, "answered 429: slow down"},
		{"an error without words", text.Append(modeltest.Raw(`{"choices":[{"delta":{},"finish_reason":"error"}]}`)), nil, "answered 502"},
		{"an error that is a string", text.Append(modeltest.Raw(`{"error":"no memory"}`)), nil, "answered 502: no memory"},
		{"an error as vLLM writes it", text.Append(modeltest.Raw(`{"object":"error","message":"no memory","code":500}`)), nil, "answered 500: no memory"},
		{"a window error in the stream", text.Append(modeltest.Raw(`{"error":{"code":"context_length_exceeded","message":"too much"}}`)), providers.ErrTooLong, "too much"},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := modeltest.Start(t, test.step)
			var got parts
			reply, err := model(t, server).Respond(t.Context(), question("hi"), func(part providers.Part) {
				got.emit(part)
				if got.text.String() == "Hello world" && strings.Contains(test.name, "reset") {
					close(read)
				}
			})
			if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), key) {
				t.Errorf("error %v, want %v and %q", err, test.is, test.says)
			}
			if _, isStatus := errors.AsType[*providers.StatusError](err); test.is == nil && !isStatus {
				t.Errorf("not a StatusError: %T", err)
			}
			if reply.Text != "Hello world" || reply.Finish != providers.Cut {
				t.Errorf("kept %+v", reply)
			}
		})
	}
}

func TestPagesInsteadOfAnswers(t *testing.T) {
	page := "<html><head><title>Login</title></head><body>Sign in to the <b>hotel</b> network</body></html>"
	for _, test := range []struct {
		name string
		step modeltest.Step
		says []string
	}{
		{"HTML", modeltest.Page("text/html; charset=utf-8", page), []string{"text/html", "Login", "hotel", "check the server's address"}},
		{"HTML, called a stream", modeltest.Page("text/event-stream", page), []string{"hotel"}},
		{"text", modeltest.Page("text/plain", "no healthy upstream"), []string{"text/plain", "no healthy upstream"}},
		{"JSON without an answer", modeltest.Page("application/json", `{"status":"ok","key":"`+key+`"}`), []string{"application/json", "status", "[key]"}},
		{"JSON that breaks off", modeltest.Page("application/json", `{"choices":[{"mess`), []string{"application/json"}},
	} {
		server := modeltest.Start(t, test.step)
		_, err := model(t, server).Respond(t.Context(), question("hi"), func(providers.Part) {})
		if !errors.Is(err, providers.ErrMalformed) || strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "<b>") {
			t.Errorf("%s: %v", test.name, err)
		}
		for _, want := range test.says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v does not say %s", test.name, err, want)
			}
		}
	}
	for name, step := range map[string]modeltest.Step{
		"nothing":         modeltest.Page("text/event-stream", ""),
		"nothing as JSON": modeltest.Page("application/json", "\n"),
	} {
		server := modeltest.Start(t, step)
		if _, err := model(t, server).Respond(t.Context(), question("hi"), func(providers.Part) {}); !errors.Is(err, providers.ErrCut) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStatusErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		step modeltest.Step
		want providers.StatusError
	}{
		{
			"Retry-After in seconds", modeltest.Status(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, "Retry-After", "7"),
			providers.StatusError{Status: 429, Message: "slow down (rate_limit_exceeded)", RetryAfter: 7 * time.Second},
		},
		{"Gemini's list", modeltest.Status(429, `[{"error":{"code":429,"message":"exhausted"}}]`), providers.StatusError{Status: 429, Message: "exhausted"}},
		{"a page", modeltest.Status(502, "<html><body>Bad gateway", "Content-Type", "text/html"), providers.StatusError{Status: 502, Message: "Bad gateway"}},
		{"empty", modeltest.Status(429, ""), providers.StatusError{Status: 429}},
		{"the key in the text", modeltest.Status(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`), providers.StatusError{Status: 401, Message: "Incorrect API key provided: [key]"}},
		{"overloaded", modeltest.Status(529, `{"error":{"message":"overloaded"}}`), providers.StatusError{Status: 529, Message: "overloaded"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := modeltest.Start(t, test.step)
			_, err := model(t, server).Respond(t.Context(), question("hi"), func(providers.Part) {})
			status, ok := errors.AsType[*providers.StatusError](err)
			test.want.Provider = "groq"
			if !ok || *status != test.want {
				t.Errorf("%#v, want %#v", err, test.want)
			}
			if len(server.Requests()) != 1 {
				t.Errorf("%d requests", len(server.Requests()))
			}
		})
	}
	server := modeltest.Start(t).Window(100)
	if _, err := model(t, server).Respond(t.Context(), question(strings.Repeat("word ", 100)), func(providers.Part) {}); !errors.Is(err, providers.ErrTooLong) {
		t.Error(err)
	}
}

func TestUnreachableServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	client := open(t, openaichat.Config{Provider: "openai-compat", BaseURL: "http://" + address + "/v1?key=hidden", Key: key, Model: "m"})
	_, err = client.Respond(t.Context(), question("hi"), func(providers.Part) {})
	if !errors.Is(err, providers.ErrUnreachable) || !strings.Contains(err.Error(), address) || strings.Contains(err.Error(), "hidden") || !strings.Contains(err.Error(), "check that the server is running") {
		t.Error(err)
	}
}

// TestOpenConnectionsBehindTheAnswer: a server that never closes the connection costs 100 ms after
// [DONE] and 500 ms after a finish reason, not the silence limit.
func TestOpenConnectionsBehindTheAnswer(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults []modeltest.Fault
		most   time.Duration
	}{
		{"[DONE]", []modeltest.Fault{modeltest.KeepOpen()}, 100 * time.Millisecond},
		{"finish reason", []modeltest.Fault{modeltest.KeepOpen(), modeltest.NoDone()}, 500 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step {
					return modeltest.Text("hello").WithFaults(test.faults...)
				})
				started := time.Now()
				model := openaichat.New(openaichat.Config{Provider: "groq", BaseURL: server.URL + "/v1", Key: key, Model: "m", HTTP: client})
				reply, err := model.Respond(t.Context(), question("hi"), func(providers.Part) {})
				if err != nil || reply.Text != "hello" || reply.Finish != providers.Stopped || !reply.Usage.Known {
					t.Errorf("%+v %v", reply, err)
				}
				if took := time.Since(started); took > test.most {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}

func TestManyClientsAtOnce(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		return modeltest.Text("you said ", request.Last().Text)
	})
	client := model(t, server)
	failed := make(chan error, 32)
	for i := range 32 {
		go func() {
			text := fmt.Sprint("hello ", i)
			reply, err := client.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: text}}}, func(providers.Part) {})
			if err == nil && reply.Text != "you said "+text {
				err = fmt.Errorf("%s got %s", text, reply.Text)
			}
			failed <- err
		}()
	}
	for range 32 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	if got := len(server.Requests()); got != 32 {
		t.Errorf("%d requests", got)
	}
}
