package accounts

import (
	"cmp"
	"errors"
	"fmt"

	"marvin/actors"
	"marvin/providers"
	"marvin/providers/copilot"
)

// ParseModel parses provider/model.
func (a *Accounts) ParseModel(text string) (actors.Choice, bool) {
	provider, model, ok := a.Pool.Choice(text)
	return actors.Choice{Provider: provider, Model: model}, ok
}

// ModelProperties returns the known properties of a model. If a.Pool does not know the context
// window, ModelProperties uses the last result of [Accounts.All].
func (a *Accounts) ModelProperties(choice actors.Choice) providers.About {
	about := a.Pool.About(choice.Provider, choice.Model)
	if about.Window == 0 {
		for _, row := range a.listedModels()[choice.Provider] {
			if row.Model == choice.Model {
				about.Window = row.Window
			}
		}
	}
	return about
}

// Choices returns the available models of a role, in the configured order. It contacts no server,
// and assumes that keys from commands, files and the keyring exist.
func (a *Accounts) Choices(role string) (list []actors.Choice, err error) {
	return a.Resolved("role "+role, a.Roles[role])
}

// FindModel returns the model for a role, a provider, or text of the form "provider/model". For a
// role, it returns the first available model. If no model is available, ok is false.
func (a *Accounts) FindModel(text string) (choice actors.Choice, ok bool) {
	list, _ := a.Choices(text)
	if len(list) == 0 {
		list, _ = a.Resolved("command", []string{text})
	}
	if len(list) == 0 {
		return actors.Choice{}, false
	}
	return list[0], true
}

// Resolved looks up models of the form "provider" or "provider/model". It skips unavailable models
// and joins their errors. Each error begins with the given purpose.
func (a *Accounts) Resolved(purpose string, models []string) (list []actors.Choice, err error) {
	for _, text := range models {
		provider, model, ok := a.Pool.Names(text)
		if !ok {
			provider, model = text, ""
		}
		wishes := a.Wishes(provider, model)
		wishes.Pick, wishes.Key = nil, unread
		selection, problem := providers.Resolve(wishes)
		if problem != nil {
			err = errors.Join(err, fmt.Errorf("%s: %s: %w", purpose, text, problem))
			continue
		}
		list = append(list, actors.Choice{Provider: selection.Provider, Model: selection.Model})
	}
	return list, err
}

// Named finds the provider's models in a.Roles.
func (a *Accounts) Named(provider string) (models []string) {
	for _, list := range a.Roles {
		for _, text := range list {
			if of, model, ok := a.Pool.Names(text); ok && of == provider {
				models = append(models, model)
			}
		}
	}
	return models
}

// Host returns the host of a provider, or "" for the built-in provider.
func (a *Accounts) Host(provider string) string {
	row, err := a.Pool.Lookup(provider)
	switch {
	case err != nil:
		return provider
	case row.Wire == providers.BuiltIn:
		return ""
	case row.Wire == providers.SDK:
		return cmp.Or(copilot.OwnHost(a.World.Environ), "GitHub") + ", by the Copilot CLI"
	}
	return a.Wishes("", "").Host(row)
}
