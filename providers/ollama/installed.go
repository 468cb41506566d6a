package ollama

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// Installed returns the names of the models on a server, the most recently changed first.
func Installed(ctx context.Context, address string, client *http.Client) ([]string, error) {
	list, err := installed(ctx, address, client)
	if err != nil {
		return nil, fmt.Errorf("list the models of Ollama: %w", err)
	}
	names := make([]string, len(list))
	for i, each := range list {
		names[i] = each.Name
	}
	return names, nil
}

func installed(ctx context.Context, address string, client *http.Client) ([]api.ListModelResponse, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return nil, err
	}
	list, err := api.NewClient(base, onlyServer(base, client)).List(ctx)
	if err != nil {
		return nil, err
	}
	return list.Models, nil
}

// Has reports whether the list contains the wanted model, ignoring case. A wanted name without a
// tag also matches the tag "latest".
func Has(names []string, wanted string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.EqualFold(name, wanted) || strings.EqualFold(name, wanted+":latest")
	})
}

// mostLooked is the maximum number of models whose abilities are looked up.
const mostLooked = 12

// Pick chooses a model for a user who has not named one. It prefers the usual model, then one that
// can call tools, then one that can chat. It tries local models before cloud models, which need a
// login, and recently changed models before older ones. If no model is suitable, name is "".
func Pick(ctx context.Context, address string, client *http.Client, usual string) (name, why string, err error) {
	list, err := installed(ctx, address, client)
	if err != nil {
		return "", "", fmt.Errorf("list the models of Ollama: %w", err)
	}
	slices.SortStableFunc(list, func(a, b api.ListModelResponse) int { return remote(a) - remote(b) })
	list = list[:min(mostLooked, len(list))]
	talkers := make([]bool, len(list))
	callers := make([]bool, len(list))
	var all sync.WaitGroup
	for i, each := range list {
		if each.Name == usual {
			return usual, "", nil
		}
		all.Go(func() { talkers[i], callers[i] = abilities(ctx, address, client, each.Name) })
	}
	all.Wait()
	if i := slices.Index(callers, true); i >= 0 {
		return list[i].Name, "no model was named, and this one is installed and can call tools", nil
	}
	if i := slices.Index(talkers, true); i >= 0 {
		return list[i].Name, "no model was named, and this one is installed", nil
	}
	return "", "", nil
}

func remote(each api.ListModelResponse) int {
	if each.RemoteHost != "" || strings.HasSuffix(each.Name, "cloud") {
		return 1
	}
	return 0
}

// abilities finds out whether a model can chat and call tools. If the server does not report this,
// the model is assumed to chat but not to call tools.
func abilities(ctx context.Context, address string, client *http.Client, name string) (talks, calls bool) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return false, false
	}
	shown, err := api.NewClient(base, onlyServer(base, client)).Show(ctx, &api.ShowRequest{Model: name})
	if err != nil || len(shown.Capabilities) == 0 {
		return true, false
	}
	return slices.Contains(shown.Capabilities, model.CapabilityCompletion), slices.Contains(shown.Capabilities, model.CapabilityTools)
}

// CallsTools reports whether the server says that a model supports tools.
func CallsTools(ctx context.Context, address string, client *http.Client, name string) bool {
	_, calls := abilities(ctx, address, client, name)
	return calls
}
