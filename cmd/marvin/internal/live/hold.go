package live

import (
	"context"
	"time"

	"marvin/messages"
)

// Conversation is one that continues without a terminal.
type Conversation interface {
	Send(messages.Op)
	Live() messages.Live
	Over() <-chan struct{}
}

// often is how often it is looked whether a conversation without a window is at rest.
const often = 250 * time.Millisecond

// closing bounds the wait for a conversation that ends.
const closing = 5 * time.Second

// Hold keeps a conversation going until it ends, until ctx does, or until it has been at rest
// for idle: no turn, no question, no window and no other work. It is over then.
func Hold(ctx context.Context, conversation Conversation, working func() bool, idle time.Duration, now func() time.Time) {
	ticker := time.NewTicker(often)
	defer ticker.Stop()
	rests := now()
	for {
		select {
		case <-conversation.Over():
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

// busy says whether a conversation does something, or a user looks at it.
func busy(live messages.Live) bool {
	return live.Windows > 0 || live.State == messages.LiveWorking || live.State == messages.LiveWaiting
}

// End closes a conversation, and waits for that a moment.
func End(conversation Conversation) {
	conversation.Send(messages.Quit{})
	select {
	case <-conversation.Over():
	case <-time.After(closing):
	}
}
