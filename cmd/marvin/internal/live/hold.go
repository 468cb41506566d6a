package live

import (
	"context"
	"time"

	"marvin/messages"
)

// Conversation is a conversation that continues without a terminal.
type Conversation interface {
	Send(messages.Op)
	Live() messages.Live
	Done() <-chan struct{}
}

// checkInterval is the time between two activity checks in [Hold].
const checkInterval = 250 * time.Millisecond

// closeTimeout limits the wait for the end of a conversation.
const closeTimeout = 5 * time.Second

// Hold closes a conversation when ctx ends, or when the conversation has been idle for the given
// time. It also returns when the conversation ends by itself. A conversation is idle if it has no
// running turn, no open question and no window, and if working() returns false.
func Hold(ctx context.Context, conversation Conversation, working func() bool, idle time.Duration, now func() time.Time) {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	rests := now()
	for {
		select {
		case <-conversation.Done():
			return
		case <-ctx.Done():
			End(conversation)
			return
		case <-ticker.C:
		}
		if busy(conversation.Live()) || working() {
			rests = now()
		}
		if now().Sub(rests) >= idle {
			End(conversation)
			return
		}
	}
}

// busy is true if a conversation is working, has an open question or has a window.
func busy(live messages.Live) bool {
	return live.Windows > 0 || live.State == messages.LiveWorking || live.State == messages.LiveWaiting
}

// End closes a conversation and waits briefly for its end.
func End(conversation Conversation) {
	conversation.Send(messages.Quit{})
	select {
	case <-conversation.Done():
	case <-time.After(closeTimeout):
	}
}
