package accounts

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/settings"
	"marvin/providers"
)

func TestAListedWindowCounts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"object":"list","data":[{"id":"large","max_model_len":9000},{"id":"said","max_model_len":9000}]}`))
	}))
	defer server.Close()
	world := cli.World{Home: t.TempDir(), Now: time.Now, Getenv: func(string) string { return "" }}
	accounts, err := New(world, settings.Config{Providers: []settings.Provider{
		{Name: "house", URL: server.URL, Models: []settings.Model{{Name: "said", Window: 5000}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	window := func(model string) int {
		return accounts.ModelProperties(actors.Choice{Provider: "house", Model: model}).Window
	}
	if window("large") != 0 || window("said") != 5000 {
		t.Errorf("before it was asked: %d, %d", window("large"), window("said"))
	}
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	rows := accounts.All(ctx)
	if window("large") != 9000 || window("said") != 5000 {
		t.Errorf("once it was: %d, %d", window("large"), window("said"))
	}
	for _, row := range rows {
		if accounts.Describe(&row, providers.Prices{}); row.Provider == "house" && row.Window != window(row.Model) {
			t.Errorf("%s is listed with %d", row.Model, row.Window)
		}
	}
}
