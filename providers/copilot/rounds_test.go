package copilot

import (
	"errors"
	"fmt"
	"testing"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/providers"
)

func TestRoundsThatTheCLIAnswersItselfHaveAnEnd(t *testing.T) {
	events, turn := newInbox(), newTurn(func(providers.Part) {})
	for n := range 1000 {
		id := fmt.Sprint("call ", n)
		events.put(sdk.SessionEvent{Data: &sdk.AssistantMessageData{MessageID: id, Content: "again ", ToolRequests: []sdk.AssistantMessageToolRequest{{ToolCallID: id, Name: "gone"}}}})
		events.put(sdk.SessionEvent{Data: &sdk.ToolExecutionCompleteData{ToolCallID: id}})
	}
	idle, err := turn.read(t.Context(), events)
	if idle || !errors.Is(err, providers.ErrTooMuch) || turn.rounds != maxRounds+1 || turn.answer().Text == "" {
		t.Errorf("idle %t, %v after %d rounds", idle, err, turn.rounds)
	}
}
