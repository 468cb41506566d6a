package copilot

import (
	"errors"
	"maps"
	"net/http"
	"testing"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/providers"
)

// The kinds are from the documentation of the SDK's SessionErrorData, the messages are from CLI
// 1.0.102.
func TestErrorsOfATurn(t *testing.T) {
	code := func(status int32) *int32 { return &status }
	for _, test := range []struct {
		data   sdk.SessionErrorData
		status int
		is     error
	}{
		{sdk.SessionErrorData{ErrorType: "rate_limit", Message: "slow down", StatusCode: code(429)}, http.StatusTooManyRequests, nil},
		{sdk.SessionErrorData{ErrorType: "rate_limit", Message: "weekly limit"}, http.StatusTooManyRequests, nil},
		{sdk.SessionErrorData{ErrorType: "authentication", Message: "bad key"}, http.StatusUnauthorized, nil},
		{sdk.SessionErrorData{ErrorType: "quota", Message: "used up"}, http.StatusPaymentRequired, nil},
		{sdk.SessionErrorData{ErrorType: "query", Message: "oops", StatusCode: code(500)}, http.StatusInternalServerError, nil},
		{sdk.SessionErrorData{ErrorType: "query", Message: "prompt is too long", StatusCode: code(400)}, http.StatusBadRequest, providers.ErrTooLong},
		{sdk.SessionErrorData{ErrorType: "context_limit", Message: "full"}, 0, providers.ErrTooLong},
		{sdk.SessionErrorData{ErrorType: "query", Message: "Execution failed: InvalidArg, No GitHub OAuth token or Copilot HMAC key provided"}, 0, providers.ErrNoKey},
		{sdk.SessionErrorData{ErrorType: "query", Message: "Could not connect to local model provider at http://localhost:1"}, 0, providers.ErrUnreachable},
		{sdk.SessionErrorData{ErrorType: "query", Message: "something new"}, 0, nil},
	} {
		err := failure(&test.data)
		var status *providers.StatusError
		got := 0
		if errors.As(err, &status) {
			got = status.Status
		}
		if got != test.status || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s %q is %v", test.data.ErrorType, test.data.Message, err)
		}
	}
}

func TestOwnKeyVariables(t *testing.T) {
	config, err := ownKey([]string{
		"COPILOT_PROVIDER_BASE_URL=http://localhost:1/v1", "COPILOT_PROVIDER_TYPE=azure", "COPILOT_PROVIDER_API_KEY=k", "COPILOT_PROVIDER_BEARER_TOKEN=b",
		"COPILOT_PROVIDER_WIRE_API=responses", "COPILOT_PROVIDER_TRANSPORT=http", "COPILOT_PROVIDER_MODEL_ID=m", "COPILOT_PROVIDER_WIRE_MODEL=w",
		"COPILOT_PROVIDER_AZURE_API_VERSION=2024-10-21", "COPILOT_PROVIDER_MAX_PROMPT_TOKENS=1000", "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=100",
		`COPILOT_PROVIDER_HEADERS=X-One: 1\nX-Two: a: b` + "\nX-Three:3\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(config.Headers, map[string]string{"X-One": "1", "X-Two": "a: b", "X-Three": "3"}) {
		t.Errorf("headers are %v", config.Headers)
	}
	if config.Type != "azure" || config.APIKey != "k" || config.BearerToken != "b" || config.WireAPI != "responses" || config.Transport != "http" ||
		config.ModelID != "m" || config.WireModel != "w" || config.Azure.APIVersion != "2024-10-21" || config.MaxPromptTokens != 1000 || config.MaxOutputTokens != 100 {
		t.Errorf("config is %+v", config)
	}
	if config, err := ownKey([]string{"COPILOT_PROVIDER_API_KEY=k"}); config != nil || err != nil {
		t.Errorf("without an address: %+v, %v", config, err)
	}
	for _, wrong := range []string{"API_KEY_COMMAND=pass", "MAX_PROMPT_TOKENS=many", "MAX_OUTPUT_TOKENS=-1", "HEADERS=secret"} {
		if _, err := ownKey([]string{"COPILOT_PROVIDER_BASE_URL=http://x", "COPILOT_PROVIDER_" + wrong}); err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
}
