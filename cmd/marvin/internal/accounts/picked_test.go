package accounts

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/providers"
)

func TestALocalServerAnswersWithTheModelThatItHasLoaded(t *testing.T) {
	const first = "b: no model was named; in alphabetical order, this is the first of the 2 models on the server; choose another with --model"
	for _, row := range []struct{ server, list, own, want string }{
		{"llamacpp", `{"id":"a-embed"},{"id":"c"}`, "", "c: no model was named, and this is the only one on the server"},
		{"llamacpp", `{"id":"b","status":{"value":"unloaded"}},{"id":"c","status":{"value":"loaded"}}`, "", "c: no model was named, and the server has this one loaded"},
		{"llamacpp", `{"id":"b","status":5},{"id":"c"}`, "", first},
		{"vllm", `{"id":"c"},{"id":"b"}`, "", first},
		{"lmstudio", `{"id":"b"},{"id":"c"}`, `{"id":"a-embed","state":"loaded"},{"id":"b","state":"not-loaded"},{"id":"c","state":"loaded"}`, "c: no model was named, and the server has this one loaded"},
		{"lmstudio", `{"id":"b"},{"id":"c"}`, "", first},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			list := row.list
			if strings.HasPrefix(r.URL.Path, "/api/v0/") {
				list = row.own
			}
			if list == "" {
				http.NotFound(w, r)
				return
			}
			_, _ = io.WriteString(w, `{"data":[`+list+`]}`)
		}))
		model, why := anyAccounts(t).pickModel(providers.Server{Provider: providers.Provider{Name: row.server}, URL: server.URL + "/v1"})
		if got := model + ": " + why; got != row.want {
			t.Errorf("%s with %s: %s", row.server, row.list, got)
		}
		server.Close()
	}
}
