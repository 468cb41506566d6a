package copilot

import (
	"context"
	"sync"

	sdk "github.com/github/copilot-sdk/go"
)

// inbox is the queue of a session's unread events. It is unbounded, because the SDK delivers events
// from one goroutine. A listener that waits would stop the connection for all sessions.
type inbox struct {
	mu     sync.Mutex
	events []sdk.SessionEvent
	filled chan struct{} // contains a token while events are waiting
}

func newInbox() *inbox { return &inbox{filled: make(chan struct{}, 1)} }

// put is the session's only event listener. Events that nobody reads are discarded, because some
// repeat the whole conversation.
func (i *inbox) put(event sdk.SessionEvent) {
	switch event.Data.(type) {
	case *sdk.AssistantMessageDeltaData, *sdk.AssistantReasoningDeltaData, *sdk.AssistantToolCallDeltaData,
		*sdk.AssistantMessageData, *sdk.AssistantUsageData, *sdk.AssistantTurnRetryData,
		*sdk.ExternalToolRequestedData, *sdk.ToolExecutionCompleteData,
		*sdk.SessionTruncationData, *sdk.SessionErrorData, *sdk.SessionIdleData:
	default:
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.events = append(i.events, event)
	i.signal()
}

func (i *inbox) signal() {
	select {
	case i.filled <- struct{}{}:
	default: // the channel already contains a token
	}
}

// next returns an event as soon as one is available. If ctx is already done, next returns an error
// even if events are available.
func (i *inbox) next(ctx context.Context) (sdk.SessionEvent, error) {
	if ctx.Err() != nil {
		return sdk.SessionEvent{}, context.Cause(ctx)
	}
	select {
	case <-i.filled:
	case <-ctx.Done():
		return sdk.SessionEvent{}, context.Cause(ctx)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	event := i.events[0]
	i.events[0] = sdk.SessionEvent{}
	if i.events = i.events[1:]; len(i.events) > 0 {
		i.signal()
	}
	return event, nil
}

// clear discards events that arrived after the previous turn.
func (i *inbox) clear() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.events = nil
	select {
	case <-i.filled:
	default:
	}
}
