package openaichat_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
)

// One broken line does not end an answer whose rest is complete.
func TestABrokenLineIsSkipped(t *testing.T) {
	text := modeltest.Text("Hello", " world")
	call := modeltest.Calls(modeltest.Call{ID: "a", Name: "f", Args: `{"x":"a long one"}`})
	var many []modeltest.Step
	for range 21 {
		many = append(many, modeltest.Malformed())
	}
	for _, test := range []struct {
		name    string
		step    modeltest.Step
		text    string
		calls   int
		torn    bool
		is      error
		notices []string
	}{
		{"in the middle", text.Append(modeltest.Raw("{not json"), modeltest.Text("!")), "Hello world!", 0, true, nil, []string{"1 damaged piece of the answer was skipped: ", "{not json"}},
		{"first", modeltest.Malformed().Append(text), "Hello world", 0, true, nil, []string{"1 damaged piece"}},
		{"twice", text.Append(modeltest.Raw("oops\x1b[2J "+key), modeltest.Malformed()), "Hello world", 0, true, nil, []string{"2 damaged pieces of the answer were skipped; the first one was: ", "oops [2J [key]"}},
		{"behind a whole call", call.Append(modeltest.Malformed()), "", 1, false, nil, []string{"1 damaged piece"}},
		{"in front of a whole call", modeltest.Malformed().Append(call), "", 1, false, nil, []string{"1 damaged piece"}},
		{"and nothing else", modeltest.Malformed(), "", 0, true, providers.ErrMalformed, []string{"1 damaged piece"}},
		{"and the end is missing", text.Append(modeltest.Malformed(), modeltest.End()), "Hello world", 0, true, providers.ErrCut, []string{"1 damaged piece"}},
		{"too often", text.Append(many...), "Hello world", 0, true, providers.ErrMalformed, []string{"21 damaged pieces"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			reply, _, err := respond(t, test.step)
			if !errors.Is(err, test.is) || reply.Text != test.text || len(reply.Calls) != test.calls || reply.Torn != test.torn {
				t.Errorf("%+v, %v", reply, err)
			}
			if len(reply.Notices) != 1 {
				t.Fatalf("notices %q", reply.Notices)
			}
			for _, part := range test.notices {
				if !strings.Contains(reply.Notices[0], part) || strings.Contains(reply.Notices[0], key) {
					t.Errorf("the notice %q does not say %q", reply.Notices[0], part)
				}
			}
		})
	}
}

// Whichever piece of a call is lost, either all calls are as the model wrote them, or the reply
// says that no call may run.
func TestNoCallWithAHole(t *testing.T) {
	pieces := []string{
		`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":0,"function":{"arguments":"{\"path\":\"/tmp/"}}`,
		`{"index":0,"function":{"arguments":"x"}}`, `{"index":0,"function":{"arguments":"\"}"}}`,
		`{"index":1,"id":"b","function":{"name":"f","arguments":"{\"path\":"}}`, `{"index":1,"function":{"arguments":"\"y"}}`, `{"index":1,"function":{"arguments":"z\"}"}}`,
	}
	whole := []string{`f {"path":"/tmp/x"}`, `f {"path":"yz"}`}
	for lost := range pieces {
		var step modeltest.Step
		for i, piece := range pieces {
			event := `{"choices":[{"index":0,"delta":{"tool_calls":[` + piece + `]}}]}`
			if i == lost {
				event = event[:len(event)-7]
			}
			step = step.Append(modeltest.Raw(event))
		}
		reply, _, err := respond(t, step)
		if err != nil || len(reply.Notices) != 1 {
			t.Fatalf("without piece %d: %+v, %v", lost, reply, err)
		}
		for _, call := range reply.Calls {
			if got := call.Name + " " + string(call.Args); !reply.Torn && !slices.Contains(whole, got) {
				t.Errorf("without piece %d %s may run", lost, got)
			}
		}
	}
}

func respond(t *testing.T, step modeltest.Step) (providers.Reply, string, error) {
	t.Helper()
	var got parts
	reply, err := model(t, modeltest.Start(t, step)).Respond(t.Context(), question("hi"), got.emit)
	return reply, got.text.String(), err
}

// Usage after a complete answer neither delays the answer nor is lost.
func TestUsageMayComeLater(t *testing.T) {
	const finish, figures = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":5}}`
	for name, test := range map[string]struct {
		late  time.Duration
		known bool
		took  time.Duration // until the usage has come, or is known not to come
	}{
		"at once":  {0, true, 0},
		"soon":     {300 * time.Millisecond, true, 300 * time.Millisecond},
		"later":    {10 * time.Second, true, 10 * time.Second},
		"too late": {time.Minute, false, 15500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step {
					gate := make(chan struct{})
					time.AfterFunc(test.late, func() { close(gate) })
					return modeltest.Text("hello").Append(modeltest.Raw(finish), modeltest.Pause(gate), modeltest.Raw(figures), modeltest.Raw("[DONE]"), modeltest.End())
				})
				began := time.Now()
				model := openaichat.New(openaichat.Config{Provider: "groq", BaseURL: server.URL + "/v1", Key: key, Model: "m", HTTP: client})
				reply, err := model.Respond(t.Context(), question("hi"), func(providers.Part) {})
				if err != nil || reply.Text != "hello" || reply.Finish != providers.Stopped || time.Since(began) > 500*time.Millisecond {
					t.Errorf("after %s: %+v, %v", time.Since(began), reply, err)
				}
				usage := reply.Usage
				if reply.Rest != nil {
					usage = reply.Rest()
				}
				if (reply.Rest != nil) != (test.late > 500*time.Millisecond) || usage.Known != test.known || test.known && (usage.Input != 100 || usage.Output != 5) || time.Since(began) != test.took {
					t.Errorf("after %s the usage is %+v", time.Since(began), usage)
				}
			})
		})
	}
}
