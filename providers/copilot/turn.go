package copilot

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/messages"
	"marvin/providers"
)

// maxRounds is the maximum number of rounds of calls in one turn. The CLI itself handles calls to
// unknown tools, and a model could repeat such calls forever.
const maxRounds = 8

type turn struct {
	emit  func(providers.Part)
	reply providers.Reply

	text     strings.Builder // the text since the last round of calls
	said     strings.Builder // the whole text
	streamed map[string]bool // messages whose text came in pieces

	// A round is complete when every call that the model made has arrived or has been answered. The
	// CLI itself answers a call to a tool that does not exist.
	order   []string                    // call ids in the model's order
	open    map[string]int              // the number of outstanding calls for each id
	written map[string]*strings.Builder // arguments as the model wrote them
	round   []pending

	rounds  int // number of rounds, including those that the CLI answered itself
	retries int
	limited bool // the rate limit was reported
	failure error
	over    bool // the CLI has reported the end of the turn
}

func newTurn(emit func(providers.Part)) *turn {
	return &turn{emit: emit, streamed: map[string]bool{}, open: map[string]int{}, written: map[string]*strings.Builder{}}
}

// read consumes events until a round of calls is complete or the turn ends. If the turn ends, idle
// is true.
func (t *turn) read(ctx context.Context, events *inbox) (idle bool, err error) {
	for {
		event, err := events.next(ctx)
		if err != nil {
			return false, err
		}
		switch data := event.Data.(type) {
		case *sdk.AssistantMessageDeltaData:
			t.streamed[data.MessageID] = true
			t.say(data.DeltaContent)
		case *sdk.AssistantReasoningDeltaData:
			t.pass(providers.ThinkingPart, data.DeltaContent)
		case *sdk.AssistantToolCallDeltaData:
			t.write(data)
		case *sdk.AssistantMessageData:
			t.message(data)
			if t.rounds > maxRounds {
				return false, fmt.Errorf("%w: the model called unknown tools in %d rounds", providers.ErrTooMuch, t.rounds)
			}
		case *sdk.ExternalToolRequestedData:
			t.requested(data)
		case *sdk.ToolExecutionCompleteData:
			t.settle(data.ToolCallID)
		case *sdk.AssistantUsageData:
			t.count(data)
		case *sdk.AssistantTurnRetryData:
			t.handleRetry(data)
		case *sdk.SessionTruncationData:
			t.pass(providers.NoticePart, "This conversation is too long for the model, so Copilot left out the oldest messages.")
		case *sdk.SessionErrorData:
			t.failure = failure(data)
		case *sdk.SessionIdleData:
			t.over = true
			return true, t.failure
		}
		if len(t.round) > 0 && len(t.open) == 0 {
			return false, nil
		}
	}
}

func (t *turn) pass(kind providers.PartKind, text string) {
	if text != "" {
		t.emit(providers.Part{Kind: kind, Text: text})
	}
}

func (t *turn) say(text string) {
	t.text.WriteString(text)
	t.said.WriteString(text)
	t.pass(providers.TextPart, text)
}

// write collects the arguments of a call as text. The event for the call contains only the decoded
// arguments, and decoding changes numbers that need more than 53 bits.
func (t *turn) write(data *sdk.AssistantToolCallDeltaData) {
	if t.written[data.ToolCallID] == nil {
		t.written[data.ToolCallID] = &strings.Builder{}
	}
	t.written[data.ToolCallID].WriteString(data.InputDelta)
	part := providers.Part{Kind: providers.CallingPart, Size: len(data.InputDelta)}
	if data.ToolName != nil {
		part.Text = *data.ToolName
	}
	t.emit(part)
}

func (t *turn) message(data *sdk.AssistantMessageData) {
	if !t.streamed[data.MessageID] {
		t.say(data.Content)
	}
	if data.Model != nil {
		t.reply.Model = *data.Model
	}
	if len(data.ToolRequests) > 0 {
		t.rounds++
	}
	for _, request := range data.ToolRequests {
		t.order = append(t.order, request.ToolCallID)
		t.open[request.ToolCallID]++
	}
}

func (t *turn) requested(data *sdk.ExternalToolRequestedData) {
	arguments, err := json.Marshal(data.Arguments)
	if err != nil {
		arguments = nil // decoded JSON can always be encoded
	}
	if written := t.written[data.ToolCallID]; written != nil && json.Valid([]byte(written.String())) {
		arguments = []byte(written.String())
	}
	t.round = append(t.round, pending{
		request: data.RequestID,
		call:    messages.ToolCall{ID: data.ToolCallID, Name: data.ToolName, Args: arguments},
	})
	t.settle(data.ToolCallID)
}

func (t *turn) settle(id string) {
	if t.open[id]--; t.open[id] <= 0 {
		delete(t.open, id)
	}
}

// take finishes the current round, and returns the round's calls in the model's order.
func (t *turn) take() []pending {
	round := t.round
	slices.SortStableFunc(round, func(a, b pending) int {
		return slices.Index(t.order, a.call.ID) - slices.Index(t.order, b.call.ID)
	})
	t.round, t.order = nil, nil
	clear(t.written)
	return round
}

// handleRetry handles the event that announces a retry after an error or an interrupted answer. The
// CLI retries up to six times, for about a minute.
func (t *turn) handleRetry(data *sdk.AssistantTurnRetryData) {
	limited := data.Reason != nil && *data.Reason == "rate_limit"
	switch {
	case t.text.Len() > 0:
		t.pass(providers.AnewPart, "The answer broke off. Copilot asks again...")
	case limited && !t.limited:
		t.limited = true
		t.pass(providers.NoticePart, "⚠️ Rate limited by copilot. Trying again for up to a minute...")
	case limited:
	case t.retries == 0:
		t.pass(providers.NoticePart, "The model does not answer properly. Copilot asks again...")
	}
	t.retries++
	said := t.said.String()
	t.said.Reset()
	t.said.WriteString(said[:len(said)-t.text.Len()]) // without the text of the failed attempt
	t.text.Reset()
	clear(t.written)
}

func (t *turn) count(data *sdk.AssistantUsageData) {
	usage := &t.reply.Usage
	usage.Turns++
	if data.InputTokens != nil {
		usage.Known = true
	}
	usage.Input = addTokens(usage.Input, data.InputTokens)
	usage.Cached = addTokens(usage.Cached, data.CacheReadTokens)
	usage.Output = addTokens(usage.Output, data.OutputTokens)
	if data.FinishReason != nil {
		t.reply.Finish = providers.Finish(*data.FinishReason)
	}
}

// addTokens returns -1 for an implausible count, so that [providers.Usage.Sane] rejects the usage.
func addTokens(sum int, more *int64) int {
	switch {
	case more == nil:
		return sum
	case sum < 0 || *more < 0 || *more > math.MaxInt32:
		return -1
	}
	return sum + int(*more)
}

func (t *turn) answer() providers.Reply {
	reply := t.reply
	reply.Text = t.text.String()
	reply.Usage.Cached = min(reply.Usage.Cached, reply.Usage.Input)
	return reply
}
