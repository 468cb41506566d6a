package app

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	"marvin/actors"
	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/remote"
	"marvin/persistence"
	"marvin/providers"
	"marvin/providers/adapt"
	"marvin/providers/anthropic"
	"marvin/providers/copilot"
	"marvin/providers/dialect"
	"marvin/providers/limit"
	"marvin/providers/offline"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
	"marvin/providers/pace"
	"marvin/providers/responses"
	"marvin/providers/retry"
	"marvin/providers/thinktag"
	"marvin/tools"
	"marvin/ui/tui"
)

// models is a factory for provider clients. All conversations in the process share one gate per
// provider. The gate delays requests while the provider limits the rate.
type models struct {
	parts *App
	http  func() *http.Client // one client for all models, so that connections are reused

	mu    sync.Mutex
	gates map[string]*retry.Gate
	hosts map[[3]string]*adapt.Host       // keyed by provider, address and model
	local map[actors.Choice]*ollama.Model // the newest client for each Ollama model
}

func newModels(p *App) *models {
	return &models{parts: p, http: sync.OnceValue(p.streamClient), gates: map[string]*retry.Gate{}, hosts: map[[3]string]*adapt.Host{}, local: map[actors.Choice]*ollama.Model{}}
}

func (p *App) streamClient() *http.Client {
	client := accounts.ModelClient()
	client.Transport = sharedTransport{client.Transport}
	return client
}

// sharedTransport keeps idle connections open when a conversation ends. Otherwise the next prompt
// of a batch and the next sub-agent would have to reconnect. Idle connections close after
// [http.Transport.IdleConnTimeout].
type sharedTransport struct{ http.RoundTripper }

// connect returns a client for the chosen model. If the model is reached over HTTP, the client
// retries requests and recognizes tool calls that arrive as text.
func (m *models) connect(choice actors.Choice) (providers.Model, error) {
	selection, err := m.parts.Selected(choice)
	if err != nil {
		return nil, err
	}
	about := m.parts.Accounts.Pool.About(selection.Provider, selection.Model)
	host, err := m.adjustments(selection, about)
	if err != nil {
		return nil, err
	}
	client := host.Client(m.http())
	var model providers.Model
	switch selection.Wire {
	case providers.BuiltIn:
		mode := tools.Mode{Coding: true, Person: !m.parts.Opts.NonInteractive, ReadOnly: m.parts.ReadOnly}
		return offline.New(Finder{Registry: m.parts.Config.Tools, Mode: mode, Dir: m.parts.Dir}), nil
	case providers.SDK: // without retry.Wrap, because the Copilot CLI itself retries requests
		return limit.Wrap(host.Wrap(copilot.New(copilot.Config{CLI: m.parts.copilot, Model: selection.Model}))), nil
	case providers.OllamaWire:
		model = m.ollama(choice, ollama.Config{URL: selection.BaseURL, Model: selection.Model, HTTP: client, About: about, Window: m.parts.Accounts.Pool.RequestedWindow(selection.Provider, selection.Model)})
	case providers.Messages:
		model = anthropic.New(anthropic.Config{Provider: selection.Provider, BaseURL: selection.BaseURL, Key: string(selection.Key), Model: selection.Model, HTTP: client, About: about})
	case providers.Responses:
		config := responses.Config{Provider: selection.Provider, BaseURL: selection.BaseURL, Key: string(selection.Key), Model: selection.Model, HTTP: client, About: about}
		if row, err := m.parts.Accounts.Pool.Lookup(selection.Provider); err == nil && row.Account {
			config.BaseURL, config.Admit = m.parts.Accounts.ReplaceServer(selection.BaseURL), m.parts.Accounts.Admit(selection.Provider)
		}
		model = responses.New(config)
	case providers.Chat:
		model = openaichat.New(openaichat.Config{
			Provider: selection.Provider, BaseURL: selection.BaseURL, Key: string(selection.Key), Model: selection.Model, HTTP: client, About: about,
		})
	}
	policy := retry.Policy{Provider: selection.Provider, KeyHint: selection.KeyAdvice()}
	model = dialect.Wrap(thinktag.Wrap(retry.Wrap(limit.Wrap(host.Wrap(model)), policy, m.gate(selection.Provider))))
	if cli.WantsFullScreen(m.parts.World, m.parts.Opts) { // the screen changes only once per frame
		model = pace.Wrap(model, tui.Frame, m.parts.World.Now)
	}
	return model, nil
}

// adjustments returns the shared [adapt.Host] of a model, and creates the Host on first use.
func (m *models) adjustments(selection providers.Selection, about providers.About) (*adapt.Host, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := [3]string{selection.Provider, selection.BaseURL, selection.Model}
	if host := m.hosts[at]; host != nil {
		return host, nil
	}
	row, _ := m.parts.Accounts.Pool.Lookup(selection.Provider) // Lookup cannot fail, because the selection came from the pool
	header, err := m.parts.Accounts.Headers(row)
	if err != nil {
		return nil, err
	}
	host := &adapt.Host{Provider: selection.Provider, Model: selection.Model, Tools: about.Tools, Header: header, Body: map[string]any{}, Closed: selection.Wire == providers.SDK}
	// The ollama package itself repeats the reasoning in later requests.
	if selection.Wire != providers.OllamaWire {
		host.Origin = selection.Provider + "/" + selection.Model
	}
	if about.Asked > 0 {
		switch selection.Wire {
		case providers.Chat:
			host.Body["max_tokens"] = about.Asked
		case providers.Responses:
			if !row.Account { // servers for account logins reject this field
				host.Body["max_output_tokens"] = about.Asked
			}
		case providers.OllamaWire:
			host.Body["options"] = map[string]any{"num_predict": about.Asked}
		case providers.Messages, providers.SDK, providers.BuiltIn: // the anthropic package always sets max_tokens
		}
	}
	maps.Copy(host.Body, row.Body)
	host.Own = m.isOwnTool
	if home := m.parts.Config.Home; home != nil {
		kept, name := persistence.Adapted{Home: home}, selection.BaseURL+" "+selection.Model
		host.Begin(kept.Get(name))
		host.Keep = func(form []byte) { kept.Keep(name, form) }
	}
	m.hosts[at] = host
	return host, nil
}

func (m *models) isOwnTool(name string) bool {
	shelf := m.parts.Config.Tools
	return shelf != nil && slices.ContainsFunc(shelf.CurrentSnapshot().OwnTools(), func(tool tools.Tool) bool { return tool.Name == name })
}

// ollama returns a new client for an Ollama model, and stores the client in m.local.
func (m *models) ollama(choice actors.Choice, config ollama.Config) *ollama.Model {
	model := ollama.New(config)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.local[choice] = model
	return model
}

// window implements [actors.Models.AskServer] for Ollama models. For other models, window returns
// 0, 0.
func (m *models) window(choice actors.Choice) (window, widest int) {
	row, err := m.parts.Accounts.Pool.Lookup(choice.Provider)
	if err != nil || row.Wire != providers.OllamaWire {
		return 0, 0
	}
	known := func() *ollama.Model {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.local[choice]
	}
	if known() == nil {
		if _, err := m.connect(choice); err != nil {
			return 0, 0 // the first request reports the error
		}
	}
	return known().Window()
}

func (m *models) gate(provider string) *retry.Gate {
	m.mu.Lock()
	defer m.mu.Unlock()
	gate := m.gates[provider]
	if gate == nil {
		gate = retry.NewGate(m.parts.World.Now)
		m.gates[provider] = gate
	}
	return gate
}

// Selected resolves a choice. The selection includes the provider's address and key.
func (p *App) Selected(choice actors.Choice) (providers.Selection, error) {
	if choice.Provider == p.Selection.Provider && choice.Model == p.Selection.Model {
		return p.Selection, nil
	}
	return providers.Resolve(p.Accounts.Wishes(choice.Provider, choice.Model))
}

// chooseByName implements [actors.Models.Choose]. For a role, chooseByName returns the first
// available model.
func (p *App) chooseByName(name string) (actors.Choice, error) {
	wishes := p.Accounts.Wishes(name, "")
	if list := p.Accounts.Roles[name]; len(list) > 0 {
		wishes.Provider, wishes.Role = "", list
	} else if provider, model, ok := p.Accounts.Pool.Names(name); ok {
		wishes.Provider, wishes.Model = provider, model
	}
	selection, err := providers.Resolve(wishes)
	if err != nil {
		return actors.Choice{}, err
	}
	return actors.Choice{Provider: selection.Provider, Model: selection.Model}, nil
}

// fallback implements [actors.Models.Fallback]. The replacement is always Copilot.
func (p *App) fallback(failed actors.Choice) (actors.Choice, bool) {
	if failed.Provider == providers.Copilot || failed.Provider == providers.Offline {
		return actors.Choice{}, false
	}
	if usable, _ := copilot.Usable(tools.Trusted(p.World.Environ)); !usable {
		return actors.Choice{}, false
	}
	choice, err := p.chooseByName(providers.Copilot)
	return choice, err == nil
}

// restoreModel selects the model of a resumed conversation. For a new conversation, it selects the
// model that the user last chose in this project. Options that name a provider or model take
// precedence. If the model of a resumed conversation is unavailable, restoreModel prints a warning.
func (p *App) restoreModel() {
	p.Keeping.Begin(p, cli.OpenHome(p.World))
	p.Accounts.Copilot = p.copilot
	defer func() { p.Accounts.Start = actors.Choice{Provider: p.Selection.Provider, Model: p.Selection.Model} }()
	was, now := p.Opts.Left.Choice, actors.Choice{Provider: p.Selection.Provider, Model: p.Selection.Model}
	if was.Provider == "" || was == now || p.Opts.Provider != "" || p.Opts.Model != "" {
		return
	}
	selection, err := providers.Resolve(p.Accounts.Wishes(was.Provider, was.Model))
	if err != nil {
		fmt.Fprintf(p.World.Stderr, "warning: %s %s, which answered earlier in this conversation, is no longer available (%v); %s %s answers instead.\n", was.Provider, was.Model, err, now.Provider, now.Model)
		return
	}
	p.Selection = selection
}

// modelsOf reads each role's list of models only once. If a changed key makes a model unusable,
// Marvin uses the next model in the list.
func modelsOf(p *App, clients *models, prices providers.Prices) actors.Models {
	var mu sync.Mutex
	known := map[string][]actors.Choice{}
	private, _ := accounts.PrivateRules(p.World, p.Settings) // settle() has already rejected invalid rules
	return actors.Models{
		Connect: clients.connect, Choose: p.chooseByName, Fallback: p.fallback, Properties: p.Accounts.ModelProperties, Price: prices,
		Fleet: remote.New(p.World, p.Settings, p.Accounts.ParseModel), Private: private, Host: p.Accounts.Host, AskServer: clients.window,
		Role: func(name string) []actors.Choice {
			mu.Lock()
			defer mu.Unlock()
			list, read := known[name]
			if !read {
				list, _ = p.Accounts.Choices(name) // "marvin doctor" reports unavailable models
				known[name] = list
			}
			return list
		},
		SplitModel: p.Accounts.ParseModel,
		Larger: func(than actors.Choice, tokens int) (actors.Choice, bool) {
			model, ok := p.Accounts.Pool.Larger(than.Provider, than.Model, tokens, p.Accounts.Named(than.Provider)...)
			return actors.Choice{Provider: than.Provider, Model: model}, ok
		},
	}
}
