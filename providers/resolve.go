package providers

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Wishes contains the user's choice of a model, and functions that look up keys and servers. Wishes
// must not contain data from a project's files, because a cloned repository must not choose the
// address to which a key is sent.
type Wishes struct {
	Pool     Pool   // all providers
	Provider string // --provider
	Model    string // --model
	// Default contains models as provider/model. If the user named no provider, [Resolve] chooses
	// the first usable entry. A nonempty Model replaces the model in this entry.
	Default []string
	// Role contains models as provider/model, in order of preference. If Role is not empty,
	// [Resolve] chooses the provider only from Role.
	Role []string
	// Headless enables the variable MARVIN_MODEL, whose value is a model or a provider.
	Headless bool
	// AtTerminal lets [Wishes.Pick] replace the default model of a provider whose address comes
	// from an environment variable. Scripts rely on the default model.
	AtTerminal bool
	Getenv     func(string) string
	// KeyFile reads a key from ~/.ssh/NAME, where NAME is the key's environment variable. If the
	// file is unusable, KeyFile returns the problem. If KeyFile is nil, no key is read from a file.
	KeyFile func(name string) (text, path, problem string)
	// StoredKey returns the key that Marvin stored for a provider, and the only address to which
	// the key may be sent. If StoredKey is nil, Marvin has stored no keys.
	StoredKey func(provider string) (key, address string)
	// LoggedIn reports whether the user is logged in to a provider. If LoggedIn is nil, the user is
	// logged in to no provider.
	LoggedIn func(provider string) bool
	// Key reads a key from a [Provider.KeySource] other than $NAME. The error must not contain the
	// key.
	Key func(source string) (string, error)
	// FindRunning returns the index of a server that answers on this machine, or -1. It is called
	// only if the user named no provider and Marvin found no key. If FindRunning is nil, no server
	// is used.
	FindRunning func(servers []Server) int
	// Pick chooses one of the server's models if the user named no model. The model is "" if the
	// server has no models or does not answer. If Pick is nil, no model is chosen.
	Pick func(server Server) (model, why string)
	// CopilotUsable reports whether Copilot can probably answer, and why. It must not start
	// Copilot. If the user named no provider and CopilotUsable is not nil, Copilot is tried first.
	CopilotUsable func() (usable bool, why string)
}

// Selection is a usable provider, with everything that a client needs.
type Selection struct {
	Provider string
	Wire     Wire
	Model    string
	BaseURL  string
	Key      Secret
	KeyFrom  string // the source of the key, such as "GROQ_API_KEY" or a file path; "" if none
	KeyPage  string // the web page for creating a new key; "" if BaseURL is not the provider's default
	Why      string // the reason for the choice, in one line for the user
}

// Resolve takes the provider from the first of these sources that applies:
//
//   - the models for the role
//   - --provider
//   - the provider in --model
//   - MARVIN_MODEL, in a headless run
//   - LLM_PROVIDER
//   - the default in the configuration
//   - Copilot, if it is installed and logged in
//   - the first provider with a key
//   - a server on this machine
//   - the built-in provider
//
// If a named provider lacks its key, the error wraps [ErrNoKey].
func Resolve(wishes Wishes) (Selection, error) {
	if len(wishes.Role) > 0 {
		return wishes.firstOf(wishes.Role, "config.yaml names it for this role")
	}
	if wishes.Provider == "" {
		if provider, model, ok := wishes.Pool.Choice(wishes.Model); ok {
			wishes.Provider, wishes.Model = provider, model
		}
	}
	name, why := wishes.namedProvider()
	switch {
	case name == "" && len(wishes.Default) > 0:
		return wishes.firstOf(wishes.Default, "it is the default in config.yaml")
	case name == "":
		return wishes.chooseProvider()
	}
	selection, err := wishes.byName(name, why)
	if err != nil {
		return Selection{}, fmt.Errorf("%s: %w", why, err)
	}
	return selection, nil
}

// namedProvider returns the provider that the user named, and the option or variable that named it.
func (w Wishes) namedProvider() (name, why string) {
	if w.Provider != "" {
		return w.Provider, "--provider " + w.Provider
	}
	if model := w.headlessModel(); model != "" {
		if _, err := w.Pool.Lookup(model); err == nil {
			return model, "MARVIN_MODEL=" + model
		}
		if provider, _, ok := w.Pool.Choice(model); ok {
			return provider, "MARVIN_MODEL=" + model
		}
	}
	if name := w.env("LLM_PROVIDER"); name != "" {
		return name, "LLM_PROVIDER=" + name
	}
	return "", ""
}

func (w Wishes) headlessModel() string {
	if !w.Headless {
		return ""
	}
	return w.env("MARVIN_MODEL")
}

func (w Wishes) env(name string) string { return strings.TrimSpace(w.Getenv(name)) }

// chooseProvider chooses a provider if the user named none. An unusable key is an error, because
// skipping it silently would hide the mistake.
func (w Wishes) chooseProvider() (Selection, error) {
	if w.CopilotUsable != nil {
		if usable, why := w.CopilotUsable(); usable {
			return w.byName(Copilot, why)
		}
	}
	for _, provider := range w.Pool.All() {
		if provider.KeyVar == "" && !provider.Account && (!provider.Own || provider.Local) {
			continue
		}
		selection, err := w.use(provider, "")
		if errors.Is(err, ErrNoKey) {
			continue
		}
		if err != nil {
			return Selection{}, err
		}
		why := "found " + selection.KeyFrom
		if selection.KeyFrom == "" && provider.Own {
			why = provider.Name + " is in config.yaml"
		} else if selection.KeyFrom == "" {
			if w.env(provider.URLVar) == "" {
				continue
			}
			why = provider.URLVar + " is set"
		}
		if selection.Why != "" { // the reason for choosing the model
			why += "; " + selection.Why
		}
		selection.Why = why
		return selection, nil
	}
	return w.keyless()
}

// firstOf returns the first usable model in a list from the configuration, or an error if none is
// usable. It never chooses a model outside the list.
func (w Wishes) firstOf(list []string, why string) (Selection, error) {
	var problems error
	for _, choice := range list {
		provider, model, ok := w.Pool.Names(choice)
		if !ok {
			provider, model = choice, ""
		}
		with := w
		if w.Model == "" || len(w.Role) > 0 {
			with.Model = model
		}
		selection, err := with.byName(provider, why)
		if err == nil {
			return selection, nil
		}
		problems = errors.Join(problems, fmt.Errorf("%s, which config.yaml names: %w", choice, err))
	}
	return Selection{}, problems
}

func (w Wishes) keyless() (Selection, error) {
	servers, err := w.Servers()
	if err != nil {
		return Selection{}, err
	}
	if w.FindRunning != nil {
		if at := w.FindRunning(servers); at >= 0 {
			return w.use(servers[at].Provider, "no API key is set, and "+servers[at].Title()+" answers at "+redacted(servers[at].URL))
		}
	}
	why := "no API key is set, and no Ollama server answers at " + redacted(servers[0].URL)
	if w.Model != "" {
		why += "; --model " + w.Model + " needs a provider"
	}
	return w.byName(Offline, why)
}

func (w Wishes) byName(name, why string) (Selection, error) {
	provider, err := w.Pool.Lookup(name)
	if err != nil {
		return Selection{}, err
	}
	return w.use(provider, why)
}

// use returns a Selection with the provider's model, address and key.
func (w Wishes) use(provider Provider, why string) (Selection, error) {
	model, named := w.model(provider)
	selection := Selection{Provider: provider.Name, Wire: cmp.Or(provider.Wire, Chat), Model: model, Why: why}
	if provider.Wire == SDK || provider.Wire == BuiltIn {
		return selection, nil // the Copilot CLI has its own keys and addresses
	}
	var err error
	if selection.BaseURL, err = w.baseURL(provider); err != nil {
		return Selection{}, err
	}
	if selection, err = w.addKey(provider, selection); err != nil {
		return Selection{}, err
	}
	elsewhere := provider.URLVar != "" && selection.BaseURL != provider.BaseURL
	if selection.Model == "" || !named && (provider.Local || elsewhere && w.AtTerminal) {
		w.pick(Server{provider, selection.BaseURL, selection.Key}, &selection)
	}
	if selection.Model == "" {
		return Selection{}, fmt.Errorf("%s has no model yet, because the server at %s lists none; load a model there, or name one with %s", provider.Title(), redacted(selection.BaseURL), modelSettings(provider))
	}
	return selection, nil
}

// modelSettings returns the names of the settings that choose a provider's model.
func modelSettings(provider Provider) string {
	if provider.ModelVar == "" {
		return "--model"
	}
	return "--model or " + provider.ModelVar
}

func (w Wishes) addKey(provider Provider, selection Selection) (Selection, error) {
	if provider.KeySource != "" {
		return w.sourced(provider, selection)
	}
	if provider.Account {
		if w.LoggedIn == nil || !w.LoggedIn(provider.Name) {
			return Selection{}, fmt.Errorf("%w for %s, and you are not logged in; log in with marvin login %[2]s", ErrNoKey, provider.Name)
		}
		selection.KeyFrom = "marvin login"
		return selection, nil
	}
	if provider.KeyVar == "" {
		return selection, nil
	}
	selection.KeyPage = provider.KeyPage
	if selection.BaseURL != provider.BaseURL {
		selection.KeyPage = ""
	}
	var err error
	selection.Key, selection.KeyFrom, err = w.key(provider)
	if errors.Is(err, ErrNoKey) && w.StoredKey != nil {
		if key, address := w.StoredKey(provider.Name); key != "" && address == selection.BaseURL {
			selection.Key, selection.KeyFrom = Secret(key), "marvin login"
			return selection, nil
		}
	}
	if errors.Is(err, ErrNoKey) && provider.Name == OpenAICompat && loopback(selection.BaseURL) {
		return selection, nil // a server on this machine needs no key
	}
	if err != nil {
		return Selection{}, err
	}
	return selection, nil
}

// model picks the model to ask, and reports whether the user named it. The sources are, in order:
// --model, MARVIN_MODEL in a headless run, the provider's own variable, and the provider's default.
// MARVIN_MODEL is ignored if its value is only the name of a provider.
func (w Wishes) model(provider Provider) (model string, named bool) {
	if provider.Wire == BuiltIn {
		return provider.Model, false
	}
	if w.Model != "" {
		return w.Model, true
	}
	if model := w.headlessModel(); model != "" {
		if _, named, ok := w.Pool.Choice(model); ok {
			return named, true
		}
		if _, err := w.Pool.Lookup(model); err != nil {
			return model, true
		}
	}
	if provider.ModelVar != "" {
		if model := w.env(provider.ModelVar); model != "" {
			return model, true
		}
	}
	if provider.Name == Copilot {
		if model := w.env("COPILOT_MODEL"); model != "" {
			return model, true // the Copilot CLI's variable for the model of a custom provider
		}
	}
	return provider.Model, false
}
