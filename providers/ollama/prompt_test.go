package ollama_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
)

// long is a question of about 12,000 tokens.
func long() providers.Question {
	asked := question("what is in the file?")
	asked.Messages = append(asked.Messages,
		messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "1", Name: "tool_0"}}},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "1", Text: strings.Repeat("func answer() int { return 42 } // indeed\n", 1200)}})
	return asked
}

// TestPromptCutByTheServer has a server that cut the prompt, so it reports far fewer tokens than
// were sent.
func TestPromptCutByTheServer(t *testing.T) {
	for _, test := range []struct {
		name    string
		models  int // the model's largest window
		version string
		read    int
		loads   bool
		want    string // in the notice
	}{
		{"by a server that ignores num_ctx", 131072, "0.17.4", 4096, false, "OLLAMA_CONTEXT_LENGTH"},
		{"to the model's own window", 4096, "0.17.4", 4090, false, "has only 4096 tokens"},
		{"by an old server that fills its window", 4096, "0.1.48", 4096, false, "has only 4096 tokens"},
		{"by an old server that has just loaded the model", 131072, "0.1.48", 2048, true, "OLLAMA_CONTEXT_LENGTH"},
		{"not: all was read", 131072, "0.17.4", 16000, false, ""},
		{"not: fewer tokens than guessed", 131072, "0.17.4", 7000, false, ""},
		{"not: an old server had the rest in its cache", 131072, "0.1.48", 312, false, ""},
		{"not: an old server had all in its cache", 131072, "0.1.48", 0, false, ""},
		{"not: a server of unknown version", 131072, "", 312, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			loading := 20_000_000
			if test.loads {
				loading = 2_000_000_000
			}
			done := fmt.Sprintf(`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","load_duration":%d,"eval_count":3,"prompt_eval_count":%d}`, loading, test.read)
			server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step {
				return modeltest.Text("It answers.").Append(modeltest.Raw(done), modeltest.End())
			}).Context(test.models).Version(test.version)
			client := open(t, ollama.Config{URL: server.URL, Model: "small:1b"})
			reply, _, err := ask(t, client, long())
			if err != nil {
				t.Fatal(err)
			}
			notices := strings.Join(reply.Notices, "\n")
			if (notices == "") != (test.want == "") || !strings.Contains(notices, test.want) {
				t.Fatalf("notices %q, want %q", notices, test.want)
			}
			if test.want != "" && !strings.Contains(notices, fmt.Sprintf("read only %d of about", test.read)) {
				t.Errorf("notice without numbers: %s", notices)
			}
			if reply, _, err = ask(t, client, long()); err != nil || reply.Notices != nil {
				t.Errorf("the second time: %q %v", reply.Notices, err)
			}
		})
	}
}

// TestNothingIsSaidOfShortPrompts: templates may shorten a short prompt.
func TestNothingIsSaidOfShortPrompts(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step {
		return modeltest.Text("ok").WithFaults(modeltest.Tokens(5, 0, 1))
	})
	client := open(t, ollama.Config{URL: server.URL, Model: "m", HTTP: &http.Client{Transport: &http.Transport{}}})
	if reply, _, err := ask(t, client, question("hi")); err != nil || reply.Notices != nil {
		t.Errorf("%q %v", reply.Notices, err)
	}
}
