package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marvin/providers/modeltest"
)

// behindAGate starts a model server that answers only requests with a header, and one process. In
// the configuration, MODEL stands for the server's address.
func behindAGate(t *testing.T, config string) (server *modeltest.Server, marvin func(variables []string, words ...string) (stdout, stderr string, code int), asked func() string) {
	t.Helper()
	server = modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") }).Install(modeltest.Local{Name: "m2"})
	var mu sync.Mutex
	var paths []string
	listening := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, incoming *http.Request) {
		mu.Lock()
		paths = append(paths, incoming.URL.Path)
		mu.Unlock()
		if incoming.Header.Get("X-Gate") != "Bearer sesame" || incoming.Header.Get("X-Title") != "mine" {
			http.Error(to, "closed", http.StatusForbidden)
			return
		}
		server.ServeHTTP(to, incoming)
	}))
	t.Cleanup(listening.Close)
	home := t.TempDir()
	state := filepath.Join(home, ".config", "marvin")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte(strings.ReplaceAll(config, "MODEL", listening.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "title"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	marvin = func(variables []string, words ...string) (stdout, stderr string, code int) {
		command := exec.Command(os.Args[0], words...)
		command.Args[0], command.Dir = "marvin", t.TempDir()
		command.Env = append([]string{"HOME=" + home, sandboxHere(), "PATH=" + os.Getenv("PATH")}, variables...)
		return ends(t, command)
	}
	return server, marvin, func() string { mu.Lock(); defer mu.Unlock(); return strings.Join(paths, " ") }
}

// Every request to a provider has its configured headers, also requests that list its models. Every
// question has its configured fields. This also holds for an older configuration.
func TestHeadersAndFieldsOfAProviderAreSent(t *testing.T) {
	server, marvin, asked := behindAGate(t, `# `+strings.Repeat("long enough for a memo ", 12)+`
providers:
  mine: {url: MODEL/v1, key: $KEY, model: m1, headers: {X-Gate: "Bearer ${GATE}", X-Title: file:~/title}, body: {top_p: 0.5, temperature: 0}}
  near: {wire: ollama, url: MODEL, model: m2, headers: {X-Gate: "Bearer ${GATE}", X-Title: mine}, body: {options: {top_k: 7}}}
`)
	open := []string{"KEY=k", "GATE=sesame"}
	for range 2 {
		if stdout, stderr, code := marvin(open, "-n", "-p", "hi", "--provider", "mine"); code != 0 || stdout != "hello\n" {
			t.Fatalf("exit code %d, %q\n%s", code, stdout, stderr)
		}
		if sent := string(server.Requests()[len(server.Requests())-1].Raw); !strings.Contains(sent, `"top_p":0.5`) || !strings.Contains(sent, `"temperature":0`) {
			t.Errorf("sent was %s", sent)
		}
	}
	if stdout, stderr, code := marvin(open, "-n", "-p", "hi", "--provider", "near"); code != 0 || stdout != "hello\n" {
		t.Errorf("exit code %d, %q\n%s", code, stdout, stderr)
	}
	if sent := string(server.Requests()[len(server.Requests())-1].Raw); !strings.Contains(sent, `"top_k":7`) || !strings.Contains(sent, `"num_ctx"`) {
		t.Errorf("sent was %s", sent)
	}
	if stdout, stderr, _ := marvin(open, "models", "mine"); !strings.Contains(stdout, "mine/test-model") {
		t.Errorf("its models are %s%s", stdout, stderr)
	}
	if stdout, _, _ := marvin(append(open, "LLM_PROVIDER=near"), "doctor"); !strings.Contains(stdout, "m2, installed") {
		t.Errorf("the doctor says %s", stdout)
	}
	before := asked()
	if _, stderr, code := marvin(open[:1], "-n", "-p", "hi", "--provider", "mine"); code == 0 || !strings.Contains(stderr, "the variable GATE is not set") || asked() != before {
		t.Errorf("without the variable: exit code %d\n%s", code, stderr)
	}
}

// --model can name a model of the role default. A key in the environment then does not send the
// user's words to another provider.
func TestAModelIsOneOfRoleDefault(t *testing.T) {
	elsewhere := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("stolen") })
	server, marvin, _ := behindAGate(t, `roles: {default: near/lab}
providers:
  near: {url: MODEL/v1, headers: {X-Gate: Bearer sesame, X-Title: mine}}
  openai: {url: `+elsewhere.URL+`/v1, key: $OPENAI_API_KEY}
`)
	for _, words := range [][]string{{"--model", "qwen3"}, {"--model", "gpt-5.1"}, nil} {
		stdout, stderr, code := marvin([]string{"OPENAI_API_KEY=k"}, append([]string{"-n", "-p", "hi"}, words...)...)
		requests := server.Requests()
		if want := append(words, "", "lab")[1]; code != 0 || stdout != "hello\n" || len(elsewhere.Requests()) > 0 || requests[len(requests)-1].Model != want {
			t.Errorf("%q: exit code %d, %q\n%s", words, code, stdout, stderr)
		}
	}
}
