package ollama

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/ollama/ollama/api"
)

// Installed lists the models that the server at an address has, the one that was
// changed last first. The context says how long to wait.
func Installed(ctx context.Context, address string, client *http.Client) ([]string, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("list the models of Ollama: %w", err)
	}
	list, err := api.NewClient(base, client).List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the models of Ollama: %w", err)
	}
	names := make([]string, len(list.Models))
	for i, model := range list.Models {
		names[i] = model.Name
	}
	return names, nil
}
