package copilot

import (
	"strings"
	"testing"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/providers"
)

func TestRateLimitError(t *testing.T) {
	for reason, want := range map[string]string{"rate_limit": "Rate limited by copilot", "server_error": "does not answer properly", "": "does not answer properly"} {
		var notices []string
		events, turn := newInbox(), newTurn(func(part providers.Part) {
			if part.Kind == providers.NoticePart {
				notices = append(notices, part.Text)
			}
		})
		retry := &sdk.AssistantTurnRetryData{TurnID: "0"}
		if reason != "" {
			retry.Reason = &reason
		}
		for range 5 {
			events.put(sdk.SessionEvent{Data: retry})
		}
		events.put(sdk.SessionEvent{Data: &sdk.SessionIdleData{}})
		if _, err := turn.read(t.Context(), events); err != nil {
			t.Fatal(err)
		}
		if len(notices) != 1 || !strings.Contains(notices[0], want) {
			t.Errorf("%q is told as %q", reason, notices)
		}
	}
}
