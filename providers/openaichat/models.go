package openaichat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"marvin/messages/lists"
	"marvin/messages/origin"
	"marvin/providers"
)

// listLimit is the maximum size of the response to /models, in bytes. OpenRouter sends 0.6 MB.
const listLimit = 8 << 20

// ListedModel is a model in a server's list.
type ListedModel struct {
	Name   string
	Window int  // the context window in tokens; 0 if the server does not report it
	Loaded bool // the server says that it has the model in memory
}

// listedModel is a model in the list that a server returns. Servers use different names for the
// context window. A value that is not a number is ignored.
type listedModel struct {
	ID               string `json:"id"`
	MaxModelLen      any    `json:"max_model_len"`      // vLLM, SGLang
	ContextLength    any    `json:"context_length"`     // OpenRouter, Together
	ContextWindow    any    `json:"context_window"`     // Groq
	MaxContextLength any    `json:"max_context_length"` // Mistral
	Status           any    `json:"status"`             // {"value": "loaded"} in llama.cpp and llama-swap
	State            any    `json:"state"`              // "loaded" in LM Studio
}

func (l listedModel) loaded() bool {
	said := l.Status
	if status, is := said.(map[string]any); is {
		said = status["value"]
	}
	return said == "loaded" || l.State == "loaded"
}

func (l listedModel) window() int {
	for _, said := range []any{l.MaxModelLen, l.ContextLength, l.ContextWindow, l.MaxContextLength} {
		if tokens, is := said.(float64); is && tokens >= 1 && tokens < 1e9 {
			return int(tokens)
		}
	}
	return 0
}

// Models returns the names of the models that [List] returns.
func Models(ctx context.Context, config Config) ([]string, error) {
	list, err := List(ctx, config)
	return lists.Map(list, func(model ListedModel) string { return model.Name }), err
}

// List returns the models that the account can use, sorted by name.
func List(ctx context.Context, config Config) ([]ListedModel, error) {
	list, err := listAt(ctx, config)
	// Package adapt adds a missing "/v1" only to chat requests.
	if errors.Is(err, errNoPage) && !strings.Contains(config.BaseURL, "/v1") {
		config.BaseURL = strings.TrimRight(config.BaseURL, "/") + "/v1"
		if completed, err := listAt(ctx, config); err == nil {
			return completed, nil
		}
	}
	return list, err
}

// errNoPage means that the server has no list of models at this address.
var errNoPage = errors.New("404 Not Found")

func listAt(ctx context.Context, config Config) ([]ListedModel, error) {
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
	response, err := origin.Restrict(config.HTTP, request.URL, providers.AddressSetting(config.Provider)).Do(request)
	if err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", config.Provider, providers.Unreachable(request.URL, err))
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("list the models of %s: the server answered %w", config.Provider, errNoPage)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("list the models of %s: the server answered %s", config.Provider, response.Status)
	}
	var list struct {
		Data []listedModel `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, listLimit)).Decode(&list); err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", config.Provider, err)
	}
	var models []ListedModel
	for _, model := range list.Data {
		if name := strings.TrimPrefix(model.ID, "models/"); name != "" { // Gemini's names have this prefix
			models = append(models, ListedModel{Name: name, Window: model.window(), Loaded: model.loaded()})
		}
	}
	slices.SortFunc(models, func(a, b ListedModel) int { return strings.Compare(a.Name, b.Name) })
	return models, nil
}
