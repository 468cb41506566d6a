package actorstest

import (
	"cmp"
	"net/http"
	"testing"
	"time"

	"marvin/actors"
	"marvin/persistence"
	"marvin/persistence/audit"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/dialect"
	"marvin/providers/limit"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
	"marvin/providers/retry"
	"marvin/tools"
	"marvin/tools/hooks"
	"marvin/tools/language"
	"marvin/tools/toolbox"
)

// Setup configures a tree. The zero value is a coding conversation without tools and without a
// directory.
type Setup struct {
	Server *modeltest.Server
	Other  *modeltest.Server // the fallback server; nil for none
	HTTP   *http.Client      // nil means that Start makes a client for the test
	Wire   modeltest.Wire    // the protocol to speak; OpenAI if empty
	Retry  bool              // retry failed requests
	// Models configures the models. If Connect is nil, the provider "copilot" connects to Setup.Other,
	// and all remaining providers connect to Setup.Server. If Choose is nil, every provider name is
	// accepted. The fields Fallback and Price are ignored.
	Models actors.Models
	// Config, if not nil, modifies the configuration of the tree.
	Config func(*actors.Config)
	Tools  []tools.Tool
	Dir    string
	Home   string // "" for none
	// Notifier and Alarms are used only if Policy.Person is true.
	Notifier actors.Notifier
	Alarms   actors.Alarms
	Policy   *actors.Policy
	// Keep begins a stored conversation in a home directory. If Keep is nil, nothing is stored.
	Keep    func(*persistence.Home) *actors.StoredSession
	Begin   func(*actors.Conversation) // a function that modifies the new conversation, or nil
	Sandbox *tools.Sandbox             // nil means no restrictions
	Others  actors.Extensions          // only Servers and Reread are used
	Sources []toolbox.Source           // sources of tools besides the built-in ones
	Find    bool                       // the registry contains find_tools
	Environ []string
	Lsp     *language.Set      // the language servers, or nil; the tree uses Lsp.Now as its clock
	Rules   *tools.Permissions // nil for none
	Hooks   map[string][]settings.Hook
	Tuning  actors.Tuning
	Context actors.ContextLimits
	Wait    time.Duration // defaults to Patience; longer only in tests with a virtual clock
}

func (setup Setup) config(t *testing.T, client *http.Client) actors.Config {
	t.Helper()
	registry := &toolbox.Registry{}
	registry.Add(setup.Tools...)
	if setup.Find {
		registry.Add(toolbox.FindTool(registry))
	}
	shelf := toolbox.NewShelf(registry)
	for _, source := range setup.Sources {
		shelf.Add(source)
	}
	now := time.Now
	if setup.Lsp != nil {
		now = setup.Lsp.Now
	}
	own, problems := hooks.New(setup.Hooks, func(name string) (string, bool) {
		tool, ok := registry.Lookup(name)
		return tool.Name, ok
	})
	for _, problem := range problems {
		t.Error(problem)
	}
	setup.Tuning.Shutdown = cmp.Or(setup.Tuning.Shutdown, Patience)
	config := actors.Config{
		Tools: shelf, Environ: setup.Environ, Version: "test", Home: persistence.Open(setup.Home, now), Languages: setup.Lsp, Now: now, Tuning: setup.Tuning, Context: setup.Context,
		Audit: audit.Log{Now: time.Now}, Models: setup.models(t, client), Notifier: setup.Notifier, Alarms: setup.Alarms,
		Sandbox: setup.Sandbox, Permissions: setup.Rules, Others: actors.Extensions{Servers: setup.Others.Servers, Hooks: own, HookClient: client, Reread: setup.Others.Reread},
	}
	if setup.Config != nil {
		setup.Config(&config)
	}
	return config
}

func (setup Setup) models(t *testing.T, client *http.Client) actors.Models {
	t.Helper()
	models := setup.Models
	if models.Connect == nil {
		models.Connect = func(choice actors.Choice) (providers.Model, error) { return setup.connect(choice, client), nil }
	}
	if models.Choose == nil {
		models.Choose = func(provider string) (actors.Choice, error) {
			return actors.Choice{Provider: provider, Model: "other-model"}, nil
		}
	}
	models.Fallback = func(failed actors.Choice) (actors.Choice, bool) {
		return actors.Choice{Provider: "copilot", Model: "other-model"}, setup.Other != nil && failed.Provider != "copilot"
	}
	var err error
	models.Price, err = providers.NewPrices(map[string]providers.Price{"test-model": {Input: 1, Output: 10}, "other-model": {Input: 1, Output: 10}})
	if err != nil {
		t.Fatal(err)
	}
	return models
}

func (setup Setup) connect(choice actors.Choice, client *http.Client) providers.Model {
	server := setup.Server
	if choice.Provider == "copilot" {
		server = setup.Other
	}
	var model providers.Model = openaichat.New(openaichat.Config{
		Provider: choice.Provider, Model: choice.Model, BaseURL: server.URL + "/v1", Key: "test-key", HTTP: client,
	})
	if setup.Wire == modeltest.Ollama {
		model = ollama.New(ollama.Config{URL: server.URL, Model: choice.Model, HTTP: client})
	}
	model = limit.Wrap(model)
	if setup.Retry {
		model = retry.Wrap(model, retry.Policy{Provider: choice.Provider}, retry.NewGate(time.Now))
	}
	return dialect.Wrap(model)
}
