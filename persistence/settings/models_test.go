package settings

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// The user's providers are read in the order of the file, and each error names its line.
func TestProvidersAreConfigured(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	write := func(text string) (Config, error) {
		storetest.Put(t, home.Path("config.yaml"), text)
		return Read(home)
	}
	config, err := write(`providers:
  mine:
    wire: anthropic
    url: https://gateway.example/v1
    key: $MINE_KEY
    headers: {X-Title: mine, X-Gate: $GATE}
    body: {top_k: 20, options: {mirostat: 1}}
    models:
      m1: {window: 200000, price: {in: 3, out: 15, cached: 0.3}, sees: true, efforts: [low, medium, high]}
      m0:
  ollama: {models: {x: {window: 8000}}}
roles: {default: mine/m1, small: [mine/m0, ollama/qwen3:4b]}
`)
	if err != nil {
		t.Fatal(err)
	}
	mine := config.Providers[0]
	if mine.Name != "mine" || mine.Wire != "anthropic" || mine.URL != "https://gateway.example/v1" || mine.Key != "$MINE_KEY" || len(mine.Models) != 2 || mine.Models[0].Name != "m1" {
		t.Errorf("mine is %+v", mine)
	}
	if len(mine.Headers) != 2 || mine.Headers["X-Gate"] != "$GATE" || !reflect.DeepEqual(mine.Body, map[string]any{"top_k": 20.0, "options": map[string]any{"mirostat": 1.0}}) {
		t.Errorf("headers %v, body %v", mine.Headers, mine.Body)
	}
	if m1 := mine.Models[0]; m1.Window != 200000 || m1.Price.Input != 3 || *m1.Price.Cached != 0.3 || !*m1.Sees || len(m1.Efforts) != 3 {
		t.Errorf("m1 is %+v", m1)
	}
	if config.Providers[1].Name != "ollama" || config.Roles["default"][0] != "mine/m1" || config.Roles["small"][1] != "ollama/qwen3:4b" {
		t.Errorf("%+v", config)
	}
	for text, want := range map[string]string{
		"providers:\n  mine:\n    url: nonsense\n":                              ":3: ",
		"providers:\n  mine:\n    key: sk-12345678\n":                           "must not contain the key itself",
		"providers:\n  mine:\n    wire: gopher\n":                               "not one of chat",
		"providers:\n  mine:\n    url: http://x\n    models: {m: {windw: 3}}\n": "window",
		"providers: {m: {headers: {Host: x}}}\n":                                "not a header that can be set",
		"providers: {m: {headers: {X-A: [1]}}}\n":                               "one-line value",
		"providers: {m: {body: {messages: []}}}\n":                              "Marvin sets the field",
		"providers: {m: {body: [1]}}\n":                                         "request fields",
		"roles: {tiny: a/b}\n":                                                  "there is no role",
		"private: ~/taxes\n":                                                    "must map directories to providers",
		"private:\n":                                                            "lists no directory",
		"private: {taxes: [ollama]}\n":                                          "begins with / or ~/",
		"private: {~/taxes: [a/b]}\n":                                           "must map directories to providers",
		"private: {~/taxes: {x: y}}\n":                                          "must map directories to providers",
		"private: [~/taxes, ~/taxes]\n":                                         "is listed twice",
		"privat: [~/taxes]\n":                                                   "no setting",
		"providers: {m: {models: {x: {efforts: [huge]}}}}\n":                    "efforts must be a list",
	} {
		_, err := write(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if strings.HasPrefix(text, "privat") && !errors.As(err, new(*GuardsError)) {
			t.Errorf("%q: what may not leave is unknown, and Marvin would continue: %v", text, err)
		}
	}
}

func TestPrivateDirectories(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	for text, want := range map[string][]Private{
		"private: {~/taxes: [ollama, Mine], /srv/x: [], ~/y: local}\n": {{"~/taxes", []string{"ollama", "mine"}}, {"/srv/x", []string{}}, {"~/y", []string{"local"}}},
		"private: [~/taxes]\n": {{"~/taxes", []string{"local"}}},
	} {
		storetest.Put(t, home.Path("config.yaml"), text)
		if config, err := Read(home); err != nil || !reflect.DeepEqual(config.Private, want) {
			t.Errorf("%q: %+v, %v", text, config.Private, err)
		}
	}
}
