package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"marvin/cmd/marvin/internal/cli"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/chatgpt"
	"marvin/providers/copilot"
	"marvin/tools"
)

// New returns the accounts of a configuration. If it returns an error, the accounts have only the
// built-in providers.
func New(world cli.World, settings settings.Config) (*Accounts, error) {
	a := &Accounts{World: world, Roles: settings.Roles, keys: map[string]string{}, asked: askedWindow(world, settings)}
	a.settings = settings
	a.Checked = sync.OnceValue(func() *http.Client {
		client, _ := world.Client(settings) // the error is reported elsewhere
		return client
	})
	a.Chatgpt = sync.OnceValue(func() *chatgpt.Account { return a.plan(providers.ChatGPT) })
	own := lists.Map(settings.Providers, ownProvider)
	a.Pool = a.Pool.WithWindow(a.asked)
	if len(own) == 0 {
		return a, nil
	}
	pool, err := providers.NewPool(own...)
	if err != nil {
		return a, fmt.Errorf("config.yaml: %w", err)
	}
	a.Pool = pool.WithWindow(a.asked)
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

// LoadPrices returns the built-in prices, overridden by prices.yaml, then by config.yaml. If
// prices.yaml cannot be read, LoadPrices returns an error and the prices from the other two
// sources.
func LoadPrices(home *persistence.Home, config settings.Config) (providers.Prices, error) {
	listed, wrong := settings.ReadPrices(home)
	list := make(map[string]providers.Price, len(listed))
	for model, price := range listed {
		list[model] = providers.Price(price)
	}
	prices, err := providers.NewPrices(list, ownPrices(config))
	return prices, errors.Join(wrong, err)
}

// ownPrices returns the prices in the sections "prices" and "providers" of config.yaml.
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

// Wishes returns the input for [providers.Resolve]. The provider and the model are optional.
func (a *Accounts) Wishes(provider, model string) providers.Wishes {
	return providers.Wishes{
		Pool: a.Pool, Provider: provider, Model: model, Getenv: a.World.Getenv, KeyFile: a.World.KeyFile(), Key: a.readKey, StoredKey: a.storedKey, LoggedIn: a.loggedIn, Pick: a.pickModel,
		AtTerminal: a.AtTerminal,
	}
}

func (a *Accounts) storedKey(provider string) (key, address string) {
	known := a.Logins.Load()
	if known == nil {
		all, _ := logins.New(cli.OpenHome(a.World)).All() // if reading fails, the provider's key counts as missing; Resolve reports missing keys
		known = &all
		a.Logins.Store(known)
	}
	login := (*known)[provider]
	return login.Key, login.Address
}

// readKey returns the key from a source such as "keyring:NAME". It caches keys, because a source
// can be a command that asks the user each time.
func (a *Accounts) readKey(source string) (string, error) {
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

// Choose selects the provider and the model. It considers flags, environment, configuration and
// reachable servers.
func (a *Accounts) Choose(opts cli.Options) (providers.Selection, error) {
	return a.ChooseOf(opts, a.ServerUp)
}

// ChooseOf is like [Accounts.Choose], but calls findServer to find a running local server. A nil
// findServer disables this search.
func (a *Accounts) ChooseOf(opts cli.Options, findServer func([]providers.Server) int) (providers.Selection, error) {
	wishes := a.Wishes(opts.Provider, opts.Model)
	if list, role := a.Roles[opts.Model]; role && opts.Provider == "" {
		wishes.Model, wishes.Role = "", list
		return providers.Resolve(wishes)
	}
	wishes.Default, wishes.Headless = a.Roles["default"], opts.NonInteractive
	wishes.FindRunning = findServer
	wishes.CopilotUsable = func() (bool, string) { return copilot.Usable(tools.Trusted(a.World.Environ)) }
	return providers.Resolve(wishes)
}

// Reselect selects the model that was chosen earlier, if that model is still available. It contacts
// only a local server, for at most [LocalServerTimeout]. A remote provider's problems appear at the
// first request.
func (a *Accounts) Reselect(kept projects.Choice) (providers.Selection, error) {
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
		return selection, fmt.Errorf("%s does not have this model", provider.Title())
	}
	return selection, nil
}

// AutoEffort lets the model choose the effort.
const AutoEffort = "auto"

// NoKey is the state of a provider without a key.
const NoKey = "no key"
