package providers

import (
	"errors"
	"strings"
	"testing"
)

func TestAKeyStaysWithItsHost(t *testing.T) {
	pool, err := NewPool(Provider{Name: "Groq", BaseURL: "https://elsewhere.example/v1"}, Provider{Name: "gemini", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	wishes := world(t, map[string]string{"GROQ_API_KEY": "usual", "GEMINI_API_KEY": "g"}, map[string]string{"GROQ_API_KEY": "usual"})
	wishes.Pool, wishes.Provider = pool, "groq"
	got, err := Resolve(wishes)
	if err != nil || got.BaseURL != "https://elsewhere.example/v1" || got.Key != "" {
		t.Errorf("the usual key goes to another host: %+v, %v", got, err)
	}
	wishes.Provider = "gemini"
	if got, err = Resolve(wishes); err != nil || string(got.Key) != "g" || got.Model != "m" {
		t.Errorf("the same host has lost its key: %+v, %v", got, err)
	}
	kept := world(t, map[string]string{"OPENAI_COMPAT_URL": "https://elsewhere.example"}, nil)
	kept.Provider = OpenAICompat
	kept.StoredKey = func(string) (string, string) { return "given", "https://openrouter.ai/api/v1" }
	if got, err := Resolve(kept); !errors.Is(err, ErrNoKey) {
		t.Errorf("a key that was given for one address goes to another: %+v, %v", got, err)
	}
	kept.Getenv = func(string) string { return "" }
	if got, err := Resolve(kept); err != nil || string(got.Key) != "given" || got.KeyFrom != "marvin login" {
		t.Errorf("the key that was given is not used: %+v, %v", got, err)
	}
}

func TestUserProviders(t *testing.T) {
	if _, err := NewPool(Provider{Name: "new"}); err == nil || !strings.Contains(err.Error(), "url") {
		t.Errorf("a provider without an address: %v", err)
	}
	if _, err := NewPool(Provider{Name: "copilot", BaseURL: "https://x"}); err == nil {
		t.Error("Copilot got an address")
	}
	sees := true
	pool, err := NewPool(Provider{
		Name: "mine", Own: true, Wire: Messages, BaseURL: "https://x/v1", KeySource: "!cmd", Names: []string{"m1", "m2"},
		Models: map[string]About{"m1": {Window: 9000, Sees: &sees, Efforts: []Effort{Low, High}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	wishes := world(t, nil, nil)
	asked := ""
	wishes.Pool, wishes.Model = pool, "mine/m2"
	wishes.Key = func(source string) (string, error) { asked = source; return "k", nil }
	got, err := Resolve(wishes)
	if err != nil || got.Provider != "mine" || got.Model != "m2" || got.Wire != Messages || string(got.Key) != "k" || asked != "!cmd" || strings.Contains(got.KeyFrom, "cmd") {
		t.Errorf("%+v, %v, asked %q", got, err, asked)
	}
	about := pool.About("mine", "m1")
	if about.Window != 9000 || !*about.Sees || about.Fit(Max) != High || about.Fit(Medium) != Low || about.Fit("") != "" {
		t.Errorf("%+v", about)
	}
	if provider, model, ok := pool.Choice("openai/gpt-oss-120b"); ok {
		t.Errorf("a model with its maker's name became %s, %s", provider, model)
	}
	wishes.Model, wishes.Default = "", []string{"nowhere/x", "mine/m1"}
	if got, err = Resolve(wishes); err != nil || got.Model != "m1" {
		t.Errorf("the first default that can be asked: %+v, %v", got, err)
	}
	wishes.Default = wishes.Default[:1]
	if got, err = Resolve(wishes); err == nil {
		t.Errorf("another model than the person chose answers: %+v", got)
	}
}

// A role selects its models, whatever the environment contains.
func TestARoleGoesBeforeTheEnvironment(t *testing.T) {
	env := map[string]string{"LLM_PROVIDER": "ollama", "MARVIN_MODEL": "x", "GROQ_API_KEY": "k"}
	selection, err := Resolve(Wishes{Getenv: func(name string) string { return env[name] }, Role: []string{"gemini/none", "groq/small-one"}})
	if err != nil || selection.Provider != "groq" || selection.Model != "small-one" {
		t.Errorf("%+v, %v", selection, err)
	}
}

func TestTheLargerModelIsTheNextOne(t *testing.T) {
	pool, err := NewPool(Provider{Name: "mine", BaseURL: "https://x/v1", Names: []string{"s", "l", "m", "as l"}, Models: map[string]About{"s": {Window: 1000}, "m": {Window: 5000}, "as l": {Window: 9000}, "l": {Window: 9000}}})
	if err != nil {
		t.Fatal(err)
	}
	for tokens, want := range map[int]string{900: "s", 1000: "m", 6000: "l", 9000: ""} {
		if got, _ := pool.Larger("mine", "", tokens); got != want {
			t.Errorf("for %d tokens %q, want %q", tokens, got, want)
		}
	}
	if got, _ := pool.Larger("mine", "m", 4000); got != "l" {
		t.Errorf("%q takes the place of m, which refused 4000 tokens", got)
	}
	if got, _ := pool.Larger("groq", "", 1000, "llama-3.3-70b-versatile"); got != "llama-3.3-70b-versatile" {
		t.Errorf("of those that roles name: %q", got)
	}
}

func TestOpenAIIsSpokenNatively(t *testing.T) {
	for want, own := range map[Wire][]Provider{
		Responses: {{}, {Name: "openai", Model: "m"}, {Name: "openai", BaseURL: "https://x/v1", Wire: Responses}},
		Chat:      {{Name: "openai", Wire: Chat}, {Name: "openai", BaseURL: "https://x/v1"}},
		Messages:  {{Name: "openai", BaseURL: "https://x/v1", Wire: Messages}},
	} {
		for _, row := range own {
			pool := Pool{}
			if row.Name != "" {
				var err error
				if pool, err = NewPool(row); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := pool.Lookup("openai"); err != nil || got.Wire != want {
				t.Errorf("%+v: %q, %v, want %q", row, got.Wire, err, want)
			}
		}
	}
	for _, name := range []string{OpenAICompat, "groq", "openrouter"} {
		if got, _ := lookup(name); got.Wire != "" && got.Wire != Chat {
			t.Errorf("%s is spoken with over %s", name, got.Wire)
		}
	}
}

// A server with Ollama's protocol has the requested window, unless its model has a smaller one;
// other providers do not.
func TestAWindowThatIsAskedForIsTheWindow(t *testing.T) {
	pool, err := NewPool(Provider{Name: "attic", BaseURL: "http://x", Wire: OllamaWire, Models: map[string]About{"small": {Window: 2048}, "large": {Window: 65536}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		provider, model    string
		unasked, asked4096 int
	}{
		{Ollama, "llama3.2", 32768, 4096},
		{Ollama, "gpt-oss:20b", 32768, 4096},
		{"attic", "small", 2048, 2048},
		{"attic", "large", 65536, 4096},
		{"attic", "other", 0, 4096},
		{"groq", "llama-3.3-70b-versatile", 131072, 131072},
	} {
		if got := pool.About(test.provider, test.model).Window; got != test.unasked {
			t.Errorf("%s/%s unasked: %d", test.provider, test.model, got)
		}
		if got := pool.WithWindow(4096).About(test.provider, test.model).Window; got != test.asked4096 {
			t.Errorf("%s/%s asked for 4096: %d", test.provider, test.model, got)
		}
	}
	if model, ok := pool.WithWindow(4096).Larger(Ollama, "", 5000, "llama3.2"); ok {
		t.Errorf("%s has no more than is asked for", model)
	}
}
