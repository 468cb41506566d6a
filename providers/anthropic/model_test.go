package anthropic_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/anthropic"
	"marvin/providers/modeltest"
)

func model(t *testing.T, server *modeltest.Server, about providers.About) *anthropic.Model {
	t.Helper()
	made := anthropic.New(anthropic.Config{Provider: "claude", BaseURL: server.URL + "/v1", Key: "sk-ant-secret-key", Model: "claude-sonnet-4-6", HTTP: &http.Client{Transport: &http.Transport{}}, About: about})
	t.Cleanup(func() { _ = made.Close() })
	return made
}

func question(text string) providers.Question {
	return providers.Question{System: "Be brief.", Messages: []messages.Message{{Role: messages.User, Text: text}}, Tools: []providers.ToolSpec{{Name: "look"}}}
}

// ask returns the reply and the emitted text by kind.
func ask(t *testing.T, model providers.Model, question providers.Question) (providers.Reply, map[providers.PartKind]string, error) {
	t.Helper()
	emitted := map[providers.PartKind]string{}
	reply, err := model.Respond(t.Context(), question, func(part providers.Part) { emitted[part.Kind] += part.Text })
	return reply, emitted, err
}

// picture returns a small picture as PNG.
func picture(t *testing.T) messages.Picture {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	return messages.Picture{Type: "image/png", Data: out.Bytes(), Name: "dot.png", Width: 3, Height: 2}
}

func TestAnAnswerComesInPieces(t *testing.T) {
	calls := modeltest.Calls(modeltest.Call{Name: "look", Args: `{"at":"<a>"}`}, modeltest.Call{Name: "look"})
	for name, faults := range map[string][]modeltest.Fault{
		"a stream": nil, "in pieces of a byte": {modeltest.Split(1)}, "calls in one piece": {modeltest.Pieces(1)}, "one body": {modeltest.AtOnce()},
		"one body that says it is a stream": {modeltest.AtOnce(), modeltest.ContentType("text/event-stream")}, "unknown events": {modeltest.Strangers()}, "without its last event": {modeltest.NoDone()},
	} {
		t.Run(name, func(t *testing.T) {
			faults := append(faults, modeltest.Tokens(120, 100, 7), modeltest.Written(15), modeltest.NamedModel("claude-sonnet-4-6-20260101"))
			server := modeltest.Start(t, modeltest.Think("hm, ", "well").Append(modeltest.Text("Hello", ", ", "<wörld>"), calls).WithFaults(faults...))
			reply, emitted, err := ask(t, model(t, server, providers.About{}), question("hi"))
			if err != nil || reply.Text != "Hello, <wörld>" || reply.Finish != providers.Called || reply.Model != "claude-sonnet-4-6-20260101" || reply.Torn {
				t.Fatalf("%+v, %v", reply, err)
			}
			if emitted[providers.TextPart] != reply.Text || emitted[providers.ThinkingPart] != "hm, well" {
				t.Errorf("emitted %v", emitted)
			}
			if len(reply.Calls) != 2 || string(reply.Calls[0].Args) != `{"at":"<a>"}` || string(reply.Calls[1].Args) != "{}" || reply.Calls[0].ID == reply.Calls[1].ID {
				t.Errorf("calls %+v", reply.Calls)
			}
			if len(reply.Thinking) != 1 || reply.Thinking[0].Text != "hm, well" || reply.Thinking[0].Opaque == "" || reply.Thinking[0].Origin != "claude/claude-sonnet-4-6" {
				t.Errorf("thought %+v", reply.Thinking)
			}
			if want := (providers.Usage{Input: 120, Cached: 100, Written: 15, Output: 7, Known: true}); reply.Usage != want {
				t.Errorf("usage %+v", reply.Usage)
			}
		})
	}
}

// Reasoning goes back unchanged before the call that followed it, even if only the provider can
// read it. The strict server checks its own signature.
func TestThoughtsGoBackAsTheyCame(t *testing.T) {
	sealed := `{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix"}}`
	server := modeltest.Start(t,
		modeltest.Raw(`{"type":"message_start","message":{"model":"m","usage":{"input_tokens":3,"output_tokens":1}}}`).Append(modeltest.Raw(sealed), modeltest.Raw(`{"type":"content_block_stop","index":0}`),
			modeltest.Raw(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"look","input":{"at":"a"}}}`), modeltest.Raw(`{"type":"content_block_stop","index":1}`),
			modeltest.Raw(`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`), modeltest.Raw(`{"type":"message_stop"}`), modeltest.End()),
		modeltest.Think("I see").Append(modeltest.Calls(modeltest.Call{Name: "look"})), modeltest.Text("done"))
	model, asked := model(t, server, providers.About{Most: 20_000}), question("look")
	asked.Effort = providers.High
	for range 3 {
		reply, _, err := ask(t, model, asked)
		if err != nil {
			t.Fatal(err)
		}
		asked.Messages = append(asked.Messages, messages.Message{Role: messages.Assistant, Text: reply.Text, Calls: reply.Calls, Thinking: reply.Thinking})
		for _, call := range reply.Calls {
			asked.Messages = append(asked.Messages, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: call.ID, Name: call.Name, Text: "seen", Status: messages.OK}})
		}
	}
	last := string(server.Requests()[2].Raw)
	for _, want := range []string{`{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix"},{"type":"tool_use","id":"toolu_1","name":"look","input":{"at":"a"}}`, `{"type":"thinking","thinking":"I see","signature":"`} {
		if !strings.Contains(last, want) {
			t.Errorf("%s is not in %s", want, last)
		}
	}
}

func TestAnswerEnd(t *testing.T) {
	for reason, want := range map[string]providers.Finish{"stop": providers.Stopped, "length": providers.Length, "content_filter": providers.Filtered} {
		for _, faults := range [][]modeltest.Fault{{modeltest.Finish(reason)}, {modeltest.Finish(reason), modeltest.AtOnce()}} {
			reply, _, err := ask(t, model(t, modeltest.Start(t, modeltest.Text("a").WithFaults(faults...)), providers.About{}), question("hi"))
			if err != nil || reply.Finish != want || reply.Text != "a" {
				t.Errorf("%s: %+v, %v", reason, reply, err)
			}
		}
	}
}

// Formats from the page "Errors" at platform.claude.com/docs, read 2026-11.
func TestErrorsSayWhatTheServerSaid(t *testing.T) {
	failure := func(kind, message string) string {
		return `{"type":"error","error":{"type":"` + kind + `","message":"` + message + `"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}`
	}
	for name, test := range map[string]struct {
		step   modeltest.Step
		status int
		retry  time.Duration
		says   string
	}{
		"a key that is refused": {modeltest.Status(401, failure("authentication_error", "invalid x-api-key sk-ant-secret-key")), 401, 0, "claude answered 401: invalid x-api-key [key]"},
		"too often":             {modeltest.Status(429, failure("rate_limit_error", "This request would exceed your rate limit"), "retry-after", "17"), 429, 17 * time.Second, "would exceed your rate limit"},
		"of itself":             {modeltest.Status(500, failure("api_error", "Internal server error")), 500, 0, "Internal server error"},
		"too much for all":      {modeltest.Status(529, failure("overloaded_error", "Overloaded")), 529, 0, "claude answered 529: Overloaded"},
		"without a word":        {modeltest.Status(529, ""), 529, 0, "claude answered 529: the server gave no reason"},
		"inside the stream":     {modeltest.Raw(`{"type":"message_start","message":{"model":"m"}}`).Append(modeltest.Raw(failure("overloaded_error", "Overloaded"))), 529, 0, "Overloaded"},
		"too often, inside":     {modeltest.Raw(failure("rate_limit_error", "slow down")), 429, 0, "slow down"},
		"of another kind":       {modeltest.Raw(failure("fresh_error", "no")), 502, 0, "no"},
		"with status 200":       {modeltest.Page("application/json", failure("permission_error", "no access")), 403, 0, "no access"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := ask(t, model(t, modeltest.Start(t, test.step), providers.About{}), question("hi"))
			status, ok := errors.AsType[*providers.StatusError](err)
			if !ok || status.Status != test.status || status.RetryAfter != test.retry || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%+v, %v", status, err)
			}
		})
	}
}

func TestAnAnswerThatIsNoWholeOne(t *testing.T) {
	for name, test := range map[string]struct {
		step modeltest.Step
		want error
		text string
	}{
		"cut":                    {modeltest.Text("half").Append(modeltest.End()), providers.ErrCut, "half"},
		"dropped":                {modeltest.Text("half").Append(modeltest.Drop()), providers.ErrCut, "half"},
		"no reason":              {modeltest.Text("half").WithFaults(modeltest.NoFinish()), providers.ErrCut, "half"},
		"a page":                 {modeltest.Page("text/html", "<html>Sign in</html>"), providers.ErrMalformed, ""},
		"another protocol":       {modeltest.Page("application/json", `{"id":"x","choices":[]}`), providers.ErrMalformed, ""},
		"nothing":                {modeltest.Page("application/json", ""), providers.ErrMalformed, ""},
		"an empty stream":        {modeltest.Page("text/event-stream", ""), providers.ErrMalformed, ""},
		"half a body":            {modeltest.Page("application/json", `{"type":"message","content":[{"type":"te`), providers.ErrMalformed, ""},
		"too long a prompt":      {modeltest.Status(400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`), providers.ErrTooLong, ""},
		"too large a request":    {modeltest.Status(413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`), providers.ErrTooLong, ""},
		"too large, in a stream": {modeltest.Raw(`{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`), providers.ErrTooLong, ""},
	} {
		t.Run(name, func(t *testing.T) {
			reply, emitted, err := ask(t, model(t, modeltest.Start(t, test.step), providers.About{}), question("hi"))
			if !errors.Is(err, test.want) || reply.Text != test.text || emitted[providers.TextPart] != test.text {
				t.Errorf("%+v, %v", reply, err)
			}
		})
	}
}

func TestLostPieceOfACallIsReported(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("so ").Append(modeltest.Raw(`{"type":"content_block_delta","ind`), modeltest.Calls(modeltest.Call{Name: "look"})))
	reply, _, err := ask(t, model(t, server, providers.About{}), question("hi"))
	if err != nil || !reply.Torn || len(reply.Notices) != 1 || reply.Text != "so " {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestRefusedFieldsAreLeftOut(t *testing.T) {
	for field, message := range map[string]string{
		`"cache_control"`: "messages.0.content.0.cache_control: Extra inputs are not permitted", `"output_config"`: "output_config: Extra inputs are not permitted",
		`"thinking":{"type":"adaptive"}`: "thinking.type: adaptive is not supported on this model", `"type":"image"`: "messages.0.content.0.image: this model does not support image input",
	} {
		t.Run(field, func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if bytes.Contains(request.Raw, []byte(field)) {
					return modeltest.Status(400, `{"type":"error","error":{"type":"invalid_request_error","message":"`+message+`"}}`)
				}
				return modeltest.Text("ok")
			})
			model, asked := model(t, server, providers.About{Most: 9000}), question("hi")
			asked.Effort, asked.Messages[0].Pictures = providers.High, []messages.Picture{picture(t)}
			for i := range 2 {
				reply, _, err := ask(t, model, asked)
				if told := len(reply.Notices) == 1; err != nil || reply.Text != "ok" || told != (i == 0 && strings.Contains(field, "image")) {
					t.Fatalf("%+v, %v", reply, err)
				}
			}
			if n := len(server.Requests()); n != 3 {
				t.Errorf("%d requests for two answers", n)
			}
		})
	}
}

func TestCalledToolsStayOffered(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("done"))
	asked := question("hi")
	for _, id := range []string{"a", "b"} {
		asked.Messages = append(asked.Messages,
			messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: id, Name: "look", Args: []byte(`{}`)}}},
			messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: "look", Text: "seen", Status: messages.OK}})
	}
	asked.Tools = nil
	if reply, _, err := ask(t, model(t, server, providers.About{}), asked); err != nil || reply.Text != "done" {
		t.Fatalf("%+v, %v", reply, err)
	}
	body := string(server.Requests()[0].Raw)
	if strings.Count(body, `"name":"look","input_schema"`) != 1 {
		t.Errorf("%s", body)
	}
}

func TestAnotherRefusalIsReported(t *testing.T) {
	server := modeltest.Start(t, modeltest.Status(400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`))
	if _, _, err := ask(t, model(t, server, providers.About{}), question("hi")); err == nil || !strings.Contains(err.Error(), "Your credit balance is too low") {
		t.Errorf("%v", err)
	}
}

// Pictures of the user and of results are sent at their places.
func TestPicturesStandInTheirPlaces(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("a dot"))
	asked := question("what is it?")
	asked.Messages[0].Pictures = []messages.Picture{picture(t)}
	asked.Messages = append(asked.Messages,
		messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "call:1", Name: "look", Args: json.RawMessage(`{}`)}}},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "call:1", Name: "look", Text: "here", Status: messages.ToolError, Pictures: []messages.Picture{picture(t), {Type: "image/png", Name: "gone.png", Note: "it was removed"}}}})
	if _, _, err := ask(t, model(t, server, providers.About{}), asked); err != nil {
		t.Fatal(err)
	}
	request := server.Requests()[0]
	var kinds []string
	for _, message := range request.Messages {
		for _, picture := range append(message.Pictures, message.Result.Pictures...) {
			kinds = append(kinds, string(message.Role)+" "+picture.Type)
		}
	}
	if !reflect.DeepEqual(kinds, []string{"user image/png", "tool image/png"}) || !bytes.Contains(request.Raw, []byte("[Picture gone.png (image/png): it was removed]")) || !bytes.Contains(request.Raw, []byte(`"is_error":true`)) {
		t.Errorf("%v in %s", kinds, request.Raw)
	}
}
