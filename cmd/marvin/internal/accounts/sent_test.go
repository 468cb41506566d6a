package accounts

import (
	"testing"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/settings"
)

func TestCopilotDestination(t *testing.T) {
	for value, want := range map[string]string{"": "GitHub, by the Copilot CLI", "https://gateway.example:8443/v1": "gateway.example:8443, by the Copilot CLI"} {
		world := cli.World{Home: t.TempDir(), Now: time.Now, Environ: []string{"COPILOT_PROVIDER_BASE_URL=" + value}, Getenv: func(string) string { return "" }}
		accounts, err := New(world, settings.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := accounts.Host("copilot"); got != want {
			t.Errorf("with %q it is at %q", value, got)
		}
	}
}
