package providers

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
)

// ownPool is a pool with user-defined providers.
func ownPool(t *testing.T) Pool {
	t.Helper()
	yes, no := true, false
	pool, err := NewPool(
		Provider{Name: "here", BaseURL: "http://127.0.0.1:8080/v1", Own: true, Names: []string{"small", "big", "mid"}, Models: map[string]About{
			"small": {Window: 1000, Sees: &yes, Efforts: []Effort{}}, "big": {Window: 9000, Most: 5, Sees: &no, Efforts: []Effort{High}}, "mid": {Window: 5000},
		}},
		Provider{Name: "keyed", BaseURL: "https://k.example/v1", KeySource: "$KEYED", Own: true, Model: "m"},
		Provider{Name: "braced", BaseURL: "https://k.example/v1", KeySource: "${KEYED}", Own: true, Model: "m"},
		Provider{Name: "told", BaseURL: "https://k.example/v1", KeySource: "!pass show x", Own: true, Model: "m"},
		Provider{Name: "filed", BaseURL: "https://k.example/v1", KeySource: "file:/k", Own: true, Model: "m"},
		Provider{Name: "OLLAMA", Names: []string{"llama"}, Models: map[string]About{"llama": {Window: 4096}}},
		Provider{Name: "openai", BaseURL: "https://gateway.example/v1"},
		Provider{Name: "mistral", Wire: Responses, KeySource: "$KEYED"})
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// The golden file has the properties and choices of a pool with providers that the user added.
func TestOwnProviders(t *testing.T) {
	var out strings.Builder
	tell := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	pool := ownPool(t)
	for _, own := range []Provider{{Name: "copilot"}, {Name: Offline, BaseURL: "http://x"}, {Name: "new"}, {Name: "new", BaseURL: "x", Names: []string{"a", "b"}}} {
		made, err := NewPool(own)
		row, _ := made.Lookup(own.Name)
		tell("own %s: %v, model %q", own.Name, err, row.Model)
	}
	for _, row := range pool.All() {
		tell("row %s %s %s %q %s key %q %q %t %t; free %t; own %t", row.Name, row.Title(), row.Wire, row.Model, row.BaseURL, row.KeyVar, row.KeySource, row.KeyFile, row.Account, row.Free, row.Own)
	}
	for _, text := range []string{"", "here", "here/", "/small", "here/small", "HERE/a/b", "openai/gpt", "mistral/x", "groq/openai/x", "deepseek/x", "none/x"} {
		provider, model, ok := pool.Names(text)
		chosen, of, good := pool.Choice(text)
		tell("names %q: %s %s %t; choice %s %s %t", text, provider, model, ok, chosen, of, good)
	}
	for _, asked := range []int{0, 4096, 5000} {
		for _, name := range [][2]string{{"here", "small"}, {"here", "big"}, {"here", "mid"}, {"here", "other"}, {"ollama", "llama"}, {"ollama", "other"}, {"none", "x"}, {"anthropic", "claude-sonnet-4-5"}, {"deepseek", "deepseek-reasoner"}} {
			about, err := json.Marshal(pool.WithWindow(asked).About(name[0], name[1]))
			tell("about %v asked %d: %s, %d, %v", name, asked, about, pool.WithWindow(asked).RequestedWindow(name[0], name[1]), err)
		}
	}
	for _, tokens := range []int{0, 999, 1000, 4999, 5000, 8999, 9000} {
		for _, than := range []string{"", "small", "big"} {
			model, ok := pool.Larger("here", than, tokens, "other")
			tell("larger than %q with %d: %s %t", than, tokens, model, ok)
		}
	}
	_, none := pool.Larger("none", "", 0)
	tell("larger of none: %t", none)
	chosenOnes(t, pool, tell)
	goldentest.Assert(t, "pool.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func chosenOnes(t *testing.T, pool Pool, tell func(string, ...any)) {
	up := func(servers []Server) int { return len(servers) - 1 }
	for _, one := range []struct {
		what   string
		env    map[string]string
		change func(*Wishes)
	}{
		{"nothing", nil, func(*Wishes) {}},
		{"a server is up", nil, func(w *Wishes) { w.FindRunning = up }},
		{"no server is up", nil, func(w *Wishes) { w.FindRunning = func([]Server) int { return -1 } }},
		{"--model without a provider", nil, func(w *Wishes) { w.Model = "m" }},
		{"--model of one", nil, func(w *Wishes) { w.Model = "here/big" }},
		{"here", nil, func(w *Wishes) { w.Provider = "here" }},
		{"keyed, no key", nil, func(w *Wishes) { w.Provider = "keyed" }},
		{"keyed", map[string]string{"KEYED": "sk-1"}, func(w *Wishes) { w.Provider = "keyed" }},
		{"keyed, odd", map[string]string{"KEYED": "a b"}, func(w *Wishes) { w.Provider = "keyed" }},
		{"braced", map[string]string{"KEYED": "sk-1"}, func(w *Wishes) { w.Provider = "braced" }},
		{"mistral", map[string]string{"KEYED": "sk-1", "MISTRAL_API_KEY": "usual"}, func(w *Wishes) { w.Provider = "mistral" }},
		{"told, nobody looks", nil, func(w *Wishes) { w.Provider = "told" }},
		{"told", nil, func(w *Wishes) {
			w.Provider = "told"
			w.Key = func(source string) (string, error) { return "of-" + source[:1], nil }
		}},
		{"told, failing", nil, func(w *Wishes) {
			w.Provider = "told"
			w.Key = func(string) (string, error) { return "", errors.New("it is locked") }
		}},
		{"filed", nil, func(w *Wishes) {
			w.Provider = "filed"
			w.Key = func(source string) (string, error) { return source, nil }
		}},
		{"filed, odd", nil, func(w *Wishes) { w.Provider = "filed"; w.Key = func(string) (string, error) { return "a\nb", nil } }},
		{"a default", nil, func(w *Wishes) { w.Default = []string{"keyed/x", "here/mid"} }},
		{"a role", nil, func(w *Wishes) { w.Role = []string{"keyed/x", "here/mid"}; w.Model = "small" }},
		{"MARVIN_MODEL is a provider", map[string]string{"MARVIN_MODEL": "here"}, func(w *Wishes) { w.Headless = true }},
		{"MARVIN_MODEL is one of a provider", map[string]string{"MARVIN_MODEL": "here/big"}, func(w *Wishes) { w.Headless = true }},
		{"MARVIN_MODEL is a model", map[string]string{"MARVIN_MODEL": "big"}, func(w *Wishes) { w.Headless = true; w.Provider = "here" }},
		{"MARVIN_MODEL on a screen", map[string]string{"MARVIN_MODEL": "here/big"}, func(*Wishes) {}},
		{"LLM_PROVIDER", map[string]string{"LLM_PROVIDER": "here"}, func(*Wishes) {}},
		{"OLLAMA_HOST", map[string]string{"OLLAMA_HOST": "http://far.example:1"}, func(*Wishes) {}},
		{"a compatible one", map[string]string{"OPENAI_COMPAT_URL": "http://far.example/v1"}, func(*Wishes) {}},
	} {
		wishes := world(t, one.env, nil)
		wishes.Pool = pool
		one.change(&wishes)
		got, err := Resolve(wishes)
		tell("chosen %s: %s %s %s key %q from %q; %s; %s; %v; no key %t; here %v", one.what, got.Provider, got.Model, got.BaseURL, string(got.Key), got.KeyFrom, got.Why, got.KeyAdvice(), err, errors.Is(err, ErrNoKey), wishes.LocalProviders())
		wishes.Pool = Pool{}
		if got, err = Resolve(wishes); err == nil {
			tell("  without own: %s %s; %s", got.Provider, got.Model, got.Why)
		}
	}
}

// The golden file has the results for names, ids and arguments at the limits of what can be sent,
// and for errors of servers.
func TestRequestEdges(t *testing.T) {
	var out strings.Builder
	tell := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	ids := map[string]bool{"call_2": true}
	for i, call := range []messages.ToolCall{
		{ID: "a", Name: "@AZ[`az{/09:_-.é", Args: json.RawMessage(`{"a":1}`)},
		{ID: "a", Name: ""},
		{ID: " ", Name: strings.Repeat("n", maxToolName)},
		{ID: "!~", Name: strings.Repeat("n", maxToolName+1), Args: json.RawMessage(` null `)},
		{ID: "\x7f", Args: json.RawMessage(`"{\"b\":2}"`)},
		{ID: strings.Repeat("i", maxCallID), Args: json.RawMessage(`"\"{}\""`)},
		{ID: strings.Repeat("i", maxCallID+1), Args: json.RawMessage(`[1]`)},
		{ID: "x", Args: json.RawMessage("{\"c\":\"\xff\"}"), Opaque: json.RawMessage(`{`)},
		{ID: "y", Args: json.RawMessage(`{"d":"\ud800","n":12345678901234567890}`), Opaque: json.RawMessage(`{"o":1}`)},
		{ID: "z", Args: json.RawMessage(`{"d":"\\ud800"}`), Opaque: json.RawMessage("\"\xff\"")},
		{ID: "w", Args: json.RawMessage(`"\"\"\"`)},
		{ID: "v", Args: json.RawMessage(`{"e":`)},
		{ID: "u", Args: json.RawMessage(`"\"\\\"\\\\\\\"{}\\\\\\\"\\\"\""`)},
	} {
		fixed := repairCall(call, ids, i+1)
		tell("call %q %q %q: %q %q %s opaque %q", call.ID, call.Name, call.Args, fixed.ID, fixed.Name, fixed.Args, fixed.Opaque)
	}
	for _, body := range []string{
		``, `x`, `""`, `"plain"`, `[]`, `[{"error":"in a list"}]`, `{"code":"c"}`, `{"code":7,"message":"m"}`, `{"code":"c","message":"m"}`, `{"code":"c","message":"has c in it"}`, `{"error":{"message":"m","code":"inner"},"code":"outer"}`,
		`{"error":{"message":"m"},"code":"outer"}`, `{"error":null,"detail":[{"msg":"field"}]}`, `{"error_message":"e"}`, `{"error":{"message":"Provider returned error","metadata":{"raw":"upstream"}}}`, `{"error":{"error":{"error":{"error":{"error":"deep"}}}}}`,
		`{"error":{"error":{"error":{"error":"deep"}}}}`, `{"retryDelay":"34s"}`, `{"error":{"message":"m","details":[{"x":1},{"retryDelay":"1.5s"}]}}`, `[{"retryDelay":"-2s"},{"retryDelay":"2s"}]`, `{"retryDelay":"soon"}`, `{"error":{"resets_in_seconds":90}}`,
		`{"resets_in_seconds":-1}`, `{"resets_in_seconds":1.5}`, `{"resets_in_seconds":99999999999}`, `{"message":"the secret-key-1 is bad"}`, `<p>A <b>page</b><script>x</script><style>y</style> of <i>words</i>`, "line\none\x1b[2J\u202e",
	} {
		failure := ServerError("p", 400, []byte(body), "secret-key-1")
		tell("said %q: %q after %s", body, failure.Message, failure.RetryAfter)
	}
	for _, text := range []string{strings.Repeat("x", maxMessage), strings.Repeat("x", maxMessage+1), strings.Repeat("é", maxMessage/2), strings.Repeat("é", maxMessage/2) + "x"} {
		cleaned := Clean(text, "")
		tell("clean %d: %d …%s", len(text), len(cleaned), cleaned[len(cleaned)-8:])
	}
	for _, key := range []string{"sevenle", "eightlen", " eightlen "} {
		tell("clean of %q: %s", key, Clean("sevenle eightlen", key))
	}
	goldentest.Assert(t, "edges.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
