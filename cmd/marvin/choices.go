package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"marvin/actors"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/ollama"
	"marvin/tools"
	"marvin/ui/command"
)

// listingTime is how long a person waits for the models of all providers.
const listingTime = 3 * time.Second

// Providers lists all of them, with what those that cannot be asked lack. Only Ollama
// is looked for; whether a key is good shows when it is used.
func (h host) Providers(ctx context.Context) []command.Choice {
	ctx, stop := context.WithTimeout(ctx, listingTime)
	defer stop()
	var list []command.Choice
	for _, provider := range h.parts.accounts.pool.All() {
		list = append(list, h.choice(ctx, provider))
	}
	return list
}

func (h host) choice(ctx context.Context, provider providers.Provider) command.Choice {
	choice := command.Choice{Provider: provider.Name}
	selection, err := h.parts.selected(h.named(provider.Name))
	switch {
	case errors.Is(err, providers.ErrNoKey) && (provider.KeySource != "" || provider.Account):
		choice.Lacks = err.Error()
		return choice
	case errors.Is(err, providers.ErrNoKey):
		choice.Lacks = "export " + provider.KeyVar + "=… (keys: " + provider.KeyPage + ")"
		return choice
	case err != nil:
		choice.Lacks = err.Error()
		return choice
	}
	choice.Model = selection.Model
	switch provider.Name {
	case providers.Copilot:
		if usable, _ := copilot.Usable(tools.Trusted(h.parts.world.Environ)); !usable {
			choice.Lacks = "npm install -g @github/copilot, then copilot and /login"
		}
	case providers.Ollama:
		if !ollama.Reachable(ctx, selection.BaseURL, modelClient()) {
			choice.Lacks = "nothing answers at " + selection.BaseURL + "; start ollama serve"
		}
	}
	return choice
}

// named is the choice of the start for its own provider, so that --model counts.
func (h host) named(provider string) actors.Choice {
	if start := h.parts.selection; start.Provider == provider {
		return actors.Choice{Provider: provider, Model: start.Model}
	}
	return actors.Choice{Provider: provider}
}

// Models lists what every usable provider has, its usual model first.
func (h host) Models(ctx context.Context) []command.Choice {
	ctx, stop := context.WithTimeout(ctx, listingTime)
	defer stop()
	found := make([][]command.Choice, len(h.parts.accounts.pool.All()))
	var all sync.WaitGroup
	for i, provider := range h.parts.accounts.pool.All() {
		all.Go(func() { found[i] = h.modelsOf(ctx, provider) })
	}
	all.Wait()
	return slices.Concat(found...)
}

func (h host) modelsOf(ctx context.Context, provider providers.Provider) []command.Choice {
	usual := h.choice(ctx, provider)
	if usual.Lacks != "" {
		return nil
	}
	var names []string
	selection, err := h.parts.selected(h.named(provider.Name))
	if err == nil {
		names, err = h.parts.accounts.namesOf(ctx, provider, selection)
	}
	list := []command.Choice{usual}
	if err != nil {
		return list // it cannot list them, but it may answer
	}
	for _, name := range names {
		if name != usual.Model {
			list = append(list, command.Choice{Provider: provider.Name, Model: name})
		}
	}
	if provider.Name == providers.Ollama && len(names) > 0 && !slices.Contains(names, usual.Model) {
		list = list[1:] // the usual one is not installed
	}
	return list
}
