package mcp

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/tools"
)

// real returns the configuration of a published server from npm, which .ci/run installs if
// possible.
func real(t *testing.T, program string, args ...string) settings.Server {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not there: npm install @modelcontextprotocol/%s", program, strings.TrimPrefix(program, "mcp-"))
	}
	return settings.Server{Command: append([]string{path}, args...), Free: true}
}

func call(t *testing.T, session *Session, env tools.Env, tool, args string) (string, error) {
	t.Helper()
	output, err := session.Call(t.Context(), env, tool, json.RawMessage(args))
	return output.Text, err
}

func TestTheRealFilesystemServer(t *testing.T) {
	on := ground(t)
	if err := os.WriteFile(filepath.Join(on.Dir, "a.txt"), []byte("the content"), 0o600); err != nil {
		t.Fatal(err)
	}
	session := begun(t, real(t, "mcp-server-filesystem", on.Dir), on)
	manifest, err := session.Tools(t.Context())
	if err != nil || len(manifest.Tools) < 10 {
		t.Fatalf("%d tools, %v", len(manifest.Tools), err)
	}
	source, problems := NewSource("files", settings.Server{}, manifest, nil)
	if len(problems) > 0 || len(source.Tools) != len(manifest.Tools) {
		t.Errorf("%d of %d tools; %v", len(source.Tools), len(manifest.Tools), problems)
	}
	if text, err := call(t, session, tools.Env{}, "read_text_file", `{"path":"`+filepath.Join(on.Dir, "a.txt")+`"}`); err != nil || !strings.Contains(text, "the content") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := call(t, session, tools.Env{}, "read_text_file", `{"path":"/etc/passwd"}`); err == nil {
		t.Errorf("outside of its directory: %q", text)
	}
}

func TestTheRealMemoryServer(t *testing.T) {
	on := ground(t)
	server := real(t, "mcp-server-memory")
	server.Env = map[string]string{"MEMORY_FILE_PATH": filepath.Join(on.Dir, "memory.json")}
	session := begun(t, server, on)
	if _, err := call(t, session, tools.Env{}, "create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["likes tea"]}]}`); err != nil {
		t.Fatal(err)
	}
	if text, err := call(t, session, tools.Env{}, "read_graph", `{}`); err != nil || !strings.Contains(text, "likes tea") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTheRealServerOfEverything(t *testing.T) {
	session := begun(t, real(t, "mcp-server-everything"), ground(t))
	manifest, err := session.Tools(t.Context())
	if err != nil || len(manifest.Tools) < 8 {
		t.Fatalf("%d tools, %v", len(manifest.Tools), err)
	}
	steps := make(chan string, 100)
	asked := 0
	env := tools.Env{Person: true, Progress: func(line string) { steps <- line }, Conversation: tools.Conversation{Ask: func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		asked++
		values := map[string]any{}
		for _, field := range inquiry.Fields {
			switch {
			case field.Type == messages.BooleanField:
				values[field.Name] = true
			case field.Required:
				values[field.Name] = "Ada"
			}
		}
		return tools.Reply{Answer: messages.Answer{Choice: messages.Yes, Values: values}}, nil
	}, Agents: func(_ context.Context, _ int, tasks []tools.Task) []tools.Report {
		return []tools.Report{{Outcome: messages.Completed, Text: "heard: " + tasks[0].Prompt}}
	}}}
	for _, tool := range manifest.Tools {
		args := map[string]string{
			"echo": `{"message":"hello"}`, "get-sum": `{"a":2,"b":3}`, "trigger-long-running-operation": `{"duration":1,"steps":4}`,
			"get-tiny-image": `{}`, "get-structured-content": `{"location":"New York"}`, "trigger-elicitation-request": `{}`, "trigger-sampling-request": `{"prompt":"say hi","maxTokens":50}`, "get-env": `{}`,
		}[tool.Name]
		if args == "" {
			continue
		}
		text, err := call(t, session, env, tool.Name, args)
		t.Logf("%s: %.120q %v", tool.Name, text, err)
		if err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		switch {
		case tool.Name == "echo" && !strings.Contains(text, "hello"), tool.Name == "get-sum" && !strings.Contains(text, "5"),
			tool.Name == "get-tiny-image" && !strings.Contains(text, "[a picture: image/png"),
			tool.Name == "trigger-long-running-operation" && len(steps) == 0,
			tool.Name == "trigger-elicitation-request" && asked == 0,
			tool.Name == "trigger-sampling-request" && (!strings.Contains(text, "heard:") || !strings.Contains(text, "say hi")):
			t.Errorf("%s: %q, %d steps, asked %d times", tool.Name, text, len(steps), asked)
		}
	}
	list, err := session.Resources(t.Context())
	if err != nil || len(list) == 0 {
		t.Fatalf("%d resources, %v", len(list), err)
	}
	if text, err := session.Read(t.Context(), list[0].URI); err != nil || text == "" {
		t.Errorf("%q, %v", text, err)
	}
}
