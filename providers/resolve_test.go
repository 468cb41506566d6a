package providers

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// world is an environment with key files, as tools/internal/keys reads them.
func world(t *testing.T, variables, keyFiles map[string]string) Wishes {
	t.Helper()
	return Wishes{
		Getenv: func(name string) string { return variables[name] },
		KeyFile: func(name string) (text, path, problem string) {
			switch text, ok := keyFiles[name]; {
			case !ok:
				return "", "~/.ssh/" + name, "does not exist"
			case strings.TrimSpace(text) == "":
				return "", "~/.ssh/" + name, "is empty"
			default:
				return strings.TrimSpace(text), "~/.ssh/" + name, ""
			}
		},
	}
}

func TestResolveChoosesProviderAndModel(t *testing.T) {
	type env = map[string]string
	tests := []struct {
		name            string
		env, files      env
		provider, model string // flags
		headless, up    bool
		script          bool
		copilot         bool   // installed and logged in
		want            string // provider model keyFrom
	}{
		{name: "nothing at all is the built-in", want: "offline built-in "},
		{name: "a running Ollama is found", up: true, want: "ollama qwen3-coder:30b "},
		{name: "a key beats Ollama", up: true, env: env{"OPENAI_API_KEY": "k"}, want: "openai gpt-5.1 OPENAI_API_KEY"},
		{name: "the first key counts", env: env{"OPENAI_API_KEY": "k", "GEMINI_API_KEY": "k"}, want: "gemini gemini-3-pro-preview GEMINI_API_KEY"},
		{name: "a key file is a key", files: env{"GROQ_API_KEY": "k\n"}, want: "groq llama-3.3-70b-versatile ~/.ssh/GROQ_API_KEY"},
		{name: "the variable beats the file", env: env{"GROQ_API_KEY": "k"}, files: env{"GROQ_API_KEY": "other"}, want: "groq llama-3.3-70b-versatile GROQ_API_KEY"},
		{name: "an empty key file is none", files: env{"GROQ_API_KEY": " \n"}, want: "offline built-in "},
		{name: "openai keys have no file", files: env{"OPENAI_API_KEY": "k"}, want: "offline built-in "},
		{name: "a local compatible server needs no key", env: env{"OPENAI_COMPAT_URL": "http://127.0.0.1:8080", "OPENAI_COMPAT_MODEL": "m"}, want: "openai-compat m "},
		{name: "its model is one of its own", env: env{"OPENAI_COMPAT_URL": "http://127.0.0.1:8080"}, want: "openai-compat listed "},
		{name: "but not in a script", script: true, env: env{"OPENAI_COMPAT_URL": "http://127.0.0.1:8080"}, want: "openai-compat qwen/qwen3-32b "},
		{name: "also a distant one's", env: env{"OPENAI_COMPAT_URL": "https://example.org/v1", "OPENAI_COMPAT_API_KEY": "k"}, want: "openai-compat listed OPENAI_COMPAT_API_KEY"},
		{name: "the usual address has a usual model", env: env{"OPENAI_COMPAT_API_KEY": "k"}, want: "openai-compat qwen/qwen3-32b OPENAI_COMPAT_API_KEY"},
		{name: "a distant one does", env: env{"OPENAI_COMPAT_URL": "https://example.org/v1"}, want: "offline built-in "},
		{name: "LLM_PROVIDER names one", env: env{"LLM_PROVIDER": "Ollama", "GROQ_API_KEY": "k"}, want: "ollama qwen3-coder:30b "},
		{name: "the flag beats LLM_PROVIDER", provider: "offline", env: env{"LLM_PROVIDER": "ollama"}, want: "offline built-in "},
		{name: "the provider's model variable", env: env{"GROQ_API_KEY": "k", "GROQ_MODEL": "m"}, want: "groq m GROQ_API_KEY"},
		{name: "MARVIN_MODEL beats it when headless", headless: true, env: env{"GROQ_API_KEY": "k", "GROQ_MODEL": "m", "MARVIN_MODEL": "n"}, want: "groq n GROQ_API_KEY"},
		{name: "MARVIN_MODEL is ignored otherwise", env: env{"GROQ_API_KEY": "k", "MARVIN_MODEL": "n"}, want: "groq llama-3.3-70b-versatile GROQ_API_KEY"},
		{name: "MARVIN_MODEL may name a provider", headless: true, env: env{"GROQ_API_KEY": "k", "OPENAI_API_KEY": "k", "LLM_PROVIDER": "groq", "MARVIN_MODEL": "openai"}, want: "openai gpt-5.1 OPENAI_API_KEY"},
		{name: "which the flag beats", provider: "groq", headless: true, env: env{"GROQ_API_KEY": "k", "MARVIN_MODEL": "openai"}, want: "groq llama-3.3-70b-versatile GROQ_API_KEY"},
		{name: "--model beats all", model: "x", headless: true, env: env{"GROQ_API_KEY": "k", "GROQ_MODEL": "m", "MARVIN_MODEL": "n"}, want: "groq x GROQ_API_KEY"},
		{name: "Copilot comes first", copilot: true, up: true, env: env{"GROQ_API_KEY": "k"}, want: "copilot claude-haiku-4.5 "},
		{name: "unless another is named", copilot: true, env: env{"LLM_PROVIDER": "ollama"}, want: "ollama qwen3-coder:30b "},
		{name: "the flag names Copilot", provider: "copilot", want: "copilot claude-haiku-4.5 "},
		{name: "Copilot's own variable for the model", provider: "copilot", env: env{"COPILOT_MODEL": "m"}, want: "copilot m "},
		{name: "which ours beats", provider: "copilot", env: env{"COPILOT_MODEL": "m", "MARVIN_CHAT_MODEL": "n"}, want: "copilot n "},
		{name: "the built-in has no other model", provider: "offline", model: "x", want: "offline built-in "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wishes := world(t, test.env, test.files)
			wishes.Provider, wishes.Model, wishes.Headless, wishes.AtTerminal = test.provider, test.model, test.headless, !test.script
			wishes.FindRunning = func(servers []Server) int {
				if test.up && servers[0].URL == "http://localhost:11434" {
					return 0
				}
				return -1
			}
			wishes.Pick = func(server Server) (model, why string) {
				if string(server.Key) == test.env["OPENAI_COMPAT_API_KEY"] && !server.Local {
					return "listed", "it has this one"
				}
				return "", ""
			}
			wishes.CopilotUsable = func() (bool, string) { return test.copilot, "it is there" }
			got, err := Resolve(wishes)
			if err != nil {
				t.Fatal(err)
			}
			if text := got.Provider + " " + got.Model + " " + got.KeyFrom; text != test.want {
				t.Errorf("got %q (%s), want %q", text, got.Why, test.want)
			}
			if got.Why == "" || strings.Contains(got.Why, "\n") {
				t.Errorf("reason is %q, want one line", got.Why)
			}
			if got.KeyFrom != "" && string(got.Key) != "k" {
				t.Errorf("key is %q", string(got.Key))
			}
		})
	}
}

func TestResolveErrorsSayTheNextStep(t *testing.T) {
	tests := []struct {
		name, provider string
		env            map[string]string
		noKey          bool
		says           []string
	}{
		{name: "unknown provider", provider: "gork", says: []string{"--provider gork", `"gork"`, "copilot, gemini, groq, openai, openai-compat, anthropic, "}},
		{name: "unknown in the environment", env: map[string]string{"LLM_PROVIDER": "gork"}, says: []string{"LLM_PROVIDER=gork", "gemini"}},
		{name: "no key", provider: "groq", noKey: true, says: []string{"GROQ_API_KEY is not set", "/.ssh/GROQ_API_KEY does not exist", "https://console.groq.com/keys", "--provider offline"}},
		{name: "no key and no file to look in", provider: "openai", noKey: true, says: []string{"Set OPENAI_API_KEY", "--provider ollama"}},
		{name: "no address", provider: "ollama", env: map[string]string{"OLLAMA_URL": "ftp://me:hush@host"}, says: []string{"OLLAMA_URL", "http://localhost:11434"}},
		{name: "two keys in one variable", provider: "groq", env: map[string]string{"GROQ_API_KEY": "hush\nhush"}, says: []string{"GROQ_API_KEY", "is not a key"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wishes := world(t, test.env, nil)
			wishes.Provider = test.provider
			_, err := Resolve(wishes)
			if err == nil {
				t.Fatal("no error")
			}
			if errors.Is(err, ErrNoKey) != test.noKey {
				t.Errorf("wraps ErrNoKey: %v", !test.noKey)
			}
			for _, part := range test.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			if strings.Contains(err.Error(), "hush") {
				t.Errorf("%q shows a secret", err)
			}
		})
	}
}

func TestABrokenKeyFileIsNotPassedOver(t *testing.T) {
	wishes := world(t, nil, map[string]string{"GEMINI_API_KEY": "hush\nhush again\n"})
	_, err := Resolve(wishes)
	if err == nil || errors.Is(err, ErrNoKey) || !strings.Contains(err.Error(), "/.ssh/GEMINI_API_KEY") {
		t.Errorf("error is %v, want one about the file", err)
	}
	if err != nil && strings.Contains(err.Error(), "hush") {
		t.Errorf("%q shows the key", err)
	}
}

func TestBaseURLUnderstandsEndpointsAndHosts(t *testing.T) {
	tests := []struct{ provider, variable, value, want string }{
		{OpenAICompat, "OPENAI_COMPAT_URL", "", "https://openrouter.ai/api/v1"},
		{OpenAICompat, "OPENAI_COMPAT_URL", "https://openrouter.ai/api/v1/chat/completions", "https://openrouter.ai/api/v1"},
		{OpenAICompat, "OPENAI_COMPAT_URL", "https://example.org/v1/", "https://example.org/v1"},
		{OpenAICompat, "OPENAI_COMPAT_URL", "http://[::1]:8000", "http://[::1]:8000/v1"},
		{OpenAICompat, "OPENAI_COMPAT_URL", " localhost:1234 ", "http://localhost:1234/v1"},
		{Ollama, "OLLAMA_URL", "", "http://localhost:11434"},
		{Ollama, "OLLAMA_URL", "box:11434/v1/", "http://box:11434"},
		{Ollama, "OLLAMA_URL", "https://example.org/ollama/api", "https://example.org/ollama"},
	}
	for _, test := range tests {
		wishes := world(t, map[string]string{test.variable: test.value, "OPENAI_COMPAT_API_KEY": "k", "OPENAI_COMPAT_MODEL": "m"}, nil)
		wishes.Provider = test.provider
		got, err := Resolve(wishes)
		if err != nil || got.BaseURL != test.want {
			t.Errorf("%s=%q gives %q, %v; want %q", test.variable, test.value, got.BaseURL, err, test.want)
		}
	}
}

// OLLAMA_HOST has the same meaning as for Ollama's own programs.
func TestOllamasOwnVariableSaysWhereItIs(t *testing.T) {
	for host, want := range map[string]string{
		"box": "http://box:11434", "box:1234": "http://box:1234", ":1234": "http://127.0.0.1:1234",
		"0.0.0.0": "http://127.0.0.1:11434", "0.0.0.0:1234": "http://127.0.0.1:1234", "[::]:1234": "http://[::1]:1234",
		"::1": "http://[::1]:11434", "[::1]": "http://[::1]:11434", "http://box": "http://box:80", "https://box": "https://box:443",
		"https://box/ollama/": "https://box:443/ollama", "box:99999": "http://box:11434", `"box"`: "http://box:11434", " ": "http://localhost:11434",
	} {
		wishes := world(t, map[string]string{"OLLAMA_HOST": host}, nil)
		wishes.Provider = Ollama
		if got, err := Resolve(wishes); err != nil || got.BaseURL != want {
			t.Errorf("OLLAMA_HOST=%q gives %q, %v; want %q", host, got.BaseURL, err, want)
		}
	}
	wishes := world(t, map[string]string{"OLLAMA_HOST": "box", "OLLAMA_URL": "other:1"}, nil)
	wishes.Provider = Ollama
	if got, err := Resolve(wishes); err != nil || got.BaseURL != "http://other:1" {
		t.Errorf("beside OLLAMA_URL: %q, %v", got.BaseURL, err)
	}
	for _, host := range []string{"ftp://box", "http://a b"} {
		wishes := world(t, map[string]string{"OLLAMA_HOST": host}, nil)
		wishes.Provider = Ollama
		if got, err := Resolve(wishes); err == nil || !strings.Contains(err.Error(), "OLLAMA_HOST") {
			t.Errorf("%q gives %q, %v", host, got.BaseURL, err)
		}
	}
}

func TestAModelThatIsThereIsChosen(t *testing.T) {
	for _, test := range []struct {
		variables       map[string]string
		provider, model string
		has, want, says string
	}{
		{nil, Ollama, "", "there:1b", "there:1b", "--provider ollama; it is installed"},
		{nil, "", "", "there:1b", "there:1b", "Ollama answers at http://localhost:11434; it is installed"},
		{nil, Ollama, "", "", "qwen3-coder:30b", "--provider ollama"},
		{nil, Ollama, "mine", "there:1b", "mine", "--provider ollama"},
		{map[string]string{"OLLAMA_MODEL": "mine"}, Ollama, "", "there:1b", "mine", "--provider ollama"},
	} {
		wishes := world(t, test.variables, nil)
		wishes.Provider, wishes.Model = test.provider, test.model
		wishes.FindRunning = func([]Server) int { return 0 }
		wishes.Pick = func(Server) (string, string) { return test.has, "it is installed" }
		if got, err := Resolve(wishes); err != nil || got.Model != test.want || !strings.HasSuffix(got.Why, test.says) {
			t.Errorf("%+v: %s (%s), %v", test, got.Model, got.Why, err)
		}
	}
}

func TestAKeyIsNeverPrinted(t *testing.T) {
	selection := Selection{Provider: "groq", Key: "hush", KeyFrom: "GROQ_API_KEY"}
	encoded, err := json.Marshal(selection)
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf("%v %+v %#v %s %q %s %s", selection, selection, selection, selection.Key, selection.Key, encoded, selection.KeyAdvice())
	if strings.Contains(shown, "hush") {
		t.Errorf("the key shows in %s", shown)
	}
}

func TestKeyAdviceNamesTheKey(t *testing.T) {
	wishes := world(t, nil, map[string]string{"GROQ_API_KEY": "k"})
	selection, err := Resolve(wishes)
	if err != nil {
		t.Fatal(err)
	}
	advice := selection.KeyAdvice()
	for _, part := range []string{"/.ssh/GROQ_API_KEY", "llama-3.3-70b-versatile", "https://console.groq.com/keys"} {
		if !strings.Contains(advice, part) {
			t.Errorf("%q does not say %q", advice, part)
		}
	}
	local := Selection{Provider: OpenAICompat, BaseURL: "http://localhost:1/v1"}
	if advice := local.KeyAdvice(); !strings.Contains(advice, "OPENAI_COMPAT_API_KEY") {
		t.Errorf("%q does not say which variable to set", advice)
	}
}
