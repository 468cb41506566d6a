package copilot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/persistence/goldentest"
	"marvin/providers"
)

// said is an event of the CLI, like the functions below.
func said(id, text string) sdk.SessionEventData {
	return &sdk.AssistantMessageDeltaData{MessageID: id, DeltaContent: text}
}

func whole(id, text string, calls ...string) sdk.SessionEventData {
	model := "model-of-" + id
	data := &sdk.AssistantMessageData{MessageID: id, Content: text, Model: &model}
	for _, call := range calls {
		data.ToolRequests = append(data.ToolRequests, sdk.AssistantMessageToolRequest{ToolCallID: call, Name: "tool"})
	}
	return data
}

func wanted(call string) sdk.SessionEventData {
	return &sdk.ExternalToolRequestedData{RequestID: "r-" + call, ToolCallID: call, ToolName: "tool", Arguments: map[string]any{"of": call}}
}

func written(call, name, part string) sdk.SessionEventData {
	data := &sdk.AssistantToolCallDeltaData{ToolCallID: call, InputDelta: part}
	if name != "" {
		data.ToolName = &name
	}
	return data
}

func usage(input, cached, output int64, finish string) sdk.SessionEventData {
	return &sdk.AssistantUsageData{InputTokens: &input, CacheReadTokens: &cached, OutputTokens: &output, FinishReason: &finish}
}

func retried(reason string) sdk.SessionEventData {
	return &sdk.AssistantTurnRetryData{TurnID: "0", Reason: &reason}
}

// The golden file has, for every event of an answer, what the user sees and the resulting reply.
func TestCLIAnswerEvents(t *testing.T) {
	status := int32(429)
	idle := &sdk.SessionIdleData{}
	var out strings.Builder
	for _, test := range []struct {
		name   string
		events []sdk.SessionEventData
	}{
		{"text in pieces, of which the whole is not said again", []sdk.SessionEventData{said("a", "one "), said("a", ""), said("a", "two"), whole("a", "one two"), usage(30, 20, 5, "stop"), idle}},
		{"text that comes at once", []sdk.SessionEventData{whole("a", "one two"), idle}},
		{"two messages, one of them in pieces", []sdk.SessionEventData{said("a", "one"), whole("a", "one"), whole("b", " two"), idle}},
		{"thinking", []sdk.SessionEventData{&sdk.AssistantReasoningDeltaData{DeltaContent: "hm"}, &sdk.AssistantReasoningDeltaData{}, said("a", "yes"), idle}},
		{"two calls, asked for in the other order", []sdk.SessionEventData{
			said("a", "I look."), written("c1", "tool", `{"of": `), written("c1", "", `"one"}`), written("c2", "tool", `{"of`), whole("a", "I look.", "c1", "c2"), wanted("c2"), wanted("c1"), said("b", "not read"),
		}},
		{"a call beside one that the CLI answers itself", []sdk.SessionEventData{whole("a", "", "c1", "c2"), wanted("c1"), &sdk.ToolExecutionCompleteData{ToolCallID: "c2"}, said("b", "not read")}},
		{"a call that is asked for twice", []sdk.SessionEventData{whole("a", "", "c1", "c1"), wanted("c1"), said("a", "read"), wanted("c1"), said("b", "not read")}},
		{"calls that only the CLI answers", []sdk.SessionEventData{whole("a", "", "c1"), &sdk.ToolExecutionCompleteData{ToolCallID: "c1"}, said("b", "so be it"), idle}},
		{"an answer that broke off", []sdk.SessionEventData{said("a", "half"), written("c1", "tool", "{"), retried("connection"), said("b", "whole"), usage(3, 9, 1, "stop"), idle}},
		{"an answer that broke off behind what is kept", []sdk.SessionEventData{whole("a", "kept"), retried("rate_limit"), retried("server"), idle}},
		{"refused again and again", []sdk.SessionEventData{retried("server"), retried("server"), retried("rate_limit"), retried("rate_limit"), retried("server"), idle}},
		{"limited at first", []sdk.SessionEventData{retried("rate_limit"), retried("server"), &sdk.AssistantTurnRetryData{TurnID: "0"}, said("a", "there"), idle}},
		{"usage of two requests, one without figures", []sdk.SessionEventData{usage(10, 4, 2, "tool_calls"), &sdk.AssistantUsageData{}, usage(20, 8, 3, "length"), idle}},
		{"no figures at all", []sdk.SessionEventData{&sdk.AssistantUsageData{}, idle}},
		{"a conversation that is too long", []sdk.SessionEventData{&sdk.SessionTruncationData{}, said("a", "ok"), idle}},
		{"an error, then the end", []sdk.SessionEventData{said("a", "half"), &sdk.SessionErrorData{ErrorType: "query", Message: "slow down", StatusCode: &status}, idle}},
		{"what nobody reads", []sdk.SessionEventData{&sdk.SessionStartData{}, idle}},
		{"nothing more", []sdk.SessionEventData{said("a", "half")}},
	} {
		fmt.Fprintf(&out, "# %s\n", test.name)
		events := newInbox()
		ctx, cancel := context.WithCancelCause(t.Context())
		turn := newTurn(func(part providers.Part) { fmt.Fprintf(&out, "%v %q size %d\n", part.Kind, part.Text, part.Size) })
		for _, data := range test.events {
			events.put(sdk.SessionEvent{Data: data})
		}
		if test.name == "nothing more" {
			turn.emit = func(providers.Part) { cancel(errors.New("enough")) }
		}
		idle, err := turn.read(ctx, events)
		cancel(nil)
		fmt.Fprintf(&out, "= idle %t, over %t, error %v, rounds %d, retries %d, %d left, said %q\n", idle, turn.over, err, turn.rounds, turn.retries, len(events.events), turn.said.String())
		for _, call := range turn.take() {
			fmt.Fprintf(&out, "= call %s %s %s %s\n", call.request, call.call.ID, call.call.Name, call.call.Args)
		}
		fmt.Fprintf(&out, "= %+v\n", turn.answer())
		if len(turn.round)+len(turn.order)+len(turn.written) > 0 {
			t.Errorf("%s: the round is still there: %+v", test.name, turn)
		}
	}
	goldentest.Assert(t, "turns.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// The inbox returns the events in order; after clear it has no earlier event.
func TestTheInboxKeepsTheOrder(t *testing.T) {
	events := newInbox()
	events.clear()
	for _, text := range []string{"1", "2", "3"} {
		events.put(sdk.SessionEvent{Data: said("a", text)})
	}
	next := func() string {
		event, err := events.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return event.Data.(*sdk.AssistantMessageDeltaData).DeltaContent
	}
	if a, b := next(), next(); a+b != "12" {
		t.Errorf("%s, %s", a, b)
	}
	events.clear()
	events.put(sdk.SessionEvent{Data: said("a", "4")})
	if got := next(); got != "4" {
		t.Errorf("after clear: %s", got)
	}
	over, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	events.put(sdk.SessionEvent{Data: said("a", "5")})
	if _, err := events.next(over); !errors.Is(err, enough) {
		t.Errorf("a context that has ended: %v", err)
	}
	if got := next(); got != "5" {
		t.Errorf("it was lost: %s", got)
	}
}
