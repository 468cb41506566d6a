package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/chatgpt"
	"marvin/providers/copilot"
	"marvin/tools"
)

// New are those of a configuration. With an error they are the built-in ones.
func New(world cli.World, settings settings.Config) (*Accounts, error) {
	a := &Accounts{World: world, Roles: settings.Roles, keys: map[string]string{}, asked: askedWindow(world, settings)}
	a.settings = settings
	a.Checked = sync.OnceValue(func() *http.Client {
		client, _ := world.Client(settings) // what is wrong with the table is said elsewhere
		return client
	})
	a.Chatgpt = sync.OnceValue(func() *chatgpt.Account { return a.plan(providers.ChatGPT) })
	own := make([]providers.Provider, len(settings.Providers))
	for i, provider := range settings.Providers {
		own[i] = ownProvider(provider)
	}
	a.Pool = a.Pool.Asking(a.asked)
	if len(own) == 0 {
		return a, nil
	}
	pool, err := providers.NewPool(own...)
	if err != nil {
		return a, fmt.Errorf("config.yaml: %w", err)
	}
	a.Pool = pool.Asking(a.asked)
	return a, nil
}

func ownProvider(configured settings.Provider) providers.Provider {
	provider := providers.Provider{
		Name: configured.Name, Emoji: "🛰️", Wire: providers.Wire(configured.Wire), BaseURL: configured.URL, KeySource: configured.Key, Model: configured.Model,
		Own: true, Models: map[string]providers.About{}, Headers: configured.Headers, Body: configured.Body,
	}
	for _, model := range configured.Models {
		about := providers.About{Window: model.Window, Most: model.Most, Sees: model.Sees, Tools: model.Tools}
		if model.Efforts != nil {
			about.Efforts = make([]providers.Effort, len(model.Efforts))
			for i, effort := range model.Efforts {
				about.Efforts[i] = providers.Effort(effort)
			}
		}
		provider.Models[model.Name] = about
		provider.Names = append(provider.Names, model.Name)
	}
	return provider
}

// LoadPrices are those that Marvin knows, over them those of the list that the person keeps
// (prices.yaml), and over them those of config.yaml. With an error they are without the list.
func LoadPrices(home *persistence.Home, config settings.Config) (providers.Prices, error) {
	listed, wrong := settings.ReadPrices(home)
	list := make(map[string]providers.Price, len(listed))
	for model, price := range listed {
		list[model] = providers.Price(price)
	}
	prices, err := providers.NewPrices(list, ownPrices(config))
	return prices, errors.Join(wrong, err)
}

// ownPrices are those of config.yaml: of single models, and of models of their providers.
func ownPrices(settings settings.Config) map[string]providers.Price {
	prices := make(map[string]providers.Price, len(settings.Prices))
	for model, price := range settings.Prices {
		prices[model] = providers.Price(price)
	}
	for _, provider := range settings.Providers {
		for _, model := range provider.Models {
			if model.Price != nil {
				prices[provider.Name+"/"+model.Name] = providers.Price(*model.Price)
			}
		}
	}
	return prices
}

// Wishes are for a provider and a model; both may be "".
func (a *Accounts) Wishes(provider, model string) providers.Wishes {
	return providers.Wishes{
		Pool: a.Pool, Provider: provider, Model: model, Getenv: a.World.Getenv, KeyFile: a.World.KeyFile(), Key: a.key, Kept: a.kept, LoggedIn: a.loggedIn, Pick: a.pickModel,
		AtTerminal: a.AtTerminal,
	}
}

// kept is the key that a person gave Marvin for a provider.
func (a *Accounts) kept(provider string) (key, address string) {
	known := a.Logins.Load()
	if known == nil {
		all, _ := logins.Of(cli.OpenHome(a.World)).All() // without them a key is missing, which is said
		known = &all
		a.Logins.Store(known)
	}
	login := (*known)[provider]
	return login.Key, login.Address
}

// key reads a key once in the life of the program: a command may ask its person for it.
func (a *Accounts) key(source string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if key, known := a.keys[source]; known {
		return key, nil
	}
	key, err := tools.KeyAt(context.Background(), a.World.Environ, a.World.Home, source)
	if err == nil {
		a.keys[source] = key
	}
	return key, err
}

// Choose selects provider and model by flags, environment, configuration and what is
// reachable.
func (a *Accounts) Choose(opts cli.Options) (providers.Selection, error) {
	return a.ChooseOf(opts, a.ServerUp)
}

// ChooseOf is choose, with who says which of some servers on this machine answers; nil looks
// for none.
func (a *Accounts) ChooseOf(opts cli.Options, up func([]providers.Server) int) (providers.Selection, error) {
	wishes := a.Wishes(opts.Provider, opts.Model)
	if list, role := a.Roles[opts.Model]; role && opts.Provider == "" {
		wishes.Model, wishes.Role = "", list
		return providers.Resolve(wishes)
	}
	wishes.Default, wishes.Headless = a.Roles["default"], opts.NonInteractive
	wishes.Up = up
	wishes.CopilotUsable = func() (bool, string) { return copilot.Usable(tools.Trusted(a.World.Environ)) }
	return providers.Resolve(wishes)
}

// Still is the earlier choice if it is available. A local server is checked within [LocalServerTimeout];
// other providers report a problem when asked.
func (a *Accounts) Still(kept projects.Choice) (providers.Selection, error) {
	selection, err := providers.Resolve(a.Wishes(kept.Provider, kept.Model))
	if err != nil {
		return selection, err
	}
	provider, err := a.Pool.Lookup(kept.Provider)
	if err != nil || !provider.Local {
		return selection, err
	}
	ctx, stop := context.WithTimeout(context.Background(), LocalServerTimeout)
	defer stop()
	offers, err := a.Offers(ctx, provider, selection)
	if err != nil {
		return selection, fmt.Errorf("nothing answers at %s", selection.BaseURL)
	}
	if !slices.ContainsFunc(offers, func(one ModelOffer) bool {
		return one.Model == selection.Model || one.Model == selection.Model+":latest"
	}) {
		return selection, fmt.Errorf("%s does not have it", provider.Title())
	}
	return selection, nil
}

// AutoEffort is kept where a person had models think as they do by themselves.
const AutoEffort = "auto"

// NoKey is how a provider is that only wants a key.
const NoKey = "no key"
