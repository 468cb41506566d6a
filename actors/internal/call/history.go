package call

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
)

// earlier provides the text of past turns.
type earlier struct {
	home  *persistence.Home
	kept  *conv.StoredSession
	known []messages.Message // the messages in the model's context
}

// turn returns the text of the turn with this number, counted from 1, and the number of turns. If
// the conversation is not stored, turn can read only the turns that the model still knows.
func (e earlier) turn(_ context.Context, number int) (string, int, error) {
	turns := turnsOf(e.known)
	if id := e.kept.ID(); id != "" {
		content, err := sessionlog.ReadTo(sessions.New(e.home), sessions.Info{Header: sessions.Header{ID: id}}, 0)
		if err != nil {
			return "", 0, fmt.Errorf("read the conversation: %w", err)
		}
		turns = nil
		for _, turn := range content.Turns {
			turns = append(turns, slices.Concat(conv.DroppedMessages(turn), turn.Messages))
		}
	}
	if number < 1 || number > len(turns) {
		return "", len(turns), nil
	}
	return transcribed(turns[number-1]), len(turns), nil
}

// turnsOf divides messages into turns. A new turn begins at each message from the user.
func turnsOf(all []messages.Message) (turns [][]messages.Message) {
	for i, message := range all {
		if i == 0 || message.Role == messages.User {
			turns = append(turns, nil)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], message)
	}
	return turns
}

func transcribed(turn []messages.Message) string {
	var text strings.Builder
	for _, message := range turn {
		switch message.Role {
		case messages.Tool:
			fmt.Fprintf(&text, "## Result of %s (%s)\n%s\n\n", message.Result.Name, message.Result.Status, strings.TrimSpace(message.Result.Text))
		case messages.Assistant:
			if said := strings.TrimSpace(message.Text); said != "" {
				fmt.Fprintf(&text, "## Assistant\n%s\n\n", said)
			}
			for _, call := range message.Calls {
				fmt.Fprintf(&text, "## Call of %s\n%s\n\n", call.Name, call.Args)
			}
		default:
			fmt.Fprintf(&text, "## %s\n%s\n\n", message.Role, strings.TrimSpace(message.Text))
		}
	}
	return text.String()
}
