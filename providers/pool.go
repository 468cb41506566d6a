package providers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pool contains providers in order of preference. The zero Pool contains the providers in
// [Catalog].
type Pool struct {
	rows  []Provider
	asked int // the context window to request from Ollama servers, in tokens; 0 if not set
}

// About holds the known properties of a model. A zero value means that the property is unknown.
type About struct {
	Window  int   // the maximum number of tokens in a question and its answer together
	Most    int   // the maximum number of tokens in an answer
	Asked   int   `json:"-"` // the user's setting for Most; 0 if not set
	Sees    *bool // the model accepts pictures
	Tools   *bool // the model accepts tools
	Thinks  *bool // the model reasons before it answers, by default or on request
	Efforts []Effort
	Price   *Price
}

// NewPool merges the user's providers into the catalog. The user's settings override those in the
// catalog. If the user sets an address, NewPool drops the key settings of the catalog, because they
// belong to the catalog's address.
func NewPool(own ...Provider) (Pool, error) {
	rows := slices.Clone(Catalog)
	var fresh []Provider
	for _, provider := range own {
		at := slices.IndexFunc(rows, func(row Provider) bool { return strings.EqualFold(row.Name, provider.Name) })
		if at < 0 {
			if provider.BaseURL == "" {
				return Pool{}, fmt.Errorf("\"providers:\" in config.yaml: Marvin does not know the provider %s; add \"url:\" to it, such as https://host/v1", provider.Name)
			}
			provider.Model = cmp.Or(provider.Model, first(provider.Names))
			fresh = append(fresh, provider)
			continue
		}
		if rows[at].Wire == SDK || rows[at].Wire == BuiltIn {
			return Pool{}, fmt.Errorf("\"providers:\" in config.yaml: %s is not a server, so it has no settings; choose another name", provider.Name)
		}
		rows[at] = rows[at].withSettings(provider)
	}
	local := slices.IndexFunc(rows, func(row Provider) bool { return row.Name == Ollama })
	return Pool{rows: slices.Insert(rows, local, fresh...)}, nil
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// withSettings returns the provider with the user's settings applied.
func (p Provider) withSettings(own Provider) Provider {
	p.Own, p.Models, p.Names, p.Headers, p.Body = true, own.Models, own.Names, own.Headers, own.Body
	p.Model = cmp.Or(own.Model, p.Model)
	p.Wire = cmp.Or(own.Wire, p.Wire)
	if own.KeySource != "" || own.BaseURL != "" {
		p.KeySource, p.KeyVar, p.KeyFile, p.Account = own.KeySource, "", false, false
	}
	if own.BaseURL != "" {
		p.BaseURL, p.URLVar, p.Free = own.BaseURL, "", false
		if own.Wire == "" && p.Wire == Responses {
			p.Wire = Chat // the protocol of OpenAI-compatible gateways
		}
	}
	return p
}

// Title returns the name for display.
func (p Provider) Title() string {
	switch p.Name {
	case Ollama:
		return "Ollama"
	case "lmstudio":
		return "LM Studio"
	case "llamacpp":
		return "llama.cpp"
	case "vllm":
		return "vLLM"
	}
	return p.Name
}

// WithWindow returns a copy of p that sets Ollama's context window, in tokens. If window is 0, the
// default size applies.
func (p Pool) WithWindow(window int) Pool {
	p.asked = window
	return p
}

// All lists the providers. The caller must not change the slice.
func (p Pool) All() []Provider {
	if p.rows == nil {
		return Catalog
	}
	return p.rows
}

// Lookup finds a provider by name, ignoring case.
func (p Pool) Lookup(name string) (Provider, error) {
	name = strings.TrimSpace(name)
	names := make([]string, 0, len(p.All()))
	for _, provider := range p.All() {
		if strings.EqualFold(provider.Name, name) {
			return provider, nil
		}
		names = append(names, provider.Name)
	}
	return Provider{}, fmt.Errorf("there is no provider called %q; the names are: %s", name, strings.Join(names, ", "))
}

// About looks up the known properties of a model. The user's settings take precedence over Marvin's
// table.
func (p Pool) About(provider, model string) About {
	row, err := p.Lookup(provider)
	if err != nil {
		return About{}
	}
	about := row.Models[model]
	about.Asked = about.Most
	known := knownOf(row.Name, model)
	if row.Wire == OllamaWire && p.asked > 0 {
		known.Window, about.Window = p.asked, min(p.asked, cmp.Or(about.Window, p.asked))
	}
	about.Window = cmp.Or(about.Window, known.Window)
	about.Most = cmp.Or(about.Most, known.Most)
	if about.Sees == nil {
		about.Sees = known.Sees
	}
	if about.Efforts == nil {
		about.Efforts = known.Efforts
	}
	if about.Thinks = known.Thinks; about.Thinks == nil && about.Efforts != nil {
		thinks := len(about.Efforts) > 0
		about.Thinks = &thinks
	}
	return about
}

// RequestedWindow returns the context window to request from Ollama, in tokens: the window that the
// user set for all models, or a smaller window that the user set for this model. 0 means the
// model's own default.
func (p Pool) RequestedWindow(provider, model string) int {
	row, err := p.Lookup(provider)
	if said := row.Models[model].Window; err == nil && said > 0 && (p.asked == 0 || said < p.asked) {
		return said
	}
	return p.asked
}

// Larger returns a model of the provider whose context window is larger than the given number of
// tokens. If there are several such models, it returns the one with the smallest window. It
// considers the provider's configured models and extraModels. It never returns the current model,
// because the real window of that model may be smaller than configured.
func (p Pool) Larger(provider, current string, tokens int, extraModels ...string) (model string, ok bool) {
	row, err := p.Lookup(provider)
	if err != nil {
		return "", false
	}
	best := 0
	for _, name := range slices.Concat(row.Names, extraModels) {
		if window := p.About(row.Name, name).Window; window > tokens && name != current && (best == 0 || window < best) {
			model, best = name, window
		}
	}
	return model, best > 0
}

// Names parses text of the form provider/model, where the model name can contain slashes. If the
// text has another form or the provider is unknown, ok is false.
func (p Pool) Names(text string) (provider, model string, ok bool) {
	provider, model, ok = strings.Cut(text, "/")
	if !ok || model == "" {
		return "", "", false
	}
	row, err := p.Lookup(provider)
	return row.Name, model, err == nil
}

// makerNames lists providers whose names can also be the first part of a model name. For example,
// Groq has a model named "openai/gpt-oss-120b".
var makerNames = []string{"openai", "anthropic", "mistral", "deepseek", "xai", OpenAICompat}

// Choice splits text in the same way as [Pool.Names], but the text comes from the user. If the
// provider is in makerNames and has no settings from the user, ok is false, because the text could
// be the name of a model.
func (p Pool) Choice(text string) (provider, model string, ok bool) {
	provider, model, ok = p.Names(text)
	if row, _ := p.Lookup(provider); !ok || !row.Own && slices.Contains(makerNames, row.Name) {
		return "", "", false
	}
	return provider, model, true
}

func lookup(name string) (Provider, error) { return Pool{}.Lookup(name) }
