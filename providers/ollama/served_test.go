package ollama_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
)

// local is a server that has these models and answers everything.
func local(t *testing.T, models ...modeltest.Local) *modeltest.Server {
	t.Helper()
	return modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") }).Install(models...)
}

func TestAnInstalledModelIsPicked(t *testing.T) {
	coder, talker := modeltest.Local{Name: "llama3.2:latest"}, modeltest.Local{Name: "gemma:2b", Can: []string{"completion"}}
	embedder := modeltest.Local{Name: "nomic:latest", Can: []string{"embedding"}}
	cloud := modeltest.Local{Name: "gpt-oss:120b-cloud", Remote: true}
	usual := modeltest.Local{Name: "usual:30b"}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for _, test := range []struct {
		has       []modeltest.Local
		want, why string
	}{
		{[]modeltest.Local{coder, usual}, "usual:30b", ""},
		{[]modeltest.Local{embedder, talker, cloud, coder}, "llama3.2:latest", "can call tools"},
		{[]modeltest.Local{embedder, talker}, "gemma:2b", "this one is installed"},
		{[]modeltest.Local{talker, cloud}, "gpt-oss:120b-cloud", "can call tools"},
		{[]modeltest.Local{embedder}, "", ""},
		{nil, "", ""},
	} {
		server := local(t, test.has...)
		got, why, err := ollama.Pick(t.Context(), server.URL, client, "usual:30b")
		if err != nil || got != test.want || !strings.Contains(why, test.why) || test.why == "" && why != "" {
			t.Errorf("of %+v %q was picked (%s), %v", test.has, got, why, err)
		}
	}
	if got, _, err := ollama.Pick(t.Context(), closedAddress(t), client, "usual:30b"); err == nil || got != "" {
		t.Errorf("where nothing answers %q was picked, %v", got, err)
	}
}

func TestMissingModelErrorListsInstalledModels(t *testing.T) {
	server := local(t, modeltest.Local{Name: "llama3.2:latest"}, modeltest.Local{Name: "gemma:2b"})
	_, _, err := ask(t, model(t, server), question("hi"))
	if err == nil || !strings.Contains(err.Error(), "choose an installed model (llama3.2:latest, gemma:2b) with /model or OLLAMA_MODEL, or install it with ollama pull qwen3-coder:30b") {
		t.Error(err)
	}
	_, _, err = ask(t, model(t, local(t)), question("hi"))
	if err == nil || !strings.Contains(err.Error(), "no model is installed; install it with ollama pull qwen3-coder:30b") {
		t.Error(err)
	}
	if !ollama.Has([]string{"llama3.2:latest"}, "llama3.2") || ollama.Has([]string{"llama3.2:1b"}, "llama3.2") || !ollama.Has([]string{"a:b"}, "A:b") {
		t.Error("a model is not known by its name")
	}
}

func TestContextWindowDefaultsToModel(t *testing.T) {
	for _, test := range []struct {
		parameters      string
		own, configured int
		want            int
	}{
		{"temperature 1\nnum_ctx                        8192\nstop \"a b\"", 131072, 0, 8192},
		{"num_ctx 8192", 131072, 65536, 65536},
		{"num_ctx 8192", 4096, 0, 4096},
		{"num_ctx 8192", 4096, 65536, 4096},
		{"num_ctx 8", 131072, 0, ollama.DefaultWindow},
		{"num_ctx many", 0, 0, ollama.DefaultWindow},
		{"", 0, 2048, 2048},
	} {
		server := local(t, modeltest.Local{Name: "m:latest", Parameters: test.parameters}).Context(test.own)
		reply, _, err := ask(t, open(t, ollama.Config{URL: server.URL, Model: "m", Window: test.configured}), question("hi"))
		if got := server.Requests()[0].NumCtx; err != nil || got != test.want || reply.Window != test.want || reply.Widest != test.own {
			t.Errorf("%+v: num_ctx %d, told %d of %d, %v", test, got, reply.Window, reply.Widest, err)
		}
	}
}

func TestAModelWithoutToolsIsAskedWithoutThem(t *testing.T) {
	refuses := 0
	old := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if len(request.Tools) > 0 {
			refuses++
			return modeltest.Status(400, `{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}`)
		}
		return modeltest.Text("ok")
	})
	for name, server := range map[string]*modeltest.Server{
		"told": local(t, modeltest.Local{Name: "gemma:2b", Can: []string{"completion"}}), "refused": old,
	} {
		client := open(t, ollama.Config{URL: server.URL, Model: "gemma:2b"})
		asked := question("look")
		asked.Messages = append(asked.Messages,
			messages.Message{Role: messages.Assistant, Text: "I look.", Calls: []messages.ToolCall{{ID: "1", Name: "tool_0", Args: json.RawMessage(`{"path":"a"}`)}}},
			messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "1", Name: "tool_0", Text: "A"}})
		var notices []string
		for range 3 {
			reply, _, err := ask(t, client, asked)
			if err != nil || reply.Text != "ok" {
				t.Fatalf("%s: %+v %v", name, reply, err)
			}
			notices = append(notices, reply.Notices...)
		}
		if len(notices) != 1 || !strings.Contains(notices[0], "gemma:2b cannot call tools") {
			t.Errorf("%s: told %q", name, notices)
		}
		requests := server.Requests()
		last := requests[len(requests)-1]
		if len(last.Tools) != 0 || last.Messages[2].Text != "I look.\n[Called tool_0 with {\"path\":\"a\"}]" || last.Messages[3].Role != messages.User || last.Messages[3].Text != "[Result of tool_0]\nA" {
			t.Errorf("%s: %s", name, last.Raw)
		}
	}
	if refuses != 1 {
		t.Errorf("refused %d times", refuses)
	}
}

// Reasoning before a call goes back with the call, byte for byte, and to no other provider.
func TestThinkingGoesBackWithTheCall(t *testing.T) {
	server := modeltest.Start(t,
		modeltest.Think("let me ", "see").Append(modeltest.Calls(modeltest.Call{Name: "tool_1"}, modeltest.Call{Name: "tool_1"})),
		modeltest.Text("done"))
	client := model(t, server)
	asked := question("look")
	reply, _, err := ask(t, client, asked)
	if err != nil || len(reply.Calls) != 2 || reply.Calls[0].Origin != providers.Ollama {
		t.Fatalf("%+v %v", reply, err)
	}
	asked.Messages = append(asked.Messages, messages.Message{Role: messages.Assistant, Calls: reply.Calls})
	for _, call := range reply.Calls {
		asked.Messages = append(asked.Messages, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: call.ID, Name: call.Name, Text: "A"}})
	}
	if _, _, err := ask(t, client, asked); err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Messages []struct{ Role, Thinking string }
	}
	if err := json.Unmarshal(server.Requests()[1].Raw, &sent); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(sent.Messages, func(m struct{ Role, Thinking string }) bool { return m.Role == "assistant" })
	if sent.Messages[at].Thinking != "let me see" {
		t.Errorf("sent %s", server.Requests()[1].Raw)
	}
}

func TestLateSystemTextStaysInPlace(t *testing.T) {
	server := local(t, modeltest.Local{Name: "m:latest"})
	asked := question("look")
	asked.Messages = append(asked.Messages, messages.Message{Role: messages.Assistant, Text: "I see."},
		messages.Message{Role: messages.System, Text: "It is another day."}, messages.Message{Role: messages.User, Text: "again"})
	if _, _, err := ask(t, open(t, ollama.Config{URL: server.URL, Model: "m"}), asked); err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, message := range server.Requests()[0].Messages {
		roles = append(roles, string(message.Role))
	}
	if got := strings.Join(roles, " "); got != "system user assistant user user" {
		t.Errorf("sent %s", got)
	}
}
