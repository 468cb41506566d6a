package ollama_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"marvin/providers/ollama"
)

// The format is that of https://github.com/ollama/ollama/blob/main/docs/api.md#list-local-models.
func TestInstalledModels(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/tags" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(`{"models":[{"name":"qwen3-coder:30b","model":"qwen3-coder:30b","modified_at":"2025-05-10T08:06:48.639712648-07:00","size":4683075271,"digest":"0a8c","details":{"format":"gguf","family":"qwen3"}},{"name":"llama3.2:latest","model":"llama3.2:latest","modified_at":"2025-05-04T17:37:44.706015396-07:00","size":2019393189,"digest":"a80c"}]}`))
	}))
	names, err := ollama.Installed(t.Context(), server.URL, server.Client())
	if err != nil || !slices.Equal(names, []string{"qwen3-coder:30b", "llama3.2:latest"}) {
		t.Errorf("%q, %v", names, err)
	}
	server.Close()
	if names, err := ollama.Installed(t.Context(), server.URL, server.Client()); err == nil {
		t.Errorf("a server that is gone has %q", names)
	}
}
