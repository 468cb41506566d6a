package jobs

import (
	"testing"

	"marvin/tools"
)

func TestReviewsHaveATier(t *testing.T) {
	for provider, want := range map[string]string{"copilot": "claude-opus-4.6", "ollama": "", "": ""} {
		if got := tier(tools.Env{Conversation: tools.Conversation{Provider: provider}}); got != want {
			t.Errorf("%s reviews with %q, want %q", provider, got, want)
		}
	}
}
