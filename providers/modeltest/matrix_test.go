package modeltest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/anthropic"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
	"marvin/providers/responses"
)

// wires are the protocols that Marvin itself speaks.
var wires = []modeltest.Wire{modeltest.OpenAI, modeltest.Ollama, modeltest.Anthropic, modeltest.Responses}

func client(t testing.TB, wire modeltest.Wire, server *modeltest.Server, model string, about providers.About) providers.Model {
	t.Helper()
	return clientAt(t, wire, server.URL, model, about)
}

// clientAt returns the client for a server at an address.
func clientAt(t testing.TB, wire modeltest.Wire, address, model string, about providers.About) providers.Model {
	t.Helper()
	http := &http.Client{Transport: &http.Transport{}}
	var made providers.Model
	switch wire {
	case deepSeek:
		made = openaichat.New(openaichat.Config{Provider: "deepseek", BaseURL: address + "/v1", Key: "k", Model: model, HTTP: http, About: about})
	case modeltest.OpenAI:
		made = openaichat.New(openaichat.Config{Provider: "chat", BaseURL: address + "/v1", Key: "k", Model: model, HTTP: http, About: about})
	case modeltest.Ollama:
		made = ollama.New(ollama.Config{URL: address, Model: model, HTTP: http, About: about})
	case modeltest.Anthropic:
		made = anthropic.New(anthropic.Config{Provider: "claude", BaseURL: address + "/v1", Key: "k", Model: model, HTTP: http, About: about})
	case modeltest.Responses:
		made = responses.New(responses.Config{Provider: "gpt", BaseURL: address + "/v1", Key: "k", Model: model, HTTP: http, About: about})
	}
	t.Cleanup(func() { _ = made.Close() })
	return made
}

// drawing returns a small picture.
func drawing(t testing.TB) messages.Picture {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	return messages.Picture{Type: "image/png", Data: out.Bytes(), Name: "dot.png", Width: 3, Height: 2}
}

// In every protocol, a request begins with the bytes of the previous one.
func TestRequestsOnlyGrow(t *testing.T) {
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if request.N%2 == 0 {
					return modeltest.Think("t").Append(modeltest.Calls(modeltest.Call{Name: "look"}))
				}
				return modeltest.Think("t").Append(modeltest.Text("ok"))
			})
			model, talk := client(t, wire, server, "claude-opus-4-6", providers.About{}), &talk{t: t}
			for i := range 4 {
				talk.say(fmt.Sprint("prompt ", i), drawing(t))
				talk.ask(model, providers.Low)
				talk.ask(model, providers.Low)
			}
			requests := server.Requests()
			for i := 1; i < len(requests); i++ {
				before, now := requests[i-1].Raw, requests[i].Raw
				at := bytes.LastIndex(before, []byte("prompt"))
				if wire == modeltest.Ollama { // its client writes the tools after the messages
					continue
				}
				if !bytes.HasPrefix(now, before[:at]) {
					t.Errorf("request %d does not begin as the one before:\n%s\n%s", i, before, now)
				}
			}
		})
	}
}

// The scripts of the chat protocol, in all protocols.
func TestAnswersStream(t *testing.T) {
	for _, wire := range wires {
		for name, faults := range map[string][]modeltest.Fault{
			"as it is": nil, "in pieces": {modeltest.Split(3)}, "with other line ends": {modeltest.CRLF()}, "packed": {modeltest.Gzip()},
			"with unknown events": {modeltest.Strangers()}, "left open": {modeltest.KeepOpen()}, "without usage": {modeltest.NoUsage()},
		} {
			t.Run(fmt.Sprint(wire, " ", name), func(t *testing.T) {
				server := modeltest.Start(t, modeltest.Think("hm, ", "well").Append(modeltest.Text("Hello", ", ", "<wörld>"),
					modeltest.Calls(modeltest.Call{Name: "look", Args: `{"at":"<a>"}`}, modeltest.Call{Name: "look", Args: `{"at":"b"}`})).WithFaults(append(faults, modeltest.Tokens(120, 100, 7))...))
				var text, thought strings.Builder
				reply, err := client(t, wire, server, "test-model", providers.About{}).Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hi"}}, Tools: []providers.ToolSpec{{Name: "look"}}}, func(part providers.Part) {
					switch part.Kind {
					case providers.TextPart:
						text.WriteString(part.Text)
					case providers.ThinkingPart:
						thought.WriteString(part.Text)
					}
				})
				if err != nil || reply.Text != "Hello, <wörld>" || text.String() != reply.Text || thought.String() != "hm, well" || reply.Finish != providers.Called && wire != modeltest.Ollama {
					t.Fatalf("%+v, %v, thought %q", reply, err, thought.String())
				}
				if len(reply.Calls) != 2 || string(reply.Calls[0].Args) != `{"at":"<a>"}` && wire != modeltest.Ollama || reply.Torn {
					t.Errorf("calls %+v", reply.Calls)
				}
				if name != "without usage" && (reply.Usage.Input != 120 || reply.Usage.Output != 7 || !reply.Usage.Known) {
					t.Errorf("usage %+v", reply.Usage)
				}
			})
		}
	}
}

// A server may divide an emoji between two events.
func TestACharacterInTwoEventsIsWholeOverEachProtocol(t *testing.T) {
	for _, wire := range wires {
		server := modeltest.Start(t, modeltest.Text("so "+modeltest.FirstHalf, modeltest.SecondHalf+" done"))
		var text strings.Builder
		reply, err := client(t, wire, server, "test-model", providers.About{}).Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hi"}}}, func(part providers.Part) {
			if part.Kind == providers.TextPart {
				text.WriteString(part.Text)
			}
		})
		if err != nil || reply.Text != "so 😀 done" || text.String() != reply.Text {
			t.Errorf("%s: %q, shown %q, %v", wire, reply.Text, text.String(), err)
		}
	}
}

func TestBrokenAnswers(t *testing.T) {
	for _, wire := range []modeltest.Wire{modeltest.Anthropic, modeltest.Responses} {
		for name, test := range map[string]struct {
			step modeltest.Step
			want error
		}{
			"cut":            {modeltest.Text("half").Append(modeltest.End()), providers.ErrCut},
			"reset":          {modeltest.Text("half").Append(modeltest.Reset()), providers.ErrCut},
			"error inside":   {modeltest.Text("half").Append(modeltest.ErrorEvent("overloaded")), nil},
			"no such page":   {modeltest.Page("text/html", "<html>login</html>"), providers.ErrMalformed},
			"too long":       {modeltest.Status(400, `{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`), providers.ErrTooLong},
			"a damaged line": {modeltest.Text("so ").Append(modeltest.Raw(`{"type":"x","brok`), modeltest.Text("it is")), errNone},
		} {
			t.Run(fmt.Sprint(wire, " ", name), func(t *testing.T) {
				server := modeltest.Start(t, test.step)
				reply, err := client(t, wire, server, "m", providers.About{}).Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hi"}}}, func(providers.Part) {})
				switch {
				case errors.Is(test.want, errNone):
					if err != nil || reply.Text != "so it is" || len(reply.Notices) == 0 {
						t.Errorf("%+v, %v", reply, err)
					}
				case err == nil, test.want != nil && !errors.Is(err, test.want):
					t.Errorf("%v", err)
				case strings.HasPrefix(name, "cut") && reply.Text != "half":
					t.Errorf("what came is lost: %+v", reply)
				}
			})
		}
	}
}

var errNone = errors.New("none")

// After a server refused a field, the question is asked once more without it, and the field is not
// sent again.
func TestARefusedFieldIsLeftOut(t *testing.T) {
	for wire, message := range map[modeltest.Wire]string{
		modeltest.OpenAI: "Unsupported parameter: 'reasoning_effort' is not supported with this model.", modeltest.Ollama: `"m" does not support thinking`,
		modeltest.Anthropic: "thinking: Extra inputs are not permitted", modeltest.Responses: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
	} {
		t.Run(string(wire), func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if request.Effort != "" {
					return modeltest.Status(400, string(must(json.Marshal(map[string]any{"error": map[string]any{"message": message}}))))
				}
				return modeltest.Text("ok")
			})
			model, talk := client(t, wire, server, "m", providers.About{Most: 9000}), &talk{t: t}
			for range 2 {
				talk.say("hi")
				if reply := talk.ask(model, providers.High); reply.Text != "ok" {
					t.Fatalf("%+v", reply)
				}
			}
			if n := len(server.Requests()); n != 3 {
				t.Errorf("%d requests for two answers", n)
			}
		})
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

func TestPicturesAreKeptOut(t *testing.T) {
	blind := false
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				for _, message := range request.Messages {
					if len(message.Pictures)+len(message.Result.Pictures) > 0 {
						return modeltest.Status(400, `{"error":{"message":"this model does not support image input"}}`)
					}
				}
				return modeltest.Text("ok")
			})
			for _, about := range []providers.About{{Sees: &blind}, {}} {
				before := len(server.Requests())
				model, talk := client(t, wire, server, "m", about), &talk{t: t}
				talk.say("look", drawing(t))
				reply := talk.ask(model, "")
				if reply.Text != "ok" {
					t.Fatalf("%+v", reply)
				}
				// For an unknown model the user is told what it refused.
				if told := strings.Contains(strings.Join(reply.Notices, " "), "does not accept pictures (this model does not support image input)"); told != (about.Sees == nil && wire != modeltest.Ollama) {
					t.Errorf("told %v: %q", told, reply.Notices)
				}
				requests := server.Requests()
				want := 2
				if about.Sees != nil || wire == modeltest.Ollama { // its server reports the abilities of a model
					want = 1
				}
				if len(requests)-before != want {
					t.Errorf("%d requests, want %d", len(requests)-before, want)
				}
				if last := string(requests[len(requests)-1].Raw); !strings.Contains(last, "dot.png") {
					t.Errorf("nothing says what the picture was: %s", last)
				}
			}
		})
	}
}
