package main

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// withOllama starts a run with an Ollama that has these models.
func withOllama(t *testing.T, models []modeltest.Local, args ...string) (*exec.Cmd, *modeltest.Server) {
	t.Helper()
	server := modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") }).Install(models...)
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	command := process(t, nil)
	command.Args = append([]string{"marvin"}, args...)
	command.Env = append(command.Env[:3:3], "OLLAMA_HOST="+strings.TrimPrefix(listening.URL, "http://"))
	return command, server
}

var installedHere = []modeltest.Local{{Name: "nomic:latest", Can: []string{"embedding"}}, {Name: "llama3.2:latest"}}

// If no model is chosen, an existing model answers, and the first line names it.
func TestWithoutAModelOneThatIsThereAnswers(t *testing.T) {
	for _, args := range [][]string{{"-n", "-p", "hi"}, {"-n", "-p", "hi", "--provider", "ollama"}} {
		command, server := withOllama(t, installedHere, args...)
		stdout, stderr, code := ends(t, command)
		if code != 0 || stdout != "hello\n" || !strings.Contains(stderr, "ollama, llama3.2:latest (") || !strings.Contains(stderr, "this one is installed and can call tools") {
			t.Errorf("%q: exit code %d, %q\n%s", args, code, stdout, stderr)
		}
		if requests := server.Requests(); len(requests) != 1 || requests[0].Model != "llama3.2:latest" || requests[0].NumCtx != 32768 {
			t.Errorf("%d requests", len(requests))
		}
	}
}

func TestOllamasVariableForTheWindowCounts(t *testing.T) {
	command, server := withOllama(t, installedHere, "-n", "-p", "hi")
	command.Env = append(command.Env, "OLLAMA_CONTEXT_LENGTH=16384")
	if _, stderr, code := ends(t, command); code != 0 || server.Requests()[0].NumCtx != 16384 {
		t.Errorf("exit code %d, num_ctx %d\n%s", code, server.Requests()[0].NumCtx, stderr)
	}
	command, server = withOllama(t, installedHere, "-n", "-p", "hi")
	command.Env = append(command.Env, "OLLAMA_CONTEXT_LENGTH=plenty")
	if _, stderr, code := ends(t, command); code != 0 || server.Requests()[0].NumCtx != 32768 || !strings.Contains(stderr, `warning: OLLAMA_CONTEXT_LENGTH="plenty" is ignored`) {
		t.Errorf("exit code %d, num_ctx %d\n%s", code, server.Requests()[0].NumCtx, stderr)
	}
}

func TestASmallWindowOfOllamaIsSentFewerTools(t *testing.T) {
	sent := func(variable, config, parameters string) (bytes, window int) {
		command, server := withOllama(t, []modeltest.Local{{Name: "llama3.2:latest", Parameters: parameters}}, "-n", "-p", "hi")
		home := strings.TrimPrefix(command.Env[0], "HOME=")
		if err := os.MkdirAll(home+"/.config/marvin", 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(home+"/.config/marvin/config.yaml", []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		command.Env = append(command.Env, variable)
		if _, stderr, code := ends(t, command); code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		request := server.Requests()[0]
		for _, tool := range request.Tools {
			bytes += len(tool.Name) + len(tool.Doc) + len(tool.Schema)
		}
		return bytes, request.NumCtx
	}
	usual, _ := sent("OLLAMA_CONTEXT_LENGTH=", "", "")
	for _, test := range [][3]string{
		{"OLLAMA_CONTEXT_LENGTH=4096"},
		{"OLLAMA_CONTEXT_LENGTH=", "ollama: {num_ctx: 4096}\n"},
		{"OLLAMA_CONTEXT_LENGTH=", "", "stop \"<end>\"\nnum_ctx 4096"}, // of its Modelfile
		{"OLLAMA_CONTEXT_LENGTH=8192", "providers: {ollama: {models: {'llama3.2:latest': {window: 4096}}}}\n"},
	} {
		if got, window := sent(test[0], test[1], test[2]); window != 4096 || got == 0 || got > 4096 || got*2 > usual {
			t.Errorf("%q: %d bytes of tools for a window of %d, of %d usually", test, got, window, usual)
		}
	}
}

func TestTheDoctorSaysWhatIsInstalled(t *testing.T) {
	for _, test := range []struct {
		models    []modeltest.Local
		variables []string
		good      bool
		says      []string
	}{
		{installedHere, nil, true, []string{"Answers come from ollama, llama3.2:latest", "+ ollama           llama3.2:latest, installed\n"}},
		{installedHere, []string{"OLLAMA_MODEL=other"}, false, []string{"But it cannot answer: other is not installed", "- ollama           other is not installed; the installed models are nomic:latest, llama3.2:latest", "mend: ollama pull other   (or set OLLAMA_MODEL to an installed model)"}},
		{[]modeltest.Local{{Name: "gemma:2b", Can: []string{"completion"}}}, nil, true, []string{"+ ollama           gemma:2b, installed; it cannot call tools, so it can only talk"}},
		{[]modeltest.Local{}, nil, false, []string{"and has no models", "mend: ollama pull qwen3-coder:30b"}},
	} {
		command, _ := withOllama(t, test.models, "doctor")
		command.Env = append(command.Env, test.variables...)
		stdout, _, code := ends(t, command)
		if (code == 0) != test.good {
			t.Errorf("with %+v and %q the exit code is %d", test.models, test.variables, code)
		}
		for _, want := range test.says {
			if !strings.Contains(stdout, want) {
				t.Errorf("with %+v and %q it does not say %q:\n%s", test.models, test.variables, want, stdout)
			}
		}
	}
}
