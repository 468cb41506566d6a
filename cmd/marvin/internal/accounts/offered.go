package accounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"marvin/messages/lists"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
	"marvin/tools"
)

// ModelOffer is a model in a list. Unknown values are omitted.
type ModelOffer struct {
	Provider string             `json:"provider"`
	Wire     providers.Wire     `json:"wire"`
	Model    string             `json:"model,omitempty"`
	Default  bool               `json:"default"`         // the default model
	Usual    bool               `json:"usual,omitempty"` // true for the provider's default model
	Chosen   bool               `json:"chosen,omitempty"`
	Roles    []string           `json:"roles,omitempty"`
	Window   int                `json:"window,omitempty"` // tokens
	Price    *providers.Price   `json:"price,omitempty"`  // US dollars per million tokens
	Sees     *bool              `json:"sees,omitempty"`
	Tools    *bool              `json:"tools,omitempty"`
	Thinks   *bool              `json:"thinks,omitempty"`
	Efforts  []providers.Effort `json:"efforts,omitempty"`
	Lacks    string             `json:"lacks,omitempty"` // why the provider is unavailable
}

// All asks every provider for its models, and caches the answers.
func (a *Accounts) All(ctx context.Context) []ModelOffer {
	rows := a.Of(ctx, a.Pool.All())
	listed := map[string][]ModelOffer{}
	for _, row := range rows {
		listed[row.Provider] = append(listed[row.Provider], row)
	}
	a.listed.Store(&listed)
	return rows
}

func (a *Accounts) listedModels() map[string][]ModelOffer {
	if listed := a.listed.Load(); listed != nil {
		return *listed
	}
	return nil
}

// Of obtains the models of the given providers in parallel. The result has at least one row for
// each provider.
func (a *Accounts) Of(ctx context.Context, some []providers.Provider) []ModelOffer {
	rows := make([][]ModelOffer, len(some))
	var looks sync.WaitGroup
	for i, provider := range some {
		looks.Go(func() { rows[i] = a.list(ctx, provider) })
	}
	looks.Wait()
	return slices.Concat(rows...)
}

// WithoutChoice removes from a [providers.Resolve] error the prefix that says why the provider was
// chosen. A prefix such as "--provider openai" would mislead a user who did not set that option.
func WithoutChoice(err error) error { return cmp.Or(errors.Unwrap(err), err) }

// list returns a provider's models. If the provider is unavailable, the result is one row with the
// reason.
func (a *Accounts) list(ctx context.Context, provider providers.Provider) []ModelOffer {
	lacking := func(why string) []ModelOffer {
		return []ModelOffer{{Provider: provider.Name, Wire: cmp.Or(provider.Wire, providers.Chat), Lacks: why}}
	}
	if address, quiet := a.Unresponsive(provider); quiet {
		return lacking("nothing answers at " + address)
	}
	wishes := a.Wishes(provider.Name, a.startModel(provider))
	wishes.AtTerminal = true
	selection, err := providers.Resolve(wishes)
	switch {
	case errors.Is(err, providers.ErrNoKey) && provider.Account:
		return lacking("you are not logged in; run marvin login " + provider.Name)
	case errors.Is(err, providers.ErrNoKey) && provider.KeySource == "":
		return lacking(fmt.Sprintf("no key; set %s, or run marvin login %s (create a key at %s)", provider.KeyVar, provider.Name, provider.KeyPage))
	case err != nil && provider.Local:
		return lacking("nothing answers at " + provider.BaseURL)
	case err != nil:
		return lacking(WithoutChoice(err).Error())
	case selection.Wire == providers.SDK:
		if usable, why := copilot.Usable(tools.Trusted(a.World.Environ)); !usable {
			return lacking(why)
		}
	}
	offers, err := a.Offers(ctx, provider, selection)
	if err != nil && provider.Local {
		return lacking("nothing answers at " + selection.BaseURL)
	}
	if provider.Wire != providers.OllamaWire || len(offers) == 0 {
		offers = slices.Insert(offers, 0, ModelOffer{Model: selection.Model})
	}
	return mergeOffers(provider, selection.Model, append(offers, offersOf(provider.Names)...))
}

// startModel returns the provider's model that was chosen at startup, or "" if there is none. This
// model overrides the provider's default.
func (a *Accounts) startModel(provider providers.Provider) string {
	if a.Start.Provider == provider.Name {
		return a.Start.Model
	}
	return ""
}

// mergeOffers keeps one row per model of a provider. It prefers a row with known properties to a
// row that has only a name.
func mergeOffers(provider providers.Provider, usual string, offers []ModelOffer) (list []ModelOffer) {
	at := map[string]int{}
	for _, offer := range offers {
		offer.Provider, offer.Wire, offer.Usual = provider.Name, cmp.Or(provider.Wire, providers.Chat), offer.Model == usual
		if i, there := at[offer.Model]; !there {
			at[offer.Model] = len(list)
			list = append(list, offer)
		} else if list[i].Window == 0 && list[i].Sees == nil {
			list[i] = offer
		}
	}
	return list
}

// Offers returns the models that a provider reports.
func (a *Accounts) Offers(ctx context.Context, provider providers.Provider, selection providers.Selection) (list []ModelOffer, err error) {
	client := a.Lister(provider.Name)
	defer client.CloseIdleConnections()
	switch {
	case selection.Wire == providers.OllamaWire:
		found, err := ollama.ListModels(ctx, selection.BaseURL, client)
		return lists.Map(found, func(one ollama.ModelOffer) ModelOffer {
			return ModelOffer{Model: one.Name, Window: one.Window, Sees: one.Sees, Tools: one.Tools, Thinks: one.Thinks}
		}), err
	case selection.Wire == providers.SDK && a.Copilot != nil:
		found, err := a.Copilot.Offers(ctx)
		for _, one := range found {
			thinks := len(one.Efforts) > 0
			offer := ModelOffer{Model: one.Name, Window: one.Window, Sees: &one.Sees, Thinks: &thinks}
			for _, effort := range one.Efforts {
				offer.Efforts = append(offer.Efforts, providers.Effort(effort))
			}
			list = append(list, offer)
		}
		return list, err
	case selection.BaseURL == "":
		return nil, nil
	case provider.Account:
		names, err := a.Chatgpt().Models(ctx, a.ReplaceServer(selection.BaseURL), client)
		return offersOf(names), err
	}
	config := openaichat.Config{Provider: provider.Name, BaseURL: selection.BaseURL, Key: string(selection.Key), HTTP: client}
	config.Anthropic = selection.Wire == providers.Messages
	found, err := openaichat.List(ctx, config)
	return lists.Map(found, func(one openaichat.ListedModel) ModelOffer { return ModelOffer{Model: one.Name, Window: one.Window} }), err
}

// offersOf returns offers that have only a name.
func offersOf(names []string) []ModelOffer {
	return lists.Map(names, func(name string) ModelOffer { return ModelOffer{Model: name} })
}

// ListKnown returns the models that can be listed without waiting for a key or a server. For each
// provider, it returns the models that [Accounts.All] last found, or else the configured and
// default models.
func (a *Accounts) ListKnown() (list []ModelOffer) {
	listed := a.listedModels()
	for _, provider := range a.Pool.All() {
		if rows, there := listed[provider.Name]; there {
			list = append(list, rows...)
			continue
		}
		wishes := a.Wishes(provider.Name, a.startModel(provider))
		wishes.Pick, wishes.Key = nil, unread
		selection, err := providers.Resolve(wishes)
		if err != nil && !provider.Local {
			continue
		}
		if selection.Wire == providers.SDK {
			if usable, _ := copilot.Usable(tools.Trusted(a.World.Environ)); !usable {
				continue
			}
		}
		var offers []ModelOffer
		// Another server might lack the provider's default model.
		elsewhere := provider.Local || selection.BaseURL != provider.BaseURL
		if !elsewhere || selection.Model != provider.Model || a.World.Getenv(provider.ModelVar) != "" {
			offers = append(offers, ModelOffer{Model: selection.Model})
		}
		offers = append(offers, offersOf(slices.Concat(provider.Names, a.Named(provider.Name)))...)
		list = append(list, mergeOffers(provider, selection.Model, offers)...)
	}
	return list
}

func unread(string) (string, error) { return "key-that-was-not-read-yet", nil }

// Describe adds the model's properties, roles and price to the offer. Configured properties take
// precedence.
func (a *Accounts) Describe(row *ModelOffer, prices providers.Prices) {
	if row.Model == "" {
		return
	}
	about := a.Pool.About(row.Provider, row.Model)
	provider, _ := a.Pool.Lookup(row.Provider)
	own := provider.Models[row.Model]
	switch {
	case own.Window > 0, row.Window == 0, about.Window > 0 && row.Wire != providers.OllamaWire && row.Wire != providers.SDK:
		row.Window = about.Window // the window that conversations use
	case row.Wire == providers.OllamaWire:
		row.Window = min(row.Window, cmp.Or(a.asked, about.Window)) // at most the size that Marvin requests
	}
	row.Sees = cmp.Or(own.Sees, row.Sees, about.Sees)
	row.Tools = cmp.Or(own.Tools, row.Tools, about.Tools)
	row.Thinks = cmp.Or(row.Thinks, about.Thinks)
	if row.Efforts == nil || own.Efforts != nil {
		row.Efforts = about.Efforts
	}
	if price, known := prices.Lookup(row.Provider, row.Model); known {
		row.Price = &price
	}
	for role, list := range a.Roles {
		if slices.Contains(list, row.Provider+"/"+row.Model) || row.Usual && slices.Contains(list, row.Provider) {
			row.Roles = append(row.Roles, role)
		}
	}
	slices.Sort(row.Roles)
}

// ListingTime is the timeout for listing models.
const ListingTime = 3 * time.Second
