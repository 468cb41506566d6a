package ollama

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// ModelOffer is a model on a server, with the abilities that the server reports.
type ModelOffer struct {
	Name                string
	Window              int   // the model's largest context window in tokens; 0 if unknown
	Sees, Tools, Thinks *bool // nil if unknown
}

// ListModels lists the models on a server, the most recently changed first. It queries the server
// for the abilities of the first twelve models, concurrently.
func ListModels(ctx context.Context, address string, client *http.Client) ([]ModelOffer, error) {
	names, err := Installed(ctx, address, client)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return nil, err
	}
	list := make([]ModelOffer, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		if list[i].Name = name; i < mostLooked {
			all.Go(func() { list[i].look(ctx, api.NewClient(base, onlyServer(base, client))) })
		}
	}
	all.Wait()
	return list, nil
}

func (o *ModelOffer) look(ctx context.Context, client *api.Client) {
	shown, err := client.Show(ctx, &api.ShowRequest{Model: o.Name})
	if err != nil {
		return
	}
	for key, value := range shown.ModelInfo {
		if length, isNumber := value.(float64); isNumber && strings.HasSuffix(key, ".context_length") && length >= 1 {
			o.Window = int(length)
		}
	}
	if len(shown.Capabilities) == 0 { // before v0.6.4
		return
	}
	can := func(ability model.Capability) *bool {
		has := slices.Contains(shown.Capabilities, ability)
		return &has
	}
	o.Sees, o.Tools, o.Thinks = can(model.CapabilityVision), can(model.CapabilityTools), can(model.CapabilityThinking)
}
