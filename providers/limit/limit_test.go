package limit_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/limit"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
)

// ask asks a server one question in one of the protocols.
func ask(t *testing.T, wire modeltest.Wire, step modeltest.Step) (reply providers.Reply, emitted int, err error) {
	t.Helper()
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return step })
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	var model providers.Model = openaichat.New(openaichat.Config{Provider: "openai-compat", Model: "m", BaseURL: server.URL + "/v1", Key: "test-key", HTTP: client})
	if wire == modeltest.Ollama {
		model = ollama.New(ollama.Config{URL: server.URL, Model: "m", HTTP: client})
	}
	reply, err = limit.Wrap(model).Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}}, func(part providers.Part) { emitted += len(part.Text) })
	return reply, emitted, err
}

// An endless answer of any kind is stopped, and the part so far is kept.
func TestAnAnswerHasAnEnd(t *testing.T) {
	calls := make([]modeltest.Call, limit.MaxCalls+1)
	for i := range calls {
		calls[i] = modeltest.Call{ID: fmt.Sprint("c", i), Name: "say", Args: "{}"}
	}
	pieces := slices.Repeat([]string{strings.Repeat("x", 64<<10)}, limit.MaxText>>16+2)
	endless := modeltest.Text(pieces...).Append(modeltest.Hang()) // only the limit ends it
	large := modeltest.Calls(modeltest.Call{Name: "create_file", Args: map[string]string{"content": strings.Repeat("x", limit.MaxArguments)}})
	for name, test := range map[string]struct {
		step modeltest.Step
		wire modeltest.Wire
		want string
	}{
		"text":            {endless, modeltest.OpenAI, "its text is longer than 8 MiB"},
		"text, Ollama":    {endless, modeltest.Ollama, "its text is longer than 8 MiB"},
		"thoughts":        {modeltest.Think(pieces...).Append(modeltest.Hang()), modeltest.OpenAI, "its reasoning is longer than 8 MiB"},
		"one call":        {large.WithFaults(modeltest.Pieces(1000)), modeltest.OpenAI, `"create_file" has 4.2 MB of arguments`},
		"calls of 12 MiB": {large.Append(large).Append(large).WithFaults(modeltest.Pieces(1000)), modeltest.OpenAI, "the arguments of its calls exceed 8 MiB"},
		"calls":           {modeltest.Calls(calls...), modeltest.OpenAI, "the limit is 8192 at once"},
		"one event":       {modeltest.HugeLine(17 << 20), modeltest.OpenAI, "event"},
	} {
		if testing.Short() && (name == "thoughts" || name == "calls of 12 MiB") {
			continue
		}
		reply, emitted, err := ask(t, test.wire, test.step)
		if !errors.Is(err, providers.ErrTooMuch) || !strings.Contains(err.Error(), test.want) || len(reply.Calls) > 0 {
			t.Errorf("%s: %d calls, %v", name, len(reply.Calls), err)
		}
		if emitted > limit.MaxText || len(reply.Text) > 2*limit.MaxText {
			t.Errorf("%s: %d bytes were passed on, %d kept", name, emitted, len(reply.Text))
		}
		if strings.HasPrefix(name, "text") && (len(reply.Text) < limit.MaxText/2 || emitted < limit.MaxText/2) {
			t.Errorf("%s: only %d bytes are left of it", name, len(reply.Text))
		}
	}
}

func TestLargeCallsPass(t *testing.T) {
	content := strings.Repeat("x", limit.MaxArguments-1<<10)
	reply, _, err := ask(t, modeltest.OpenAI, modeltest.Calls(modeltest.Call{Name: "create_file", Args: map[string]string{"content": content}}).WithFaults(modeltest.Pieces(500)))
	if err != nil || len(reply.Calls) != 1 || len(reply.Calls[0].Args) < len(content) {
		t.Errorf("a large file: %d calls, %v", len(reply.Calls), err)
	}
	calls := make([]modeltest.Call, 5000)
	for i := range calls {
		calls[i] = modeltest.Call{ID: fmt.Sprint("c", i), Name: "say", Args: "{}"}
	}
	if reply, _, err := ask(t, modeltest.OpenAI, modeltest.Calls(calls...)); err != nil || len(reply.Calls) != len(calls) {
		t.Errorf("%d calls, %v", len(reply.Calls), err)
	}
}
