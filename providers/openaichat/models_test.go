package openaichat_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/providers/openaichat"
)

// The format is that of https://platform.openai.com/docs/api-reference/models/list; Gemini's
// endpoint has "models/" before its names.
func TestModelsAreListed(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   []string
		err    string
	}{
		"openai":    {200, `{"object":"list","data":[{"id":"gpt-5.2","object":"model","created":1,"owned_by":"system"},{"id":"gpt-5.1","object":"model","created":1,"owned_by":"system"}]}`, []string{"gpt-5.1", "gpt-5.2"}, ""},
		"gemini":    {200, `{"object":"list","data":[{"id":"models/gemini-3-pro-preview","object":"model","owned_by":"google"}]}`, []string{"gemini-3-pro-preview"}, ""},
		"empty":     {200, `{"object":"list","data":[]}`, nil, ""},
		"refused":   {401, `{"error":{"message":"bad key-canary"}}`, nil, "401"},
		"limited":   {429, ``, nil, "429"},
		"malformed": {200, `<html>`, nil, "invalid"},
		"huge":      {200, `{"data":[{"id":"` + strings.Repeat("x", 9<<20) + `"}]}`, nil, "unexpected EOF"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer key-canary" {
				t.Errorf("%s %q", r.URL.Path, r.Header)
			}
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		got, err := openaichat.Models(ctx, openaichat.Config{Provider: "openai", BaseURL: server.URL + "/v1", Key: "key-canary", HTTP: server.Client()})
		if !slices.Equal(got, c.want) || (err == nil) != (c.err == "") || err != nil && (!strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "canary")) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		stop()
		server.Close()
	}
}

// An address without /v1 has a list, too.
func TestModelsAreListedAtAnAddressWithoutItsVersion(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(`{"data":[{"id":"m"}]}`))
	}))
	defer server.Close()
	for address, want := range map[string]string{server.URL: "m", server.URL + "/": "m", server.URL + "/v1/": "m", server.URL + "/v1/x": ""} {
		got, err := openaichat.Models(t.Context(), openaichat.Config{Provider: "p", BaseURL: address, Key: "k", HTTP: server.Client()})
		if strings.Join(got, "") != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}

func TestModelsOfAnotherHostAreNotListed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host was asked, with %q", r.Header)
		_, _ = w.Write([]byte(`{"data":[{"id":"theirs"}]}`))
	}))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL+"/v1/models", http.StatusFound))
	defer server.Close()
	got, err := openaichat.Models(t.Context(), openaichat.Config{Provider: "openai", BaseURL: server.URL + "/v1", Key: "key-canary", HTTP: server.Client()})
	if len(got) > 0 || err == nil || !strings.Contains(err.Error(), other.URL) {
		t.Errorf("%q, %v", got, err)
	}
}

// Servers report the context window under four names. The formats are those of vLLM
// (manual.seahorse.dnotitia.ai/api-reference/inference/get-list-models), OpenRouter
// (openrouter.ai/docs/api-reference/list-available-models), Groq (the crate groqai) and Mistral
// (api-evangelist/mistral-ai, mistral-ai-model-schema.json).
func TestWindowsAreListed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"object":"list","data":[
			{"id":"a","object":"model","owned_by":"vllm","max_model_len":2048,"parent":null,"permission":[{"object":"model_permission"}]},
			{"id":"b","context_length":131072,"architecture":{"input_modalities":["text"]},"pricing":{"prompt":"0.1"}},
			{"id":"c","object":"model","active":true,"context_window":8192},
			{"id":"d","object":"model","capabilities":{"vision":false},"max_context_length":32768},
			{"id":"e","object":"model","context_length":null,"context_window":"large"}]}`))
	}))
	defer server.Close()
	got, err := openaichat.List(t.Context(), openaichat.Config{Provider: "vllm", BaseURL: server.URL, HTTP: server.Client()})
	want := []openaichat.ListedModel{{Name: "a", Window: 2048}, {Name: "b", Window: 131072}, {Name: "c", Window: 8192}, {Name: "d", Window: 32768}, {Name: "e"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}
