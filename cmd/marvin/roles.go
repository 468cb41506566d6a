package main

import (
	"cmp"
	"errors"
	"fmt"

	"marvin/actors"
	"marvin/providers"
	"marvin/providers/copilot"
)

// namedModel is what provider/model means.
func (a *accounts) namedModel(text string) (actors.Choice, bool) {
	provider, model, ok := a.pool.Choice(text)
	return actors.Choice{Provider: provider, Model: model}, ok
}

// about is what is known of a model, also what its server said when it listed it.
func (a *accounts) about(choice actors.Choice) providers.About {
	about := a.pool.About(choice.Provider, choice.Model)
	if about.Window == 0 {
		for _, row := range a.heard()[choice.Provider] {
			if row.Model == choice.Model {
				about.Window = row.Window
			}
		}
	}
	return about
}

// choices are the models of a role that can be asked, the preferred one first. It waits for
// no key and no server: a key that a program knows is taken to be there.
func (a *accounts) choices(role string) (list []actors.Choice, err error) {
	return a.resolved("role "+role, a.roles[role])
}

// meant is the model that a command stands for: the first of a role that can be asked, or a
// provider, or provider/model; false if none can be asked.
func (a *accounts) meant(text string) (actors.Choice, bool) {
	list, _ := a.choices(text)
	if len(list) == 0 {
		list, _ = a.resolved("command", []string{text})
	}
	if len(list) == 0 {
		return actors.Choice{}, false
	}
	return list[0], true
}

// resolved are models that the configuration names for something.
func (a *accounts) resolved(what string, models []string) (list []actors.Choice, err error) {
	for _, text := range models {
		provider, model, ok := a.pool.Names(text)
		if !ok {
			provider, model = text, ""
		}
		wishes := a.wishes(provider, model)
		wishes.Pick, wishes.Key = nil, unread
		selection, problem := providers.Resolve(wishes)
		if problem != nil {
			err = errors.Join(err, fmt.Errorf("%s: %s: %w", what, text, problem))
			continue
		}
		list = append(list, actors.Choice{Provider: selection.Provider, Model: selection.Model})
	}
	return list, err
}

// named are the models of a provider that roles name.
func (a *accounts) named(provider string) (models []string) {
	for _, list := range a.roles {
		for _, text := range list {
			if of, model, ok := a.pool.Names(text); ok && of == provider {
				models = append(models, model)
			}
		}
	}
	return models
}

// host is where a provider is, "" for what runs in Marvin itself.
func (a *accounts) host(provider string) string {
	row, err := a.pool.Lookup(provider)
	switch {
	case err != nil:
		return provider
	case row.Wire == providers.BuiltIn:
		return ""
	case row.Wire == providers.SDK:
		return cmp.Or(copilot.OwnHost(a.world.Environ), "GitHub") + ", by the Copilot CLI"
	}
	return a.wishes("", "").Host(row)
}
