package accounts

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/providers"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
)

// LocalServerTimeout is the maximum wait for answers from local servers. All servers are asked at
// the same time.
const LocalServerTimeout = 300 * time.Millisecond

// pickLimit is the timeout for getting the list of models from a server on this machine.
const pickLimit = 500 * time.Millisecond

// ServerUp returns the index of the first server that answers, or -1 if none does.
func (a *Accounts) ServerUp(servers []providers.Server) int {
	ctx, stop := context.WithTimeout(context.Background(), LocalServerTimeout)
	defer stop()
	up := make([]bool, len(servers))
	var all sync.WaitGroup
	for i, server := range servers {
		all.Go(func() {
			client := a.Lister(server.Name)
			defer client.CloseIdleConnections()
			up[i] = answers(ctx, server, client)
		})
	}
	all.Wait()
	for i := range servers {
		if up[i] {
			return i
		}
	}
	return -1
}

func answers(ctx context.Context, server providers.Server, client *http.Client) bool {
	if server.Wire == providers.OllamaWire {
		return ollama.Reachable(ctx, server.URL, client)
	}
	names, err := openaichat.Models(ctx, openaichat.Config{Provider: server.Name, BaseURL: server.URL, HTTP: client})
	return err == nil && len(names) > 0
}

// Unresponsive returns the address of a configured local server, and whether the server fails to
// answer in time. If the provider is not such a server, Unresponsive returns "" and false, and
// contacts no server.
func (a *Accounts) Unresponsive(provider providers.Provider) (address string, quiet bool) {
	wishes := a.Wishes(provider.Name, "")
	if !provider.Local || !slices.Contains(wishes.LocalProviders(), provider.Name) {
		return "", false
	}
	servers, err := wishes.Servers()
	at := slices.IndexFunc(servers, func(server providers.Server) bool { return server.Name == provider.Name })
	if err != nil || at < 0 {
		return "", false // wishes.Servers failed, because another provider's address is invalid
	}
	return servers[at].URL, a.ServerUp(servers[at:at+1]) < 0
}

func (a *Accounts) pickModel(server providers.Server) (model, why string) {
	limit := pickLimit
	if !server.OnThisMachine() {
		limit = ListingTime
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	client := a.Lister(server.Name)
	defer client.CloseIdleConnections()
	if server.Wire == providers.OllamaWire {
		model, why, _ = ollama.Pick(ctx, server.URL, client, server.Model) // the first request to the model reports any error
		return model, why
	}
	if server.Wire != "" && server.Wire != providers.Chat {
		return "", ""
	}
	models, err := openaichat.List(ctx, openaichat.Config{Provider: server.Name, BaseURL: server.URL, Key: string(server.Key), HTTP: client})
	models = slices.DeleteFunc(models, func(model openaichat.ListedModel) bool { return strings.Contains(model.Name, "embed") })
	switch {
	case err != nil || len(models) == 0:
		return "", ""
	case slices.ContainsFunc(models, func(model openaichat.ListedModel) bool { return model.Name == server.Model }):
		return server.Model, ""
	case len(models) == 1:
		return models[0].Name, "no model was named, and this is the only one on the server"
	}
	if server.Name == "lmstudio" { // the OpenAI-compatible list of LM Studio does not say which model is loaded
		own := openaichat.Config{Provider: server.Name, BaseURL: strings.TrimSuffix(server.URL, "/v1") + "/api/v0", HTTP: client}
		if said, err := openaichat.List(ctx, own); err == nil {
			models = slices.DeleteFunc(said, func(model openaichat.ListedModel) bool { return strings.Contains(model.Name, "embed") })
		}
	}
	if at := slices.IndexFunc(models, func(model openaichat.ListedModel) bool { return model.Loaded }); at >= 0 {
		return models[at].Name, "no model was named, and the server has this one loaded"
	}
	return models[0].Name, fmt.Sprintf("no model was named; in alphabetical order, this is the first of the %d models on the server; choose another with --model", len(models))
}
