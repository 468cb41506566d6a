package responses_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/responses"
)

func model(t *testing.T, server *modeltest.Server, change ...func(*responses.Config)) *responses.Model {
	t.Helper()
	config := responses.Config{Provider: "gpt", BaseURL: server.URL + "/v1", Key: "sk-secret-key", Model: "gpt-5.1", HTTP: &http.Client{Transport: &http.Transport{}}}
	for _, change := range change {
		change(&config)
	}
	made := responses.New(config)
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

func TestAnAnswerComesInPieces(t *testing.T) {
	calls := modeltest.Calls(modeltest.Call{Name: "look", Args: `{"at":"<a>"}`}, modeltest.Call{Name: "look"})
	for name, faults := range map[string][]modeltest.Fault{
		"a stream": nil, "in pieces of a byte": {modeltest.Split(1)}, "calls in one piece": {modeltest.Pieces(1)}, "one body": {modeltest.AtOnce()},
		"one body that says it is a stream": {modeltest.AtOnce(), modeltest.ContentType("text/event-stream")}, "with other line ends": {modeltest.CRLF()},
	} {
		t.Run(name, func(t *testing.T) {
			faults := append(faults, modeltest.Tokens(120, 100, 7), modeltest.Written(15), modeltest.NamedModel("gpt-5.1-2025-11-13"))
			server := modeltest.Start(t, modeltest.Think("hm, ", "well").Append(modeltest.Text("Hello", ", ", "<wörld>"), calls).WithFaults(faults...))
			reply, emitted, err := ask(t, model(t, server), question("hi"))
			if err != nil || reply.Text != "Hello, <wörld>" || reply.Finish != providers.Called || reply.Model != "gpt-5.1-2025-11-13" || reply.Torn {
				t.Fatalf("%+v, %v", reply, err)
			}
			if emitted[providers.TextPart] != reply.Text || emitted[providers.ThinkingPart] != "hm, well" {
				t.Errorf("emitted %v", emitted)
			}
			if len(reply.Calls) != 2 || string(reply.Calls[0].Args) != `{"at":"<a>"}` || string(reply.Calls[1].Args) != "{}" || reply.Calls[0].ID == reply.Calls[1].ID {
				t.Errorf("calls %+v", reply.Calls)
			}
			if len(reply.Thinking) != 1 || reply.Thinking[0].Text != "hm, well" || !strings.Contains(reply.Thinking[0].Opaque, "encrypted_content") || reply.Thinking[0].Origin != "gpt/gpt-5.1" {
				t.Errorf("thought %+v", reply.Thinking)
			}
			if want := (providers.Usage{Input: 120, Cached: 100, Written: 15, Output: 7, Known: true}); reply.Usage != want {
				t.Errorf("usage %+v", reply.Usage)
			}
		})
	}
}

// Reasoning goes back encrypted before the call that followed it. The strict server checks its own
// encryption and requires the item that followed.
func TestReasoningGoesBackSealed(t *testing.T) {
	for _, faults := range [][]modeltest.Fault{nil, {modeltest.AtOnce()}} {
		server := modeltest.Start(t, modeltest.Think("I look").Append(modeltest.Calls(modeltest.Call{Name: "look"})).WithFaults(faults...), modeltest.Think("It is a dot").Append(modeltest.Text("a dot")).WithFaults(faults...), modeltest.Text("done"))
		model, asked := model(t, server), question("what is it?")
		for range 3 {
			reply, _, err := ask(t, model, asked)
			if err != nil {
				t.Fatal(err)
			}
			asked.Messages = append(asked.Messages, messages.Message{Role: messages.Assistant, Text: reply.Text, Calls: reply.Calls, Thinking: reply.Thinking})
			for _, call := range reply.Calls {
				asked.Messages = append(asked.Messages, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: call.ID, Name: call.Name, Text: "seen", Status: messages.OK}})
			}
			if len(reply.Calls) == 0 {
				asked.Messages = append(asked.Messages, messages.Message{Role: messages.User, Text: "go on"})
			}
		}
		last := server.Requests()[2]
		if n := bytes.Count(last.Raw, []byte(`"type":"reasoning"`)); n != 2 || !bytes.Contains(last.Raw, []byte(`"include":["reasoning.encrypted_content"]`)) || !bytes.Contains(last.Raw, []byte(`"store":false`)) {
			t.Errorf("%d thoughts in %s", n, last.Raw)
		}
	}
}

func TestAnswerEnd(t *testing.T) {
	for reason, want := range map[string]providers.Finish{"stop": providers.Stopped, "length": providers.Length, "content_filter": providers.Filtered} {
		for _, faults := range [][]modeltest.Fault{{modeltest.Finish(reason)}, {modeltest.Finish(reason), modeltest.AtOnce()}} {
			reply, _, err := ask(t, model(t, modeltest.Start(t, modeltest.Text("a").WithFaults(faults...))), question("hi"))
			if err != nil || reply.Finish != want || reply.Text != "a" {
				t.Errorf("%s: %+v, %v", reason, reply, err)
			}
		}
	}
	refusal := modeltest.Raw(`{"type":"response.created","response":{"model":"m"}}`).Append(modeltest.Raw(`{"type":"response.refusal.delta","delta":"I cannot."}`), modeltest.Raw(`{"type":"response.completed","response":{"model":"m"}}`), modeltest.End())
	if reply, _, err := ask(t, model(t, modeltest.Start(t, refusal)), question("hi")); err != nil || reply.Text != "I cannot." {
		t.Errorf("%+v, %v", reply, err)
	}
}

// Formats from the guide to error codes and the reference of streaming events at
// platform.openai.com/docs, read 2026-11.
func TestErrorsSayWhatTheServerSaid(t *testing.T) {
	failure := func(kind, code, message string) string {
		return `{"error":{"message":"` + message + `","type":"` + kind + `","param":null,"code":"` + code + `"}}`
	}
	failed := func(code, message string) string {
		return `{"type":"response.failed","response":{"object":"response","status":"failed","error":{"code":"` + code + `","message":"` + message + `"}}}`
	}
	for name, test := range map[string]struct {
		step   modeltest.Step
		status int
		retry  time.Duration
		says   string
	}{
		"a key that is refused":  {modeltest.Status(401, failure("invalid_request_error", "invalid_api_key", "Incorrect API key provided: sk-secret-key.")), 401, 0, "gpt answered 401: Incorrect API key provided: [key]. (invalid_api_key)"},
		"too often":              {modeltest.Status(429, failure("requests", "rate_limit_exceeded", "Rate limit reached"), "Retry-After", "17"), 429, 17 * time.Second, "Rate limit reached"},
		"nothing left":           {modeltest.Status(429, failure("insufficient_quota", "insufficient_quota", "You exceeded your current quota")), 429, 0, "You exceeded your current quota"},
		"of itself":              {modeltest.Status(500, failure("server_error", "", "The server had an error")), 500, 0, "The server had an error"},
		"overloaded":             {modeltest.Status(529, `{"error":"overloaded"}`), 529, 0, "overloaded"},
		"failed in the stream":   {modeltest.Raw(failed("rate_limit_exceeded", "slow down")), 429, 0, "slow down"},
		"failed of itself":       {modeltest.Raw(failed("server_error", "an error occurred")), 502, 0, "an error occurred"},
		"failed for its picture": {modeltest.Raw(failed("image_parse_error", "cannot read it")), 400, 0, "cannot read it"},
		"an event for an error":  {modeltest.Raw(`{"type":"error","code":"rate_limit_exceeded","message":"slow","param":null,"sequence_number":1}`), 429, 0, "slow"},
		"with status 200":        {modeltest.Page("application/json", failure("invalid_request_error", "", "no such field")), 400, 0, "no such field"},
		"failed in one body":     {modeltest.Page("application/json", `{"object":"response","status":"failed","error":{"code":"rate_limit_exceeded","message":"slow down"}}`), 429, 0, "slow down"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := ask(t, model(t, modeltest.Start(t, test.step)), question("hi"))
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
		"cut":                {modeltest.Text("half").Append(modeltest.End()), providers.ErrCut, "half"},
		"dropped":            {modeltest.Text("half").Append(modeltest.Drop()), providers.ErrCut, "half"},
		"no reason":          {modeltest.Text("half").WithFaults(modeltest.NoFinish()), providers.ErrCut, "half"},
		"a page":             {modeltest.Page("text/html", "<html>Sign in</html>"), providers.ErrMalformed, ""},
		"another protocol":   {modeltest.Page("application/json", `{"id":"x","choices":[]}`), providers.ErrMalformed, ""},
		"nothing":            {modeltest.Page("application/json", ""), providers.ErrMalformed, ""},
		"an empty stream":    {modeltest.Page("text/event-stream", ""), providers.ErrMalformed, ""},
		"half a body":        {modeltest.Page("application/json", `{"object":"response","output":[{"ty`), providers.ErrMalformed, ""},
		"too long a prompt":  {modeltest.Status(400, `{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}`), providers.ErrTooLong, ""},
		"too long, by event": {modeltest.Raw(`{"type":"response.failed","response":{"error":{"code":"context_length_exceeded","message":"Your input exceeds the context window"}}}`), providers.ErrTooLong, ""},
	} {
		t.Run(name, func(t *testing.T) {
			reply, emitted, err := ask(t, model(t, modeltest.Start(t, test.step)), question("hi"))
			if !errors.Is(err, test.want) || reply.Text != test.text || emitted[providers.TextPart] != test.text {
				t.Errorf("%+v, %v", reply, err)
			}
		})
	}
}

// A call that lost a piece does not count, unless its final event has all of it.
func TestLostPieceOfACallIsReported(t *testing.T) {
	begun := modeltest.Raw(`{"type":"response.created","response":{"model":"m"}}`).Append(modeltest.Raw(`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c1","name":"look"}}`), modeltest.Raw(`{"type":"response.function_call_arguments.delta","output_index":0,"delt`))
	done := modeltest.Raw(`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"c1","name":"look","arguments":"{\"at\":1}"}}`)
	end := modeltest.Raw(`{"type":"response.completed","response":{"model":"m"}}`).Append(modeltest.End())
	for torn, step := range map[bool]modeltest.Step{true: begun.Append(end), false: begun.Append(done, end)} {
		reply, _, err := ask(t, model(t, modeltest.Start(t, step)), question("hi"))
		if err != nil || reply.Torn != torn || len(reply.Notices) != 1 || len(reply.Calls) != 1 || !torn && string(reply.Calls[0].Args) != `{"at":1}` {
			t.Errorf("%+v, %v", reply, err)
		}
	}
}

func TestRefusedFieldsAreLeftOut(t *testing.T) {
	for field, message := range map[string]string{
		`"reasoning":{"effort"`: "Unsupported parameter: 'reasoning.effort' is not supported with this model.", `"include"`: "Encrypted content is not supported with this model.",
		`"summary"`: "Your organization must be verified to generate reasoning summaries.", `"input_image"`: "Invalid content type. image_url is only supported by certain models.",
	} {
		t.Run(field, func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if bytes.Contains(request.Raw, []byte(field)) {
					return modeltest.Status(400, `{"error":{"message":"`+message+`","type":"invalid_request_error","param":null,"code":null}}`)
				}
				return modeltest.Text("ok")
			})
			model, asked := model(t, server), question("hi")
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

// Pictures of the user and of results are sent at their places.
func TestPicturesStandInTheirPlaces(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("a dot"))
	asked := question("what is it?")
	asked.Messages[0].Pictures = []messages.Picture{picture(t)}
	asked.Messages = append(asked.Messages,
		messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "call:1", Name: "look", Args: json.RawMessage(`{}`)}}},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "call:1", Name: "look", Text: "here", Status: messages.OK, Pictures: []messages.Picture{picture(t), {Type: "image/png", Name: "gone.png", Note: "it was removed"}}}})
	if _, _, err := ask(t, model(t, server), asked); err != nil {
		t.Fatal(err)
	}
	request := server.Requests()[0]
	if all := request.Messages; len(all) != 4 || len(all[1].Pictures) != 1 || len(all[3].Result.Pictures) != 1 || !strings.Contains(all[3].Result.Text, "[Picture gone.png (image/png): it was removed]") {
		t.Errorf("%+v", all)
	}
}

func TestARefusedTokenIsRenewedOnce(t *testing.T) {
	for name, good := range map[string]bool{"renewed": true, "refused again": false} {
		t.Run(name, func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if good && request.Header.Get("Authorization") == "Bearer fresh" {
					return modeltest.Text("ok")
				}
				return modeltest.Status(401, `{"error":{"message":"token expired","type":"invalid_request_error"}}`)
			})
			var refused []string
			admit := func(_ context.Context, stale string) (string, http.Header, error) {
				refused = append(refused, stale)
				token := map[bool]string{true: "old", false: "fresh"}[stale == ""]
				return token, http.Header{"Authorization": {"Bearer " + token}}, nil
			}
			reply, _, err := ask(t, model(t, server, func(config *responses.Config) { config.Admit = admit }), question("hi"))
			if (err == nil) != good || good && reply.Text != "ok" || strings.Join(refused, ",") != ",old" || len(server.Requests()) != 2 {
				t.Errorf("%+v, %v; refused %q", reply, err, refused)
			}
		})
	}
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
