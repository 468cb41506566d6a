package budget

import (
	"strings"

	"marvin/messages"
)

// Cap is the newest part of a conversation, of at most limit messages unless a single
// round is longer. It begins with a request, so the request to which the oldest kept
// round belongs is kept as well, and so is a summary in front. It is a view: what is
// left out is not lost to the owner of all.
func Cap(all []messages.Message, limit int) []messages.Message {
	if limit <= 0 || len(all) <= limit {
		return all
	}
	var front []messages.Message
	if isSummary(all[0]) {
		front = append(front, all[0])
	}
	cut := nextBorder(all, len(all)-limit+len(front))
	if all[cut].Role != messages.User {
		cut = nextBorder(all, len(all)-limit+len(front)+1) // a place for the request
		if request := lastRequest(all[:cut]); request >= 0 && all[cut].Role != messages.User {
			front = append(front, all[request])
		}
	}
	return append(front, all[cut:]...)
}

// nextBorder is the first border at or behind at, or the last one of all.
func nextBorder(all []messages.Message, at int) int {
	for border := max(at, 0); border < len(all); border++ {
		if all[border].Role != messages.Tool {
			return border
		}
	}
	return borderBefore(all, len(all)-1)
}

// borderBefore is the last border at or in front of at.
func borderBefore(all []messages.Message, at int) int {
	for at > 0 && all[at].Role == messages.Tool {
		at--
	}
	return max(at, 0)
}

// lastRequest is the position of the last message of the user, -1 if there is none.
func lastRequest(all []messages.Message) int {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Role == messages.User {
			return i
		}
	}
	return -1
}

func isSummary(message messages.Message) bool {
	return message.Role == messages.System && strings.HasPrefix(message.Text, summaryMark)
}
