package openaichat

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// listLimit bounds the answer of /models; that of OpenRouter has 0.6 MB.
const listLimit = 8 << 20

// Models lists what the account behind a configuration can ask, sorted. The context
// says how long to wait.
func Models(ctx context.Context, config Config) ([]string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(config.BaseURL, "/")+"/models", nil)
	if err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", config.Provider, err)
	}
	switch {
	case config.Anthropic:
		request.Header.Set("x-api-key", config.Key)
		request.Header.Set("anthropic-version", "2023-06-01")
	case config.Key != "":
		request.Header.Set("Authorization", "Bearer "+config.Key)
	}
	client := *config.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the key is for this host
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", config.Provider, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("list the models of %s: the server answered %s", config.Provider, response.Status)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, listLimit)).Decode(&list); err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", config.Provider, err)
	}
	var names []string
	for _, model := range list.Data {
		if name := strings.TrimPrefix(model.ID, "models/"); name != "" { // so Gemini has them
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
