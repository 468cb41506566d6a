package copilot

import (
	"strings"
	"testing"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/providers"
)

// Arguments are sent back as the model wrote them, byte for byte, if they are known and complete;
// otherwise as the CLI decoded them.
func TestArgumentsAreAsTheModelWroteThem(t *testing.T) {
	for written, want := range map[string]string{
		"": `{"n":1}`, `{"n": 1.0}`: `{"n": 1.0}`, `{"n": `: `{"n":1}`,
	} {
		turn := newTurn(func(providers.Part) {})
		turn.open["call"] = 1
		if written != "" {
			turn.written["call"] = &strings.Builder{}
			turn.written["call"].WriteString(written)
		}
		turn.requested(&sdk.ExternalToolRequestedData{RequestID: "request", ToolCallID: "call", ToolName: "look", Arguments: map[string]any{"n": 1}})
		if len(turn.round) != 1 || string(turn.round[0].call.Args) != want || turn.round[0].call.Name != "look" || len(turn.open) != 0 {
			t.Errorf("written %q: %+v, open %v", written, turn.round, turn.open)
		}
	}
}
