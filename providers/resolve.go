package providers

import (
	"errors"
	"fmt"
	"strings"
)

// Wishes is what a person asked for, and the world to look for it in. Nothing
// here comes from files of a project: a cloned repository must not be able to
// send a key to an address of its choice.
type Wishes struct {
	Provider string // --provider
	Model    string // --model
	// Headless makes MARVIN_MODEL count, which may name a model or a provider.
	Headless bool
	Getenv   func(string) string
	// KeyFile reads the key in the file of a variable's name, or says what is the matter
	// with the file; nil means that there are none.
	KeyFile func(name string) (text, path, problem string)
	// OllamaUp says whether an Ollama answers at a base URL. It is asked only
	// when nothing was named and no key was found; nil means no.
	OllamaUp func(baseURL string) bool
	// OllamaModel picks one of the models that an Ollama has, and says why, when nobody
	// named one; "" if it has none or does not answer. nil means that nobody looks.
	OllamaModel func(baseURL string) (model, why string)
	// CopilotUsable says whether Copilot can probably answer, and why, without
	// starting it. It is asked first when nothing was named; nil means no.
	CopilotUsable func() (usable bool, why string)
}

// Selection is a provider that can be asked, with all that a client needs.
type Selection struct {
	Provider string
	Model    string
	BaseURL  string
	Key      Secret
	KeyFrom  string // "GROQ_API_KEY" or the key file's path; "" without a key
	Why      string // one line for people
}

// Resolve chooses the provider: the flag, else what MARVIN_MODEL names in a
// headless run, else LLM_PROVIDER, else Copilot if it is installed and logged in, else
// the first one with a key, else a running Ollama, else the built-in one. A named provider that lacks its key is an error
// that wraps [ErrNoKey].
func Resolve(wishes Wishes) (Selection, error) {
	name, why := wishes.named()
	if name == "" {
		return wishes.first()
	}
	selection, err := wishes.byName(name, why)
	if err != nil {
		return Selection{}, fmt.Errorf("%s: %w", why, err)
	}
	return selection, nil
}

// named is the provider that somebody asked for by name, and where they did.
func (w Wishes) named() (name, why string) {
	if w.Provider != "" {
		return w.Provider, "--provider " + w.Provider
	}
	if model := w.headlessModel(); model != "" {
		if _, err := Lookup(model); err == nil {
			return model, "MARVIN_MODEL=" + model
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

// first is the provider for somebody who named none. A key that is there but
// unusable is an error: passing over it in silence would hide the mistake.
func (w Wishes) first() (Selection, error) {
	if w.CopilotUsable != nil {
		if usable, why := w.CopilotUsable(); usable {
			return w.byName(Copilot, why)
		}
	}
	for _, provider := range Catalog {
		if provider.KeyVar == "" {
			continue
		}
		selection, err := w.use(provider, "")
		if errors.Is(err, ErrNoKey) {
			continue
		}
		if err != nil {
			return Selection{}, err
		}
		selection.Why = "found " + selection.KeyFrom
		if selection.KeyFrom == "" {
			if w.env(provider.URLVar) == "" {
				continue
			}
			selection.Why = provider.URLVar + " is set"
		}
		return selection, nil
	}
	return w.keyless()
}

func (w Wishes) keyless() (Selection, error) {
	provider, err := Lookup(Ollama)
	if err != nil {
		return Selection{}, err
	}
	base, err := w.baseURL(provider)
	if err != nil {
		return Selection{}, err
	}
	if w.OllamaUp != nil && w.OllamaUp(base) {
		return w.use(provider, "no API key is set and Ollama answers at "+redacted(base))
	}
	why := "no API key is set and no Ollama answers at " + redacted(base)
	if w.Model != "" {
		why += "; --model " + w.Model + " needs a provider"
	}
	return w.byName(Offline, why)
}

func (w Wishes) byName(name, why string) (Selection, error) {
	provider, err := Lookup(name)
	if err != nil {
		return Selection{}, err
	}
	return w.use(provider, why)
}

// use fills in model, address and key of a provider.
func (w Wishes) use(provider Provider, why string) (Selection, error) {
	model, named := w.model(provider)
	selection := Selection{Provider: provider.Name, Model: model, Why: why}
	if provider.Name == Copilot || provider.Name == Offline {
		return selection, nil // the Copilot CLI has keys and addresses of its own
	}
	var err error
	if selection.BaseURL, err = w.baseURL(provider); err != nil {
		return Selection{}, err
	}
	if provider.Name == Ollama && !named {
		w.pick(&selection)
	}
	if provider.KeyVar == "" {
		return selection, nil
	}
	selection.Key, selection.KeyFrom, err = w.key(provider)
	if errors.Is(err, ErrNoKey) && provider.Name == OpenAICompat && loopback(selection.BaseURL) {
		return selection, nil // a server on this machine
	}
	if err != nil {
		return Selection{}, err
	}
	return selection, nil
}

// pick takes a model that the Ollama has, where nobody named one.
func (w Wishes) pick(selection *Selection) {
	if w.OllamaModel == nil {
		return
	}
	model, why := w.OllamaModel(selection.BaseURL)
	if model == "" {
		return
	}
	selection.Model = model
	if why != "" && selection.Why != "" {
		why = "; " + why
	}
	selection.Why += why
}

// model is what to ask, and whether somebody named it: --model, else MARVIN_MODEL in a
// headless run unless it names a provider, else the provider's own variable, else its
// default.
func (w Wishes) model(provider Provider) (model string, named bool) {
	if provider.Name == Offline {
		return provider.Model, false
	}
	if w.Model != "" {
		return w.Model, true
	}
	if model := w.headlessModel(); model != "" {
		if _, err := Lookup(model); err != nil {
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
			return model, true // the CLI's own variable, which goes with a key of one's own
		}
	}
	return provider.Model, false
}
