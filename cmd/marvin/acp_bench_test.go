package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"marvin/providers/copilot"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

// opencodeAsking returns the variables that make opencode use the model server at an address.
func opencodeAsking(address string) []string {
	return []string{fmt.Sprintf(`OPENCODE_CONFIG_CONTENT={"model":"test/m","small_model":"test/m","autoupdate":false,"share":"disabled","provider":{"test":{"npm":"@ai-sdk/openai-compatible","name":"Test","options":{"baseURL":"%s/v1","apiKey":"k"},"models":{"m":{"name":"m","tool_call":true}}}}}`, address), "OPENCODE_DISABLE_MODELS_FETCH=1"}
}

// copilotAsking are those of the Copilot CLI.
func copilotAsking(address string) []string {
	return append(copilottest.Asking(address), "COPILOT_OFFLINE=true", "COPILOT_MODEL=test-model", "COPILOT_AUTO_UPDATE=false")
}

// agentProgram is a program that speaks ACP, with an open session.
type agentProgram struct {
	b       *testing.B
	in      io.Writer
	out     *bufio.Reader
	session string
	id      int
}

// agent starts a program and opens a session in a new directory.
func agent(b *testing.B, environ []string, name string, args ...string) *agentProgram {
	b.Helper()
	command := exec.Command(name, args...)
	command.Dir, command.Env = b.TempDir(), environ
	in, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	a := &agentProgram{b: b, in: in, out: bufio.NewReader(out)}
	a.call("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}}, nil)
	var opened struct{ SessionID string }
	if err := json.Unmarshal(a.call("session/new", map[string]any{"cwd": command.Dir, "mcpServers": []any{}}, nil), &opened); err != nil {
		b.Fatal(err)
	}
	a.session = opened.SessionID
	return a
}

// call sends a request and returns its result. update receives each update and its kind.
func (a *agentProgram) call(method string, params any, update func(kind string)) json.RawMessage {
	a.b.Helper()
	a.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": a.id, "method": method, "params": params})
	if err == nil {
		_, err = a.in.Write(append(line, '\n'))
	}
	for err == nil {
		var came struct {
			ID            json.RawMessage
			Method        string
			Result, Error json.RawMessage
			Params        struct {
				Update struct{ SessionUpdate string }
			}
		}
		if line, err = a.out.ReadBytes('\n'); err != nil || json.Unmarshal(line, &came) != nil {
			continue // some programs print other lines
		}
		switch {
		case came.Method == "session/update" && update != nil:
			update(came.Params.Update.SessionUpdate)
		case came.Method == "" && string(came.ID) == fmt.Sprint(a.id) && came.Error == nil:
			return came.Result
		case came.Method == "" && string(came.ID) == fmt.Sprint(a.id):
			a.b.Fatalf("%s: %s", method, came.Error)
		}
	}
	a.b.Fatalf("%s: %v", method, err)
	return nil
}

// answers sends one prompt, and returns the times until the first update and until the first word.
func (a *agentProgram) answers() (first, word time.Duration) {
	a.b.Helper()
	begun := time.Now()
	a.call("session/prompt", map[string]any{"sessionId": a.session, "prompt": []any{map[string]string{"type": "text", "text": "hello"}}}, func(kind string) {
		if first == 0 {
			first = time.Since(begun)
		}
		if kind == "agent_message_chunk" && word == 0 {
			word = time.Since(begun)
		}
	})
	return first, word
}

// The first update after a prompt of an editor in a warm session must come within 20 ms. Other
// agents that are on PATH answer the same model server in turn.
func BenchmarkEditorPrompt(b *testing.B) {
	server := httptest.NewServer(modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("Well.") }).Foreign())
	b.Cleanup(server.Close)
	home := func() string { return "HOME=" + b.TempDir() }
	marvin := filepath.Join(b.TempDir(), "marvin")
	release(b, marvin, ".")
	agents := map[string]*agentProgram{"marvin": agent(b, []string{home(), "PATH=" + os.Getenv("PATH"), "OPENAI_COMPAT_URL=" + server.URL + "/v1", "OPENAI_COMPAT_API_KEY=k"}, marvin, "acp", "--provider", "openai-compat")}
	if program, err := exec.LookPath("opencode"); err == nil {
		agents["opencode"] = agent(b, append(opencodeAsking(server.URL), home(), "PATH="+os.Getenv("PATH")), program, "acp")
	}
	if program, err := copilot.Find(os.Environ()); err == nil {
		agents["copilot"] = agent(b, copilottest.Environ(b.TempDir(), append(copilotAsking(server.URL), "COPILOT_ALLOW_ALL=true")...), program, "--acp")
	}
	for b.Loop() {
		firsts, words := map[string][]time.Duration{}, map[string][]time.Duration{}
		for round := range 24 {
			for name, one := range agents {
				if first, word := one.answers(); round >= 3 { // the first ones warm the session
					firsts[name], words[name] = append(firsts[name], first), append(words[name], word)
				}
			}
		}
		values := map[string]float64{}
		for name := range agents {
			slices.Sort(firsts[name])
			slices.Sort(words[name])
			values[name+"-first-ms"], values[name+"-word-ms"] = ms(firsts[name][len(firsts[name])/2]), ms(words[name][len(words[name])/2])
		}
		report(b, values)
	}
}
